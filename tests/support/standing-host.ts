import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectControl } from '../../main/control-socket.ts';
import type { LabClient } from '../../runtime/contract/index.ts';
import { LabCommand } from './lab-command.ts';
import { RelayFolder } from './relay-folder.ts';

/** Waits in its step until a file `go` stands in its folder. */
const waits = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { existsSync } from 'node:fs';
async function waits() {
  await DBOS.runStep(
    async () => {
      while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    { name: 'wait' },
  );
}
export const run = DBOS.registerWorkflow(waits);
`;

/** A real host in a process of its own, kept alive by a run that waits, and a client of it over its control socket. */
export class StandingHost {
  readonly #lab: LabCommand;
  readonly #relay: RelayFolder;
  readonly #ended: Promise<unknown>;
  readonly client: LabClient;

  private constructor(lab: LabCommand, relay: RelayFolder, ended: Promise<unknown>, client: LabClient) {
    this.#lab = lab;
    this.#relay = relay;
    this.#ended = ended;
    this.client = client;
  }

  static async start(): Promise<StandingHost> {
    const lab = new LabCommand();
    const relay = new RelayFolder(waits, { name: 'keeps-the-host' });
    const child = lab.spawn(['run', 'start', relay.path, '--id', 'keeper', '--follow']);
    const ended = once(child, 'close');
    let said = '';
    child.stderr.on('data', (part) => (said += String(part)));
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (part) => {
        said += String(part);
        if (said.includes('"operation.intended"')) resolve();
      });
      void ended.then(() => reject(new Error(`the host ended early: ${said}`)));
    });
    const { socket } = JSON.parse(readFileSync(join(lab.dataDir, 'host.json'), 'utf8')) as { socket: string };
    return new StandingHost(lab, relay, ended, await connectControl(socket, 5000));
  }

  get dataDir(): string {
    return this.#lab.dataDir;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    writeFileSync(join(this.dataDir, 'runs/keeper/work/go'), '');
    await this.#ended;
    this.#relay[Symbol.dispose]();
    this.#lab[Symbol.dispose]();
  }
}
