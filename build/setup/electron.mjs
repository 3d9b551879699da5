import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { runCommand } from './command.mjs';
import { electronRefused, markElectronRefused } from './freshness.mjs';
import { holdLock } from './lock.mjs';

const lookMs = 500;

const packageFolder = (root) => join(root, 'node_modules', 'electron');

/** Path of Electron's program, where the package `electron` looks for it too; null when it has not been fetched. */
export function findElectron(root) {
  const folder = packageFolder(root);
  const named = join(folder, 'path.txt');
  const name = existsSync(named) ? readFileSync(named, 'utf8') : 'electron';
  const program = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name);
  return existsSync(program) ? program : null;
}

/** Why no window can be opened on this machine, in words that a sentence can go on from; null when one can. */
export function whyNoWindow({ platform, env, isRoot }) {
  if (env.RECOVERY_LAB_NO_ELECTRON === '1') return 'RECOVERY_LAB_NO_ELECTRON is set';
  if (platform !== 'linux') return null;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'There is no display here';
  return isRoot ? 'Electron does not run as root' : null;
}

/**
 * Fetches Electron's program by the package's own installer, once: after a failure it is not tried again until the lock
 * file changes. Gives up when the installer does, or when nothing has come for `patienceMs`. Gives the program, or null.
 */
export async function fetchElectron(root, { say, patienceMs = 20_000 }) {
  const lock = await holdLock(join(root, '.setup-lock'), (pid) => say(`waiting for another setup (process ${pid})`));
  try {
    const found = findElectron(root);
    if (found !== null || electronRefused(root)) return found;
    say('fetching Electron for the desktop window, about 120 MB; only this once');
    if (!(await runInstaller(root, { patienceMs, onStart: lock.share }))) markElectronRefused(root);
    return findElectron(root);
  } finally {
    lock.release();
  }
}

async function runInstaller(root, { patienceMs, onStart }) {
  const folder = packageFolder(root);
  // Of its own, so that what has arrived can be seen.
  const temporary = mkdtempSync(join(root, 'node_modules', '.electron-fetch-'));
  let timer;
  try {
    const { code } = await runCommand(process.execPath, [join(folder, 'install.js')], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary, NODE_USE_ENV_PROXY: '1', ELECTRON_GET_NO_PROGRESS: '1' },
      onStart(pid) {
        onStart(pid);
        timer = watchProgress([temporary, join(folder, 'dist')], patienceMs, () => process.kill(pid, 'SIGKILL'));
      },
    });
    return code === 0;
  } finally {
    clearInterval(timer);
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Calls back once the folders have not grown for so long. */
function watchProgress(folders, patienceMs, onStall) {
  let most = 0;
  let grewAt = performance.now();
  return setInterval(() => {
    const bytes = folders.reduce((sum, folder) => sum + bytesBelow(folder), 0);
    if (bytes > most) {
      most = bytes;
      grewAt = performance.now();
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[Ksetup: ${(bytes / 1e6).toFixed(0)} MB`);
    } else if (performance.now() - grewAt > patienceMs) onStall();
  }, lookMs);
}

function bytesBelow(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  } catch {
    // Not there yet, or a file went meanwhile: the next look tells.
    return 0;
  }
}

/** Exit code of a program whose libraries are missing, by the dynamic linker's convention. */
const cannotStart = 127;

/** Runs the window until it is closed. Gives its exit code, or null when it cannot be started on this machine. */
export async function runElectron(program, words) {
  const child = spawn(program, words, { stdio: 'inherit' });
  const pass = (signal) => child.kill(signal);
  // A terminal sends this one to both; the window decides what it means.
  const leave = () => {};
  process.on('SIGINT', leave).on('SIGTERM', pass).on('SIGHUP', pass);
  try {
    const code = await new Promise((resolve) => {
      child.once('error', () => resolve(cannotStart)).once('exit', (exit) => resolve(exit ?? 1));
    });
    return code === cannotStart ? null : code;
  } finally {
    process.off('SIGINT', leave).off('SIGTERM', pass).off('SIGHUP', pass);
  }
}
