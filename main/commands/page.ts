import { InvalidArgumentError, type Command } from 'commander';
import { LabError } from '../../runtime/core/index.ts';
import { lockFolder } from '../../runtime/store/index.ts';
import { alone, exitCodes, inSession } from '../command-action.ts';
import { findDataFolder, makeDataFolder, type DataFolder } from '../data-folder.ts';
import type { HostSession } from '../host.ts';
import { describeHolder, readHostRecord } from '../host-record.ts';
import type { Output } from '../output.ts';
import { keepSignals } from '../page/kept-signals.ts';
import { wantsBrowser } from '../page/browser.ts';
import { wholeNumber } from './option-values.ts';

interface PageOptions {
  readonly port: number;
  readonly open: boolean;
  readonly ephemeral?: boolean;
}

export function addPageCommand(program: Command): void {
  program
    .command('page')
    .description('serve the page on 127.0.0.1 and open it in the browser, until Ctrl-C')
    .option('--port <number>', 'the port to listen on; 0 for any that is free', portNumber, 0)
    .option('--no-open', 'only print the address')
    .option('--ephemeral', 'keep everything in a private temporary folder that is removed at the end')
    .addHelpText('after', '\nExamples:\n  recovery-lab page\n  recovery-lab page --ephemeral --port 4400')
    .action(
      alone<PageOptions>(async (context, options) => {
        const { dataDir } = program.opts<{ dataDir?: string }>();
        if (options.ephemeral === true && dataDir !== undefined) {
          throw new LabError('invalid-input', '--ephemeral keeps its own data folder', 'Leave out one of the two.');
        }
        await serve(context, options);
        return exitCodes.done;
      }),
    );
}

async function serve(
  { folder: usual, out }: { folder: DataFolder; out: Output },
  { port, open, ephemeral = false }: PageOptions,
): Promise<void> {
  const releaseSignals = keepSignals();
  // Loaded only here: no other command needs the runtime and a web server together.
  const { servePage } = await import('../page/page-server.ts');
  const { makeEphemeralFolder } = await import('../page/ephemeral-folder.ts');
  const folder = ephemeral ? findDataFolder(makeEphemeralFolder()) : usual;
  const host = await becomeOnlyHost(folder, ephemeral, (line) => out.note(line));
  const page = await servePage(host.service, port).catch(async (error: unknown) => {
    await host.abandon();
    throw error;
  });
  const abandon = async (): Promise<void> => {
    await page.close();
    await host.abandon();
  };
  await inSession({ ...host, close: abandon, abandon }, out, async () => {
    releaseSignals();
    const said = { url: page.url, pid: process.pid, dataFolder: folder.root, ephemeral };
    out.result(said, () => [
      `Relay Recovery Lab: ${out.paint('bold', page.url)}`,
      `data folder ${folder.root}${ephemeral ? ' (removed at the end)' : ''}; Ctrl-C ends the lab`,
    ]);
    if (open && wantsBrowser()) await openBrowser(page.url, out);
    await new Promise<never>(() => undefined);
  });
}

/** Throws `locked` naming who holds the folder: a second page on it would be another host. */
async function becomeOnlyHost(
  folder: DataFolder,
  ephemeral: boolean,
  say: (line: string) => void,
): Promise<HostSession> {
  makeDataFolder(folder);
  const lock = lockFolder(folder.lock);
  if (lock === null) {
    const record = readHostRecord(folder);
    throw new LabError(
      'locked',
      `the data folder ${folder.root} is held by ${describeHolder(record)}`,
      'Use the page or the command that is open there, end it, or look around with: recovery-lab page --ephemeral',
      record === null ? {} : { pid: record.pid, since: record.since },
    );
  }
  const { becomeHost } = await import('../host.ts');
  return becomeHost(folder, lock, say, { host: 'page', ephemeral });
}

async function openBrowser(url: string, out: Output): Promise<void> {
  const failed = (): void => out.note('The browser could not be opened: open the address above yourself.');
  try {
    const { default: open } = await import('open');
    (await open(url)).once('error', failed);
  } catch {
    failed();
  }
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('expected a port from 0 to 65535');
  return port;
}
