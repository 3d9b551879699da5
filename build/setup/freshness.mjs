import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What the build reads: folders of sources, then single files. */
const sourceFolders = ['main', 'preload', 'renderer', 'runtime', 'scenarios', 'build/bundle'];
const sourceFiles = ['electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];

const installStamp = (root) => join(root, 'node_modules', '.recovery-lab-install.json');
// What the build writes: programs, page, preload script. The stamp stands in a folder that each build empties: a build
// by other means (`npm run build`) takes it away.
const builtFolder = (root) => join(root, 'out');
const buildStamp = (root) => join(builtFolder(root), 'main', '.build-stamp.json');
// Left after a fetch of Electron that failed, so that only the first start waits for it.
const electronStamp = (root) => join(root, 'node_modules', '.recovery-lab-no-electron.json');

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function filesBelow(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...filesBelow(path));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

function existing(root, names) {
  return names
    .map((name) => join(root, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
}

function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

export function dependenciesFresh(root) {
  return readJson(installStamp(root))?.lock === lockHash(root);
}

export function markInstalled(root) {
  writeFileSync(installStamp(root), JSON.stringify({ lock: lockHash(root) }));
}

/** Before an install begins, so that one that is broken off is never taken for a complete one. */
export function markStale(root) {
  rmSync(installStamp(root), { force: true });
}

/**
 * After `npm install` by hand the stamp is old though everything is there. npm keeps its own list of what it installed;
 * when that list agrees with the lock file, nothing needs to be installed again.
 */
export function adoptInstalled(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const found = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (found === undefined || existing(root, ['node_modules/node/bin']).length === 0) return false;
  const same = Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      (found[path] === undefined && entry.optional === true) ||
      (found[path]?.version === entry.version && found[path].integrity === entry.integrity),
  );
  if (!same || Object.keys(found).some((path) => wanted[path] === undefined)) return false;
  markInstalled(root);
  return true;
}

function hashSources(root) {
  const files = [...existing(root, sourceFolders).flatMap(filesBelow), ...existing(root, sourceFiles)].sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file).split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Sizes of what was built, so that an output folder that lost a file counts as stale. */
function sizesBelow(folder, stamp) {
  const sizes = {};
  for (const file of filesBelow(folder)) {
    if (file !== stamp) sizes[relative(folder, file).split(sep).join('/')] = statSync(file).size;
  }
  return sizes;
}

/** Whether `out/` was built from the sources as they are now, and the hash of those sources. */
export function outputFresh(root) {
  const sources = hashSources(root);
  const stamp = readJson(buildStamp(root));
  if (stamp?.sources !== sources) return { fresh: false, sources };
  const folder = builtFolder(root);
  const fresh = Object.entries(stamp.files).every(
    ([name, size]) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === size,
  );
  return { fresh, sources };
}

/** `sources` is the hash taken before the build began: a source edited meanwhile leaves the output stale. */
export function recordOutput(root, sources) {
  const stamp = buildStamp(root);
  writeFileSync(stamp, JSON.stringify({ sources, files: sizesBelow(builtFolder(root), stamp) }));
}

/** Whether fetching the Electron of this lock file has failed before. */
export function electronRefused(root) {
  return readJson(electronStamp(root))?.lock === lockHash(root);
}

export function markElectronRefused(root) {
  writeFileSync(electronStamp(root), JSON.stringify({ lock: lockHash(root) }));
}
