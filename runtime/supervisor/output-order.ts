import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** So much of one stream came before the other went on. */
export interface OrderRecord {
  readonly stream: 'stdout' | 'stderr';
  readonly bytes: number;
}

/** `attempts/<n>/output-order`: in which order the pieces of stdout and stderr came, four bytes for each change of stream. */
export const outputOrderFile = 'output-order';
const recordBytes = 4;
const stderrBit = 0x8000_0000;
/** Most records that are kept: what came later is read back one stream after the other. */
const mostRecords = 65_536;

/**
 * Notes the order in which output came. A record is written, at once, when the other stream goes on: so whatever stands
 * in the streams' files behind the records is of a single stream. Noting is a convenience for who reads the output
 * later; that it fails hinders nothing.
 */
export class OutputOrder {
  readonly #path: string;
  /** Opened for the first record: the output of most attempts never changes its stream. */
  #file: number | null = null;
  #isOver = false;
  #records = 0;
  #stream: OrderRecord['stream'] = 'stdout';
  #bytes = 0;

  constructor(folder: string) {
    this.#path = join(folder, outputOrderFile);
  }

  add(stream: OrderRecord['stream'], bytes: number): void {
    if (stream !== this.#stream) this.#write();
    this.#stream = stream;
    this.#bytes += bytes;
  }

  close(): void {
    if (this.#file !== null) this.#write();
    this.#end();
  }

  #write(): void {
    if (this.#isOver || this.#bytes === 0) return;
    const record = Buffer.alloc(recordBytes);
    record.writeUInt32BE(this.#bytes + (this.#stream === 'stderr' ? stderrBit : 0));
    this.#bytes = 0;
    try {
      this.#file ??= openSync(this.#path, 'w', 0o600);
      writeSync(this.#file, record);
      this.#records += 1;
      if (this.#records === mostRecords) this.#end();
    } catch {
      this.#end();
    }
  }

  #end(): void {
    this.#isOver = true;
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** The records in bytes of that file that begin at one; a last one that is not whole is left out. */
export function parseOutputOrder(bytes: Buffer): OrderRecord[] {
  const records: OrderRecord[] = [];
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    const word = bytes.readUInt32BE(at);
    const isStderr = word >= stderrBit;
    records.push({ stream: isStderr ? 'stderr' : 'stdout', bytes: isStderr ? word - stderrBit : word });
  }
  return records;
}
