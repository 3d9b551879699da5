import { GroupedStdioTransport } from './grouped-stdio-transport.ts';
import { HttpTransport } from './http-transport.ts';
import type { McpPlace } from './mcp-place.ts';
import { StderrCapture, type StderrFile } from './mcp-stderr.ts';
import type { EndingTransport } from './watched-transport.ts';

export interface TransportParts {
  readonly server: string;
  readonly place: McpPlace;
  /** Where a server that is started stands. */
  readonly cwd: string;
  /** Where its stderr is kept; null for nowhere. */
  readonly stderr: StderrFile | null;
  readonly guardGroup: (leader: number) => () => void;
}

/** The way to a server: a process of its own, or an address. Nothing is started or reached yet. */
export function openTransport({ server, place, cwd, stderr, guardGroup }: TransportParts): EndingTransport {
  if (place.transport === 'http') return new HttpTransport(place);
  const { command, args, env, secrets } = place;
  return new GroupedStdioTransport({
    ...{ server, command, args, env, cwd, guardGroup },
    stderr: new StderrCapture(stderr, secrets),
  });
}
