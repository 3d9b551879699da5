import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { LabError } from '../../runtime/core/index.ts';

export interface PageFile {
  readonly body: Buffer;
  readonly type: string;
}

/**
 * The built page by the paths that it is asked for, `/` first of all. All of it is read at once: page and host stay of
 * one build whatever is built meanwhile, and no path of a request ever meets the file system. Throws `not-found` where
 * there is no built page.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const type = mediaTypes[extname(entry.name)];
      if (!entry.isFile() || type === undefined) continue;
      files.set(`/${relative(folder, file).split(sep).join('/')}`, { body: readFileSync(file), type });
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const index = files.get('/index.html');
  if (index === undefined) {
    throw new LabError('not-found', `the page is not built: ${join(folder, 'index.html')} is missing`, 'npm run build');
  }
  return files.set('/', index);
}

/** What a build may hold; anything else is not served. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
