import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits, type Json, type LedgerWrite, type OperationId } from '../core/index.ts';
import type { Ledger } from './ports.ts';

interface LogLine {
  readonly at: number;
  readonly attempt: number;
  readonly operation: OperationId | null;
  readonly level: string;
  readonly message: string;
  readonly fields: Json;
}

/** The files of one run that the runtime itself writes (DESIGN.md section 9). Folders 0700, files 0600. */
export class RunFiles {
  readonly folder: string;
  /** What the relay may write: apart from the evidence about it, so that it cannot change that. */
  readonly work: string;
  readonly #run: string;

  constructor(runsFolder: string, run: string) {
    this.#run = run;
    this.folder = join(runsFolder, run);
    this.work = join(this.folder, 'work');
    mkdirSync(this.work, { recursive: true, mode: 0o700 });
  }

  appendLog(line: LogLine): void {
    appendFileSync(join(this.folder, 'dbos_events.jsonl'), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  /** Writes result and trace from the ledger, and keeps them as artifacts. For a run at rest. */
  async writeOutcome(ledger: Ledger, at: number): Promise<void> {
    const run = ledger.run(this.#run);
    if (run === null) return;
    const writes: LedgerWrite[] = [];
    if (run.state === 'succeeded') writes.push(this.#write('relay_result.json', JSON.stringify(run.result), at));
    writes.push(this.#write('relay_trace.json', this.#trace(ledger), at));
    await ledger.commit(writes);
  }

  #trace(ledger: Ledger): string {
    const head = {
      run: this.#run,
      attempts: ledger.attempts(this.#run),
      receipts: ledger.receipts(this.#run, null),
    };
    const operations: string[] = [];
    let size = Buffer.byteLength(JSON.stringify(head));
    let after: OperationId | null = null;
    let cut = size > limits.traceBytes;
    while (!cut) {
      const page = ledger.operations(this.#run, { after, limit: 500 });
      for (const operation of page) {
        const text = JSON.stringify(operation);
        size += Buffer.byteLength(text) + 1;
        if (size > limits.traceBytes - 200) {
          cut = true;
          break;
        }
        operations.push(text);
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    const kept = cut && operations.length === 0 ? { ...head, receipts: [] } : head;
    const mark = cut ? `cut at ${limits.traceBytes} bytes: the ledger holds the rest` : null;
    return `${JSON.stringify({ ...kept, cut: mark }).slice(0, -1)},"operations":[${operations.join(',')}]}`;
  }

  #write(name: string, content: string, at: number): LedgerWrite {
    const file = join(this.folder, name);
    writeFileSync(`${file}.tmp`, content, { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
    return {
      tag: 'artifact/add',
      at,
      run: this.#run,
      path: name,
      mediaType: 'application/json',
      bytes: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  }
}
