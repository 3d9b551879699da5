import { createWriteStream, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { limits } from '../core/index.ts';
import type { OutputOrder } from './output-order.ts';

/** What became of one output stream of an attempt. Sizes in bytes. */
export interface OutputSummary {
  readonly kept: number;
  readonly cut: number;
  /** Why the rest could not be written to the file; null when all was. */
  readonly lost: string | null;
}

/**
 * Writes a stream raw to a file, up to `limits.outputBytes`. What is over it is read and counted, never kept, so that
 * a flood neither blocks its process nor fills memory; a last line in the file says how much was cut.
 */
export class OutputCapture {
  readonly #stream: 'stdout' | 'stderr';
  readonly #source: Readable;
  readonly #file: WriteStream;
  readonly #order: OutputOrder;
  readonly #publish: (offset: number, bytes: Buffer) => void;
  readonly #finished = Promise.withResolvers<OutputSummary>();
  #kept = 0;
  #cut = 0;
  #lost: string | null = null;

  /** `publish` gets what stands in the file, with its offset there. */
  constructor(
    stream: 'stdout' | 'stderr',
    source: Readable,
    { folder, order }: { readonly folder: string; readonly order: OutputOrder },
    publish: (offset: number, bytes: Buffer) => void,
  ) {
    this.#stream = stream;
    this.#source = source;
    this.#order = order;
    this.#publish = publish;
    this.#file = createWriteStream(join(folder, stream), { mode: 0o600 });
    this.#file.once('error', (error) => {
      this.#lost = error.message;
      source.resume();
    });
    this.#file.once('close', () => this.#finished.resolve({ kept: this.#kept, cut: this.#cut, lost: this.#lost }));
    source.on('data', (chunk: Buffer) => this.#take(chunk));
    source.on('error', () => {});
    source.once('close', () => this.#end());
  }

  /** Resolves when the source has ended and the file holds all that is kept of it. */
  get finished(): Promise<OutputSummary> {
    return this.#finished.promise;
  }

  get received(): number {
    return this.#kept + this.#cut;
  }

  #take(chunk: Buffer): void {
    const keep = chunk.subarray(0, limits.outputBytes - this.#kept);
    this.#cut += chunk.length - keep.length;
    if (keep.length === 0 || this.#lost !== null) return;
    this.#write(keep);
    this.#kept += keep.length;
  }

  #write(bytes: Buffer): void {
    const offset = this.#kept;
    this.#order.add(this.#stream, bytes.length);
    const hasRoom = this.#file.write(bytes, (error) => {
      if (!error) this.#publish(offset, bytes);
    });
    if (hasRoom) return;
    this.#source.pause();
    this.#file.once('drain', () => this.#source.resume());
  }

  #end(): void {
    if (this.#cut > 0 && this.#lost === null) {
      const bound = `only the first ${limits.outputBytes} are kept`;
      this.#write(Buffer.from(`\n[recovery-lab: ${this.#cut} bytes more were written and are cut; ${bound}]\n`));
    }
    this.#file.end();
  }
}

/** The last bytes of a file as text, to show why something failed. Empty when it cannot be read. */
export async function readTail(path: string, bytes: number): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes), position: Math.max(0, size - bytes) });
    return buffer.toString('utf8', 0, bytesRead).trim();
  } catch {
    return '';
  }
}
