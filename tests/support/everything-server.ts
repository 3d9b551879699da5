import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/package.json'))),
  'dist/index.js',
);

/** The public reference server of MCP over stdio, as relay.json describes it. */
export const everythingOverStdio: { readonly command: string; readonly args: readonly string[] } = {
  command: process.execPath,
  args: [program, 'stdio'],
};

/** The public reference server of MCP over streamable HTTP, a real process on a free port of this machine. */
export async function startEverything(): Promise<{ url: string; pid: number } & AsyncDisposable> {
  const port = await freePort();
  const child = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // It says on stderr when it listens.
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('listening')) break;
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
