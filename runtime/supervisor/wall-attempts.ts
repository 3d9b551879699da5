/** What the probe's process needs to know. Paths are absolute. */
export interface WallTargets {
  /** An existing file that must not be readable. */
  readonly secretFile: string;
  /** A file, not there yet, that must not be made. */
  readonly outsideFile: string;
  readonly runDir: string;
  readonly hostPid: number;
  /** A port of 127.0.0.1 on which somebody listens. */
  readonly port: number;
}

export interface WallAttempt {
  readonly wall: string;
  /** Node refused it; `detail` is the refusal. Else `detail` is what came of it. */
  readonly refused: boolean;
  readonly detail: string;
}

/**
 * Tries to get through each wall and prints what came of it as JSON. Its source text is what the probe's process runs
 * (`toString`), so it stands alone: nothing from outside its body, and modules only by `process.getBuiltinModule`.
 */
export async function tryWalls(targets: WallTargets): Promise<void> {
  const fs = process.getBuiltinModule('node:fs');
  const found: WallAttempt[] = [];
  const refusals = ['ERR_ACCESS_DENIED', 'ERR_DLOPEN_DISABLED'];

  async function attempt(wall: string, act: () => unknown): Promise<void> {
    try {
      await act();
      found.push({ wall, refused: false, detail: 'it was allowed' });
    } catch (thrown) {
      const { code = '', message } = thrown as NodeJS.ErrnoException;
      found.push({ wall, refused: refusals.includes(code), detail: code === '' ? message : code });
    }
  }

  await attempt('read outside', () => fs.readFileSync(targets.secretFile));
  await attempt('write outside', () => fs.writeFileSync(targets.outsideFile, 'x'));
  await attempt('symbolic link to outside', () => fs.symlinkSync(targets.secretFile, `${targets.runDir}/link`));
  await attempt('SQLite file outside', () => {
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined;
    if (sqlite === undefined) throw Object.assign(new Error(), { code: 'ERR_ACCESS_DENIED' });
    new sqlite.DatabaseSync(targets.outsideFile).exec('create table t (a)');
  });
  await attempt('child process', () => {
    const { error } = process.getBuiltinModule('node:child_process').spawnSync(process.execPath, ['--version']);
    if (error !== undefined) throw error;
  });
  await attempt(
    'worker thread',
    () => new (process.getBuiltinModule('node:worker_threads').Worker)('', { eval: true }),
  );
  await attempt('native addon', () => {
    process.dlopen({ exports: {} }, `${targets.runDir}/none.node`);
  });
  await attempt('inspector', () => process.getBuiltinModule('node:inspector').open(0));
  await attempt("the host's environment", () => fs.readFileSync(`/proc/${targets.hostPid}/environ`));
  await attempt('network', async () => {
    const socket = process.getBuiltinModule('node:net').connect(targets.port, '127.0.0.1');
    await process.getBuiltinModule('node:events').once(socket, 'connect');
    socket.destroy();
  });
  await attempt('signal to the host', () => process.kill(targets.hostPid, 0));
  fs.writeSync(1, JSON.stringify({ found, environment: Object.keys(process.env) }));
}
