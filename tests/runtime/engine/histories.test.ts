import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe('histories over a crash', () => {
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
  const bodies = (run: string): string[] =>
    readFileSync(join(lab.folder, 'runs', run, 'work', 'bodies.txt'), 'utf8')
      .trim()
      .split('\n');
  const operations = (run: string) => lab.ledger.operations(run, { after: null, limit: 100 });

  it('number parallel steps in call order, whatever order they end in', async () => {
    const release = await relay(
      workflow(`
        const once = (name, ms) => DBOS.runStep(async () => { note(name); await sleep(ms); return name; }, { name });
        const all = await Promise.all([once('slow', input.slow), once('quick', input.quick), once('middle', 10)]);
        return [...all, await once('after', 0)];`),
    );
    for (const input of [
      { slow: 60, quick: 1 },
      { slow: 1, quick: 60 },
    ]) {
      const crashed = await lab.finish(release, input, { crash: ['after@after-intent'] });
      expect(operations(crashed.id).map((one) => [one.id, one.name])).toEqual([
        ['0', 'slow'],
        ['1', 'quick'],
        ['2', 'middle'],
        ['3', 'after'],
      ]);
      expect(await lab.recover(crashed.id)).toMatchObject({
        state: 'succeeded',
        result: ['slow', 'quick', 'middle', 'after'],
      });
      expect(bodies(crashed.id).sort()).toEqual(['after', 'middle', 'quick', 'slow']);
    }
  });

  it('return a recorded error again, with its name, code and fields, without running the body', async () => {
    const release = await relay(
      workflow(`
        let caught;
        try { await DBOS.runStep(async () => { note('fails'); throw Object.assign(new TypeError('no'), { code: 'E_NO', status: 409 }); }, { name: 'fails' }); }
        catch (error) { caught = { name: error.name, message: error.message, code: error.code, status: error.status }; }
        await DBOS.runStep(async () => note('after'), { name: 'after' });
        return caught;`),
    );
    const crashed = await lab.finish(release, null, { crash: ['after@after-intent'] });
    const ended = await lab.recover(crashed.id);
    expect(ended.result).toEqual({ name: 'TypeError', message: 'no', code: 'E_NO', status: 409 });
    expect(bodies(crashed.id)).toEqual(['fails', 'after']);
  });

  it('give the decoded value also on the first execution', async () => {
    const release = await relay(
      workflow(`
        const made = { when: new Date(0), set: new Set([1]), gone: undefined };
        const back = await DBOS.runStep(async () => made, { name: 'make' });
        return { same: back === made, date: back.when instanceof Date, set: back.set instanceof Set, has: 'gone' in back };`),
    );
    expect((await lab.finish(release, null)).result).toEqual({ same: false, date: true, set: true, has: true });
  });

  it('keep every try of a step that retries, and go on after a crash between two', async () => {
    const release = await relay(
      workflow(`
        return await DBOS.runStep(async () => {
          note('try');
          const tries = (await import('node:fs')).readFileSync('bodies.txt', 'utf8').trim().split('\\n').length;
          if (tries < 4) throw new Error('try ' + tries);
          return tries;
        }, { name: 'flaky', retriesAllowed: true, maxAttempts: 4, intervalSeconds: 0.05, backoffRate: 1 });`),
    );
    const crashed = await lab.finish(release, null, { crash: ['flaky@between-tries'] });
    expect(crashed.state).toBe('interrupted');
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded', result: 4 });
    const tries = lab.ledger
      .events(crashed.id, { after: 0, limit: 1000 })
      .filter((event) => event.type === 'operation.try');
    expect(tries.map((event) => (event.data as { error: { message: string } }).error.message)).toEqual([
      'try 1',
      'try 2',
      'try 3',
    ]);
  });

  const nested = workflow(`
    return await DBOS.runStep(async () => {
      note('step');
      const one = await agent({ name: 'one', systemPrompt: 's', userMessage: 'first' });
      const two = await agent({ name: input.other ?? 'two', systemPrompt: 's', userMessage: 'second' });
      note('agents');
      return [one, two];
    }, { name: 'with-agents' });`);

  it('answer nested platform calls from history when their step runs again', async () => {
    const release = await relay(nested);
    const crashed = await lab.finish(release, {}, { crash: ['with-agents@before-checkpoint'] });
    expect(crashed.state).toBe('interrupted');
    expect(operations(crashed.id).map(({ id, kind, name, state }) => [id, kind, name, state])).toEqual([
      ['0', 'step', 'with-agents', 'intended'],
      ['0.0', 'agent', 'one', 'checkpointed'],
      ['0.1', 'agent', 'two', 'checkpointed'],
    ]);
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded' });
    expect(bodies(crashed.id)).toEqual(['step', 'agents', 'step', 'agents']);
    expect(operations(crashed.id).map((one) => one.bodies)).toEqual([2, 1, 1]);
    expect(lab.ledger.receipts(crashed.id, null).filter((receipt) => receipt.kind === 'agent')).toHaveLength(2);
  });

  it('ask a person about a nested platform call that was under way', async () => {
    const release = await relay(nested);
    const crashed = await lab.finish(release, {}, { crash: ['two@before-checkpoint'] });
    expect(crashed).toMatchObject({ state: 'needs_reconciliation' });
    expect(crashed.reason).toContain('0.1');
    const { id, revision } = crashed;
    const operation = operations(id)[2]?.id;
    if (operation === undefined) throw new Error('no operation 0.1');
    await lab.engine.reconcile({
      run: id,
      revision,
      operation,
      decision: { kind: 'accept', value: 'told' },
      by: 'ada',
      crashPlan: [],
    });
    await lab.engine.settled(id);
    expect(lab.run(id)).toMatchObject({ state: 'succeeded', result: [expect.anything(), 'told'] });
  });

  it('find a nested call with another name to be a nondeterminism error that its own code cannot catch', async () => {
    const release = await relay(
      workflow(`
        return await DBOS.runStep(async () => {
          note('step');
          const again = (await import('node:fs')).readFileSync('bodies.txt', 'utf8').split('step').length > 2;
          try { return await agent({ name: again ? 'other' : 'one', systemPrompt: 's', userMessage: 'first' }); } catch { return 'caught'; }
        }, { name: 'with-agent' });`),
    );
    const crashed = await lab.finish(release, null, { crash: ['with-agent@before-checkpoint'] });
    const ended = await lab.recover(crashed.id);
    expect(ended.state).toBe('failed');
    expect(ended.error?.message).toMatch(/0\.0.*agent "one".*agent "other"/s);
  });

  it('call an agent with a tool whose function runs in the relay, and serialise platform calls', async () => {
    const release = await relay(
      workflow(`
        const look = tool({ name: 'look', description: 'looks', schema: { type: 'object' }, run: async (args) => ({ seen: args.what }) });
        const both = await Promise.all(['a', 'b'].map((name) => agent({ name, systemPrompt: 's', userMessage: 'm', tools: [look], outputSchema: { type: 'object' } })));
        return both;`),
      Object.fromEntries(
        ['a', 'b'].map((name) => [
          `fixtures/${name}.json`,
          JSON.stringify({
            turns: [{ toolCalls: [{ name: 'look', arguments: { what: name } }] }, { json: { saw: '{{look.seen}}' } }],
          }),
        ]),
      ),
    );
    const ended = await lab.finish(release, null);
    expect(ended).toMatchObject({ state: 'succeeded', result: [{ saw: 'a' }, { saw: 'b' }] });
    const order = lab.ledger
      .events(ended.id, { after: 0, limit: 1000 })
      .filter((event) => event.type.startsWith('operation.'));
    expect(order.map((event) => [event.type, event.operation])).toEqual([
      ['operation.intended', '0'],
      ['operation.checkpointed', '0'],
      ['operation.intended', '1'],
      ['operation.checkpointed', '1'],
    ]);
  });

  it('keep the end of a sleep that a crash cut, so that only the rest of it is slept', async () => {
    const release = await relay(workflow(`await DBOS.sleep(input.ms); return 'slept';`));
    const crashed = await lab.finish(release, { ms: 400 }, { crash: ['DBOS.sleep@during+50'] });
    const [cut] = operations(crashed.id);
    expect(cut).toMatchObject({ state: 'intended', bodies: 1, arguments: expect.stringContaining('until') as string });
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded', result: 'slept' });
    expect(operations(crashed.id)).toMatchObject([{ state: 'checkpointed', bodies: 2, arguments: cut?.arguments }]);
  });

  it('keep what maxRecoveryAttempts lowers the budget to', async () => {
    const release = await relay(
      workflow(
        `await DBOS.runStep(async () => { process.kill(process.pid, 'SIGKILL'); await sleep(1000); }, { name: 'dies' });`,
        '{ name: "main", maxRecoveryAttempts: 2 }',
      ),
    );
    const ended = await lab.finish(release, null, { recovery: 'immediate' });
    expect(ended).toMatchObject({ state: 'failed', attempts: 2, attemptBudget: 2, error: { code: 'budget-spent' } });
  });

  it('end a run at its deadline, counted from its first start over recoveries', async () => {
    let now = Date.now();
    await using late = await openEngineLab({ now: () => now });
    const folder = new RelayFolder(workflow(`await DBOS.runStep(async () => 1, { name: 'one' }); return 1;`));
    open.push(folder);
    const release = await late.publish(folder.path);
    const crashed = await late.finish(release, null, { crash: ['one@after-checkpoint'] });
    now += 60 * 60 * 1000;
    await expect(late.recover(crashed.id)).rejects.toMatchObject({ code: 'deadline-passed' });
    expect(late.run(crashed.id)).toMatchObject({ state: 'interrupted', deadlineAt: crashed.deadlineAt });
  });

  it('are refused when a file of the frozen release was touched, and go on when it is restored', async () => {
    const release = await relay(workflow(`await DBOS.runStep(async () => 1, { name: 'one' }); return 1;`));
    const crashed = await lab.finish(release, null, { crash: ['one@after-checkpoint'] });
    const file = release.bundle;
    const before = readFileSync(file);
    const { chmodSync } = await import('node:fs');
    chmodSync(file, 0o600);
    appendFileSync(file, '\n// touched');
    await expect(lab.recover(crashed.id)).rejects.toMatchObject({ code: 'binding-changed' });
    writeFileSync(file, before);
    expect(await lab.recover(crashed.id)).toMatchObject({ state: 'succeeded' });
  });

  it('end with a dead process when relay_durability is none', async () => {
    const folder = new RelayFolder(workflow(`await DBOS.runStep(async () => 1, { name: 'one' }); return 1;`), {
      relay_durability: 'none',
    });
    open.push(folder);
    const ended = await lab.finish(await lab.publish(folder.path), null, {
      crash: ['one@after-checkpoint'],
      recovery: 'immediate',
    });
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, error: { code: 'process-gone' } });
  });
});
