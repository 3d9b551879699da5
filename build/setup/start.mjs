// `npm start`: the desktop window where Electron can be had and a display is there, else the page in the browser.
// What follows on the command line goes to either. Runs after prepare.mjs, on the project's own Node.
import { fileURLToPath } from 'node:url';
import { fetchElectron, findElectron, runElectron, whyNoWindow } from './electron.mjs';
import { SetupError } from './setup-error.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const say = (line) => process.stderr.write(`setup: ${line}\n`);

/** The window, until it is closed. Gives why there is none, or null after it was there. */
async function openWindow(words) {
  const reason = whyNoWindow({ platform: process.platform, env: process.env, isRoot: process.getuid?.() === 0 });
  if (reason !== null) return reason;
  const program = findElectron(root) ?? (await fetchElectron(root, { say }));
  if (program === null) return 'Electron could not be fetched (npx install-electron tries again)';
  const code = await runElectron(program, [root, ...words]);
  if (code === null) return 'Electron does not start here (a system library may be missing)';
  process.exitCode = code;
  return null;
}

async function servePage() {
  // Ctrl-C is how the page is ended: nothing for npm to complain about.
  process.on('exit', (code) => {
    if (code === 130) process.exitCode = 0;
  });
  process.argv.splice(2, 0, 'page');
  await import(new URL('../../out/main/recovery-lab.js', import.meta.url).href);
}

try {
  const reason = await openWindow(process.argv.slice(2));
  if (reason !== null) {
    say(`${reason}: serving the page instead.`);
    await servePage();
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
