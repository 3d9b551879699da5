import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOrderFile, parseOutputOrder, type OrderRecord } from './output-order.ts';

type Stream = OrderRecord['stream'];

interface OutputChunk {
  readonly stream: Stream;
  /** Of the first byte in that stream. */
  readonly offset: number;
  readonly bytes: Buffer;
}

const chunkBytes = 64 * 1024;

/**
 * Reads what an attempt wrote, from a place on, in the order in which it came, as far as it is on disk. Holds one chunk
 * at a time. What is missing of the order is made up: first stdout, then stderr.
 */
export class OutputReader {
  readonly #folder: string;
  readonly #files = new Map<string, FileHandle>();
  /** Bytes of each stream that were given. */
  readonly #given: Record<Stream, number>;
  /** Bytes of each stream up to the end of the present record. */
  readonly #recorded: Record<Stream, number> = { stdout: 0, stderr: 0 };
  #records: OrderRecord[] = [];
  /** Bytes of the order that were read. */
  #orderRead = 0;
  #present: Stream | null = null;
  #isClosed = false;

  /** `folder`: `attempts/<n>` of the run; it need not be there yet. */
  constructor(folder: string, { stdout, stderr }: Readonly<Record<Stream, number>>) {
    this.#folder = folder;
    this.#given = { stdout, stderr };
  }

  /** The next piece, at most 64 KiB; null when there is none. `isOver`: the attempt has ended, its files are whole. */
  async next(isOver: boolean): Promise<OutputChunk | null> {
    for (;;) {
      if (this.#present === null) {
        // Sizes first: what is there then, and in no record that is read after, is of one stream alone.
        const sizes = { stdout: await this.#size('stdout'), stderr: await this.#size('stderr') };
        if (!(await this.#nextRecord())) return (await this.#read('stdout', sizes)) ?? this.#read('stderr', sizes);
      }
      const stream: Stream = this.#present ?? 'stdout';
      const chunk = await this.#read(stream, this.#recorded);
      if (chunk !== null) return chunk;
      // It was noted, and is not in its file: still on its way, or lost with a disk that was full.
      if (this.#given[stream] < this.#recorded[stream] && !isOver) return null;
      this.#present = null;
    }
  }

  /** What is asked for afterwards, or was under way, comes to nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const files = [...this.#files.values()];
    this.#files.clear();
    await Promise.all(files.map((file) => file.close()));
  }

  async #nextRecord(): Promise<boolean> {
    if (this.#records.length === 0) {
      const bytes = await this.#bytes(outputOrderFile, this.#orderRead, chunkBytes);
      this.#records = parseOutputOrder(bytes);
      this.#orderRead += bytes.length - (bytes.length % 4);
    }
    const record = this.#records.shift();
    if (record === undefined) return false;
    this.#recorded[record.stream] += record.bytes;
    this.#present = record.stream;
    return true;
  }

  async #read(stream: Stream, upTo: Readonly<Record<Stream, number>>): Promise<OutputChunk | null> {
    const offset = this.#given[stream];
    if (offset >= upTo[stream]) return null;
    const bytes = await this.#bytes(stream, offset, Math.min(chunkBytes, upTo[stream] - offset));
    if (bytes.length === 0) return null;
    this.#given[stream] += bytes.length;
    return { stream, offset, bytes };
  }

  async #bytes(name: string, position: number, length: number): Promise<Buffer> {
    const file = await this.#file(name);
    if (file === null) return Buffer.alloc(0);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(length), position });
    return buffer.subarray(0, bytesRead);
  }

  async #size(stream: Stream): Promise<number> {
    const file = await this.#file(stream);
    return file === null ? 0 : (await file.stat()).size;
  }

  /** Null while it is not there, or when it is no regular file. */
  async #file(name: string): Promise<FileHandle | null> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(join(this.#folder, name), flags).catch(() => null);
    if (file === null) return null;
    const isRegular = (await file.stat()).isFile();
    if (!isRegular || this.#isClosed) {
      await file.close();
      return null;
    }
    this.#files.set(name, file);
    return file;
  }
}
