import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder that is removed with all it holds at the end of the scope. */
export class TemporaryFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'lab-folder-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
