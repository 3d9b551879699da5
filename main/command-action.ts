import type { Command } from 'commander';
import type { LabClient } from '../runtime/contract/index.ts';
import { asLabError, errorClasses, type LabError } from '../runtime/core/index.ts';
import { findDataFolder, type DataFolder } from './data-folder.ts';
import { openHostSession, openReadingSession, type LabSession } from './lab-session.ts';
import { openOutput, type Output } from './output.ts';

/** Exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, use: 2, refused: 3, broken: 1 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface CommandContext {
  readonly folder: DataFolder;
  readonly out: Output;
  readonly client: LabClient;
}

/** What a command does with its options and arguments, once it reaches the lab. Gives the exit code. */
type Body<Options> = (context: CommandContext, options: Options, ...words: string[]) => Promise<ExitCode>;
type Action = (...given: unknown[]) => Promise<void>;

interface GlobalOptions {
  readonly json?: true;
  readonly dataDir?: string;
}

/** A command that starts or changes something: it becomes the data folder's host or asks the one that lives. */
export function hosting<Options>(body: Body<Options>): Action {
  return acting(openHostSession, body);
}

/** A command that only reads. */
export function reading<Options>(body: Body<Options>): Action {
  return acting(openReadingSession, body);
}

/** A command that needs no lab, or opens one in its own way. */
export function alone<Options>(
  body: (context: Omit<CommandContext, 'client'>, options: Options, ...words: string[]) => Promise<ExitCode>,
): Action {
  return async (...given) => {
    const { context, options, words } = unpack<Options>(given);
    await finish(context.out, await attempt(context.out, () => body(context, options, ...words)));
  };
}

function acting<Options>(
  open: (folder: DataFolder, say: (line: string) => void) => Promise<LabSession>,
  body: Body<Options>,
): Action {
  return async (...given) => {
    const { context, options, words } = unpack<Options>(given);
    const { out, folder } = context;
    const code = await attempt(out, async () =>
      inSession(await open(folder, (line) => out.note(line)), out, (client) =>
        body({ ...context, client }, options, ...words),
      ),
    );
    await finish(out, code);
  };
}

/** Works in a session and closes it; a signal meanwhile ends what lives in it, and this process. */
export async function inSession<Gives>(
  session: LabSession,
  out: Output,
  work: (client: LabClient) => Promise<Gives>,
): Promise<Gives> {
  const stopListening = abandonOnSignal(session, out);
  try {
    return await work(session.client);
  } finally {
    out.progress(null);
    await session.close();
    stopListening();
  }
}

function unpack<Options>(given: readonly unknown[]): {
  context: Omit<CommandContext, 'client'>;
  options: Options;
  words: string[];
} {
  const command = given.at(-1) as Command;
  const { json, dataDir } = command.optsWithGlobals<GlobalOptions>();
  return {
    context: { folder: findDataFolder(dataDir ?? null), out: openOutput({ json: json === true }) },
    options: command.opts() as Options,
    words: given.slice(0, -2).flat() as string[],
  };
}

async function attempt(out: Output, work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (thrown) {
    const error = asLabError(thrown);
    reportError(out, error);
    return exitCodes[errorClasses[error.code]];
  }
}

export function reportError(out: Output, error: LabError): void {
  out.progress(null);
  if (out.json) out.result({ error: error.toData() }, () => []);
  out.note(`error ${error.code}: ${error.message}`);
  if (error.next !== '') out.note(`next: ${error.next}`);
}

/** Ends the process with this code, once everything that was said is out. */
export async function finish(out: Output, code: number): Promise<void> {
  await out.flushed();
  process.exit(code);
}

const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** How long ending the live runs may take after a signal. */
const abandonMs = 5000;

/** The first signal ends what lives here as interrupted and lets the folder go; the second ends this process at once. */
function abandonOnSignal(session: LabSession, out: Output): () => void {
  let asked = false;
  const listener = (signal: keyof typeof signalCodes): void => {
    const code = signalCodes[signal];
    if (asked) process.exit(code);
    asked = true;
    if (session.role === 'host') out.note(`${signal}: ending live runs as interrupted; once more to leave at once`);
    if (session.role === 'forwarded') out.note(`${signal}: leaving; what was started goes on in its host`);
    setTimeout(() => process.exit(code), abandonMs).unref();
    void session.abandon().then(
      () => finish(out, code),
      () => process.exit(code),
    );
  };
  const signals = Object.keys(signalCodes) as (keyof typeof signalCodes)[];
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
