import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { databaseArgument } from '../database-argument.ts';
import { openServiceDatabase } from '../service-database.ts';
import { InventoryError, readStock, reservation, reservationsSchema, reserve, stockQuery } from './reservations.ts';

const db = openServiceDatabase(databaseArgument(), reservationsSchema);
const server = new McpServer({ name: 'inventory', version: '1.0.0' });

server.registerTool(
  'reserve',
  {
    description: 'Reserves stock for an order. The same orderRef again gets the first answer and reserves nothing.',
    inputSchema: reservation.shape,
  },
  (asked) => answer(() => reserve(db, asked)),
);
server.registerTool(
  'stock',
  { description: 'How much of a product is on hand and how much of it is reserved.', inputSchema: stockQuery.shape },
  ({ sku }) => answer(() => readStock(db, sku)),
);

await server.connect(new StdioServerTransport());
process.stdin.on('end', () => {
  db.close();
  process.exit(0);
});

interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
}

function answer(work: () => object): ToolAnswer {
  try {
    const result = work();
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: { ...result } };
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}
