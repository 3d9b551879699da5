import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
}

/**
 * Puts the compiler's program for one architecture where the packer finds it. npm installs only the machine's own, and
 * one machine packs for both kinds of Mac. Fetched by npm, as the lock file names it. Throws when that cannot be done.
 */
export function ensureCompilerProgram(root: string, platform: string, architecture: string): void {
  const name = `@esbuild/${platform}-${architecture}`;
  const folder = join('node_modules', name);
  if (existsSync(join(root, folder))) return;
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const locked = packages[folder];
  if (locked === undefined) throw new Error(`package-lock.json has no ${name}: the compiler does not run there`);
  // Beside its place, so that it comes there whole, by one renaming.
  const draft = mkdtempSync(join(root, 'node_modules', '.compiler-'));
  try {
    const pack = ['pack', `${name}@${locked.version}`, '--silent', '--pack-destination', draft];
    const archive = join(draft, execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim());
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (digest !== locked.integrity)
      throw new Error(`${name} is ${digest}; package-lock.json says ${locked.integrity}`);
    execFileSync('tar', ['-xzf', archive, '-C', draft]);
    mkdirSync(join(root, 'node_modules', '@esbuild'), { recursive: true });
    renameSync(join(draft, 'package'), join(root, folder));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
