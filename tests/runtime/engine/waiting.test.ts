import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

const imports = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { agent, tool } from 'agentworks';
import { appendFileSync } from 'node:fs';
const note = (line) => appendFileSync('bodies.txt', line + '\\n');
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
`;
const workflow = (body: string, config = '{ name: "main" }'): string =>
  `${imports}export const run = DBOS.registerWorkflow(async (input) => { ${body} }, ${config});\n`;

describe('a run that waits for a message', () => {
  let lab: EngineLab;
  const open: RelayFolder[] = [];

  beforeAll(async () => {
    lab = await openEngineLab();
  });
  afterAll(async () => {
    await lab.close();
    for (const folder of open) folder[Symbol.dispose]();
  });

  async function relay(entry: string, files: Record<string, string> = {}) {
    const folder = new RelayFolder(entry);
    open.push(folder);
    for (const [name, content] of Object.entries(files)) folder.write(name, content);
    return lab.publish(folder.path);
  }
  it('is waiting, goes on when it comes, and keeps it over a crash', async () => {
    const receiver = await relay(
      workflow(
        `const m = await DBOS.recv('news', 60); await DBOS.runStep(async () => note('got'), { name: 'got' }); return m;`,
      ),
    );
    const sender = await relay(
      workflow(`await DBOS.send(input.to, { text: 'hello', at: new Date(5) }, 'news'); return 'sent';`),
    );
    const run = await lab.start(receiver, null, { crash: ['got@after-intent'] });
    await until(() => lab.run(run.id).state === 'waiting');
    expect(lab.run(run.id).reason).toContain('news');
    expect((await lab.finish(sender, { to: run.id })).state).toBe('succeeded');
    await lab.engine.settled(run.id);
    expect(lab.run(run.id).state).toBe('interrupted');
    expect(await lab.recover(run.id)).toMatchObject({ state: 'succeeded', result: { text: 'hello' } });
  });

  it('recovers when it died while it waited', async () => {
    const receiver = await relay(workflow(`return await DBOS.recv('news', 60);`));
    const sender = await relay(workflow(`await DBOS.send(input.to, 'late', 'news'); return 'sent';`));
    const run = await lab.start(receiver, null);
    await until(() => lab.run(run.id).state === 'waiting');
    await lab.engine.kill(run.id, lab.run(run.id).revision);
    expect(lab.run(run.id).state).toBe('interrupted');
    await lab.finish(sender, { to: run.id });
    expect(await lab.recover(run.id)).toMatchObject({ state: 'succeeded', result: 'late' });
  });

  function until(fact: () => boolean): Promise<void> {
    if (fact()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = lab.ledger.onEvent(() => {
        if (!fact()) return;
        stop();
        resolve();
      });
    });
  }
});
