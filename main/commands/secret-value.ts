import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { LabError, secretRules } from '../../runtime/core/index.ts';

/** Where a value comes from: a person at a terminal, or whatever is piped. */
export interface ValueSource {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Where the prompt is written. */
  readonly prompt: Pick<NodeJS.WritableStream, 'write'>;
}

/** A longest value in UTF-8, and a line end. */
const mostBytes = secretRules.mostLength * 3 + 2;

/**
 * The value of a secret, from a prompt that shows nothing of it or from a pipe, whose last line end does not count.
 * Throws `too-large` for more than a value may be, and `cancelled` when the prompt is left.
 */
export function readSecretValue(name: string, { input, prompt }: ValueSource): Promise<string> {
  return input.isTTY === true ? ask(name, input, prompt) : readPiped(input);
}

async function ask(name: string, input: Readable, prompt: ValueSource['prompt']): Promise<string> {
  prompt.write(`Value of ${name} (what you type is not shown): `);
  // As a terminal, so that the system echoes nothing; and what would be echoed here goes nowhere.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  try {
    return await new Promise((resolve, reject) => {
      const left = (): void => reject(new LabError('cancelled', `the prompt for ${name} was left; nothing is changed`));
      lines.once('line', resolve).once('SIGINT', left).once('close', left);
    });
  } finally {
    lines.close();
    prompt.write('\n');
  }
}

async function readPiped(input: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of input) {
    const chunk = Buffer.from(part as Buffer | string);
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) {
      throw new LabError('too-large', `stdin holds over ${mostBytes} bytes; a secret has no more`);
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(Buffer.concat(parts))
      .replace(/\r?\n$/, '');
  } catch {
    throw new LabError('invalid-input', 'what came on stdin is not UTF-8 text', 'Keep binary secrets as base64.');
  }
}
