import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownSecret } from '../core/index.ts';
import { withoutSecrets } from './mcp-secrets.ts';

/** Most bytes that are kept of what a server of an attempt says on stderr. */
const keptBytes = 256 * 1024;
/** A longer line is taken in parts. */
const lineCharacters = 16 * 1024;
const lastCharacters = 500;

export interface StderrFile {
  /** The run's folder. */
  readonly runDir: string;
  readonly attempt: number;
  readonly server: string;
}

/**
 * What a server says on stderr: its beginning in a file of the run, `mcp/ATTEMPT/SERVER.stderr`, and its last words in
 * memory. It never fails and holds nothing up: it is only looked at.
 */
export class StderrCapture {
  #file: number | null;
  readonly #secrets: readonly KnownSecret[];
  readonly #decoder = new TextDecoder();
  #room = keptBytes;
  #line = '';
  #last = '';

  /** Without a file only the last words are kept. */
  constructor(file: StderrFile | null, secrets: readonly KnownSecret[]) {
    this.#secrets = secrets;
    this.#file = file === null ? null : openFile(file);
    // A server that was started again goes on in the file of the attempt.
    if (this.#file !== null) this.#room -= Math.min(fstatSync(this.#file).size, keptBytes);
  }

  take(chunk: Buffer): void {
    this.#line += this.#decoder.decode(chunk, { stream: true });
    const end = this.#line.lastIndexOf('\n') + 1;
    const ready = end > 0 ? end : this.#line.length > lineCharacters ? this.#line.length : 0;
    this.#keep(this.#line.slice(0, ready));
    this.#line = this.#line.slice(ready);
  }

  /** The last words, trimmed. */
  lastWords(): string {
    return withoutSecrets(this.#last + this.#line, this.#secrets)
      .slice(-lastCharacters)
      .trim();
  }

  close(): void {
    this.#keep(this.#line);
    this.#line = '';
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #keep(text: string): void {
    if (text === '') return;
    const shown = withoutSecrets(text, this.#secrets);
    this.#last = (this.#last + shown).slice(-lastCharacters);
    if (this.#file === null || this.#room === 0) return;
    const bytes = Buffer.from(shown);
    const fits = bytes.length <= this.#room;
    const kept = fits ? bytes : Buffer.concat([bytes.subarray(0, this.#room), Buffer.from(fullMark)]);
    this.#room = fits ? this.#room - bytes.length : 0;
    try {
      writeSync(this.#file, kept);
    } catch {
      // A full disk must not end the call over what a server has to say.
      this.#room = 0;
    }
  }
}

const fullMark = `\n[only the first ${keptBytes} bytes are kept]\n`;

function openFile({ runDir, attempt, server }: StderrFile): number | null {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  try {
    const folder = join(runDir, 'mcp', String(attempt));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(join(folder, `${server}.stderr`), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  } catch {
    return null;
  }
}
