// Run by itself, before tests that open the page: finds Chromium, or installs it where that needs nobody's password.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macPrograms = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'];

/**
 * Path of a Chromium or Chrome that runs, or null. `RECOVERY_LAB_CHROMIUM` names one; it is then the only one looked at.
 */
export function findChromium(env = process.env) {
  const named = env.RECOVERY_LAB_CHROMIUM;
  const places = named ? [named] : process.platform === 'darwin' ? onMac() : onPath(env.PATH ?? '');
  return places.find((place) => existsSync(place) && runs(place)) ?? null;
}

const onMac = () =>
  ['/Applications', join(homedir(), 'Applications')].flatMap((folder) => macPrograms.map((name) => join(folder, name)));
const onPath = (path) =>
  path
    .split(':')
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)));

/** Some systems have a program of that name that only says how to install the real one. */
function runs(program) {
  return spawnSync(program, ['--version'], { timeout: 30_000, stdio: 'ignore' }).status === 0;
}

/** Gives the sentence that is left to say when there is no Chromium in the end; null when there is one. */
function ensureChromium() {
  if (findChromium() !== null) return null;
  const { RECOVERY_LAB_CHROMIUM: named } = process.env;
  if (named) return `RECOVERY_LAB_CHROMIUM is ${named}, which does not run: name a Chromium or Chrome, or unset it.`;
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return howToInstall();
  process.stderr.write('setup: installing Chromium for the tests of the page (apt-get install chromium)\n');
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stdout, stderr } = spawnSync('apt-get', words, { env, encoding: 'utf8' });
    if (status !== 0) return `apt-get ${words.join(' ')} failed. ${howToInstall()}\n${stdout}${stderr}`.trimEnd();
  }
  return findChromium() === null ? howToInstall() : null;
}

function howToInstall() {
  const how = process.platform === 'darwin' ? 'Google Chrome or Chromium' : 'the package "chromium" (or Google Chrome)';
  return `The tests of the page need a browser: install ${how}, or name one in RECOVERY_LAB_CHROMIUM; then run this again.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const left = ensureChromium();
  if (left !== null) {
    process.stderr.write(`setup: ${left}\n`);
    process.exitCode = 1;
  }
}
