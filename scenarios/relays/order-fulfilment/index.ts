import { DBOS } from '@dbos-inc/dbos-sdk';
import { agent, mcp, service, tool } from 'agentworks';

interface Order {
  customer: string;
  /** `unitPrice` in cents. */
  item: { sku: string; quantity: number; unitPrice: number };
}

interface Confirmation {
  orderId: string;
  /** In cents. */
  total: number;
}

const customers = new Map([['Ada Lovelace', 'customer-1815']]);

const lookupCustomer = tool<{ name: string }>({
  name: 'lookup_customer',
  description: 'Finds the number of a customer by name.',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => ({ id: customers.get(name) ?? 'guest' }),
});

function extract(text: string): Promise<Order> {
  return agent<Order>({
    name: 'extract',
    systemPrompt: 'Give customer and item of the order in the text as JSON, with the unit price in cents.',
    userMessage: text,
    tools: [lookupCustomer],
    outputSchema: {
      type: 'object',
      properties: {
        customer: { type: 'string' },
        item: {
          type: 'object',
          properties: {
            sku: { type: 'string' },
            quantity: { type: 'integer', minimum: 1 },
            unitPrice: { type: 'integer', minimum: 0 },
          },
          required: ['sku', 'quantity', 'unitPrice'],
        },
      },
      required: ['customer', 'item'],
    },
  });
}

async function reserve({ item }: Order): Promise<void> {
  const { sku, quantity } = item;
  await mcp({ server: 'inventory', tool: 'reserve', arguments: { sku, quantity, orderRef: DBOS.workflowID } });
}

/** The step runs again when its process dies in it; the key makes that one order. */
async function createOrder({ customer, item }: Order): Promise<Confirmation> {
  const answer = await fetch(`${await service('order-service')}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `${DBOS.workflowID}:${DBOS.stepID}` },
    body: JSON.stringify({ customer, items: [item] }),
  });
  if (!answer.ok) throw new Error(`the order service answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Confirmation;
}

function confirm({ item }: Order, { orderId, total }: Confirmation): Promise<Confirmation> {
  const expected = item.quantity * item.unitPrice;
  if (total !== expected) throw new Error(`order ${orderId} came to ${total}; expected ${expected}`);
  return Promise.resolve({ orderId, total });
}

async function fulfil({ text }: { text: string }): Promise<Confirmation> {
  const order = await extract(text);
  await reserve(order);
  const created = await DBOS.runStep(() => createOrder(order), { name: 'create-order' });
  return DBOS.runStep(() => confirm(order, created), { name: 'confirm' });
}

export const run = DBOS.registerWorkflow(fulfil, { name: 'order-fulfilment' });
