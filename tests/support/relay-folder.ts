import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A relay folder made for one test: a manifest with what is given over the usual, and an entry. */
export class RelayFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'relay-'));

  constructor(entry: string, manifest: Record<string, unknown> = {}) {
    const usual = {
      kind: 'relay',
      relay_runtime: 'node',
      relay_durability: 'dbos',
      name: 'made-for-a-test',
      entry: 'relay.ts',
    };
    this.write('relay.json', JSON.stringify({ ...usual, ...manifest }));
    this.write('relay.ts', entry);
  }

  write(name: string, content: string): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
