import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { eventOf } from '../../support/event-wait.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/** What the relays give back of a secret: enough to know it by, and not the secret. */
const digest = (value: string): string => createHash('sha256').update(value).digest('hex').slice(0, 12);
const digestSource = `
import { createHash } from 'node:crypto';
const digest = (value) => createHash('sha256').update(value).digest('hex').slice(0, 12);
`;

/** Reads the secret in the workflow, in a step and in a tool of an agent. */
const everywhere = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { agent, tool, vault } from 'agentworks';
${digestSource}
export const run = DBOS.registerWorkflow(async () => {
  const inWorkflow = digest(await vault('TOKEN'));
  const inStep = await DBOS.runStep(async () => digest(await vault('TOKEN')), { name: 'use' });
  let inTool = null;
  const look = tool({ name: 'look', run: async () => { inTool = digest(await vault('TOKEN')); return 'seen'; } });
  await agent({ name: 'asker', systemPrompt: 's', userMessage: 'u', tools: [look], model: 'fixture' });
  const inEnvironment = Object.values(process.env).map(digest).includes(inWorkflow);
  return { inWorkflow, inStep, inTool, inEnvironment };
}, { name: 'everywhere' });
`;
const askerScript = JSON.stringify({ turns: [{ toolCalls: [{ name: 'look', arguments: {} }] }, { text: 'done' }] });

/** Reads the secret before and after it waits for the file \`go\`, and gives what came of each. */
const twice = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { existsSync } from 'node:fs';
import { vault } from 'agentworks';
${digestSource}
const read = (name) => vault(name).then(digest, ({ name, code, message }) => ({ name, code, message }));
export const run = DBOS.registerWorkflow(async (input) => {
  const first = await read(input.name);
  await DBOS.runStep(async () => {
    while (input.waits && !existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 5));
  }, { name: 'wait' });
  return { first, then: await read(input.name) };
}, { name: 'twice' });
`;

const legacy = `
${digestSource}
export async function run(input, ctx) {
  return { direct: digest(await ctx.vault('TOKEN')), inStep: await ctx.step('use', async () => digest(await ctx.vault('TOKEN'))) };
}
`;

describe('vault(NAME) in a relay', () => {
  let lab: EngineLab;
  const folders: RelayFolder[] = [];
  const publish = (entry: string, name: string): Promise<Release> => {
    const folder = new RelayFolder(entry, { name, secrets: ['TOKEN', 'UNSET'] });
    folder.write('fixtures/asker.json', askerScript);
    folders.push(folder);
    return lab.publish(folder.path);
  };
  const receiptsOf = (run: string): string[] =>
    lab.ledger
      .receipts(run, null)
      .filter(({ kind, name }) => kind === 'vault' || name.startsWith('vault '))
      .map(({ kind, name, ok, operation }) => `${operation ?? '-'} ${kind} ${name} ${ok ? 'ok' : 'refused'}`);
  const resultOf = (run: string): unknown => lab.run(run).result;

  beforeAll(async () => {
    lab = await openEngineLab();
  });
  afterAll(async () => {
    await lab.close();
    for (const folder of folders) folder[Symbol.dispose]();
  });

  it('gives the value in a workflow, a step and a tool, never in the environment, and leaves receipts without it', async () => {
    const canary = 'canary-of-everywhere';
    await lab.vault.set('TOKEN', canary);
    const { id, state } = await lab.finish(await publish(everywhere, 'everywhere'), {});
    expect(state).toBe('succeeded');
    const seen = digest(canary);
    expect(resultOf(id)).toEqual({ inWorkflow: seen, inStep: seen, inTool: seen, inEnvironment: false });
    expect(receiptsOf(id)).toEqual([
      ...['- admission vault TOKEN ok', '- vault TOKEN ok'],
      ...['0 admission vault TOKEN ok', '0 vault TOKEN ok'],
      ...['1 admission vault TOKEN ok', '1 vault TOKEN ok'],
    ]);
    const files = readdirSync(lab.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const holding = files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(canary));
    expect(files.some(({ name }) => name === 'ledger.sqlite-wal')).toBe(true);
    expect(holding).toEqual([join(lab.folder, 'vault.json')]);
  });

  it('gives the value that stands in the vault now to each attempt', async () => {
    await lab.vault.set('TOKEN', 'the first value');
    const release = await publish(everywhere, 'rotated');
    const { id, state } = await lab.finish(release, {}, { crash: ['use@before-checkpoint'] });
    expect(state).toBe('interrupted');
    await lab.vault.set('TOKEN', 'the second value');
    expect((await lab.recover(id)).state).toBe('succeeded');
    const seen = digest('the second value');
    expect(resultOf(id)).toMatchObject({ inWorkflow: seen, inStep: seen, inTool: seen });
  });

  it('sees a change while it runs, and a revocation with its receipt', async () => {
    await lab.vault.set('TOKEN', 'before it waited');
    const release = await publish(twice, 'revoked');
    const waits = async (run: string, change: () => Promise<void>): Promise<unknown> => {
      const waiting = eventOf(lab.ledger, run, ({ type }) => type === 'operation.intended');
      await lab.start(release, { name: 'TOKEN', waits: true }, { id: run });
      await waiting;
      await change();
      writeFileSync(join(lab.folder, 'runs', run, 'work/go'), '');
      await lab.engine.settled(run);
      return resultOf(run);
    };
    expect(await waits('changes', () => lab.vault.set('TOKEN', 'after it waited'))).toEqual({
      first: digest('before it waited'),
      then: digest('after it waited'),
    });
    expect(await waits('revokes', () => lab.grant('secret:revoked/TOKEN', false))).toEqual({
      first: digest('after it waited'),
      then: {
        name: 'AdmissionDeniedError',
        code: 'admission-denied',
        message: 'the permission of local on secret:revoked/TOKEN is revoked',
      },
    });
    expect(receiptsOf('revokes')).toEqual([
      '- admission vault TOKEN ok',
      '- vault TOKEN ok',
      '- admission vault TOKEN refused',
    ]);
    const denial = lab.ledger.receipts('revokes', null).findLast(({ kind }) => kind === 'admission');
    expect(denial?.data).toMatchObject({
      connections: ['secret:revoked/TOKEN'],
      reason: 'the permission of local on secret:revoked/TOKEN is revoked',
    });
  });

  it.each([
    [
      'that the manifest does not list',
      'OTHER',
      'vault("OTHER"): the relay\'s manifest names TOKEN, UNSET; add "OTHER" to "secrets" in relay.json',
      [],
    ],
    [
      'that the vault does not have',
      'UNSET',
      'vault("UNSET"): the vault has no secret UNSET. Set it: recovery-lab vault set UNSET',
      ['- admission vault UNSET ok', '- vault UNSET refused'],
    ],
  ])('refuses a name %s', async (_which, name, message, receipts) => {
    await lab.vault.set('OTHER', 'in the vault, but not in the manifest');
    const { id } = await lab.finish(await publish(twice, 'refused'), { name, waits: false });
    const refusal = { name: 'LabError', code: 'not-found', message };
    expect(resultOf(id)).toEqual({ first: refusal, then: refusal });
    expect(receiptsOf(id)).toEqual([...receipts, ...receipts]);
  });

  it('refuses a name that was never granted', async () => {
    const release = await publish(twice, 'renamed');
    await lab.grant('secret:renamed/UNSET', false);
    const { id } = await lab.finish(release, { name: 'UNSET', waits: false });
    expect(resultOf(id)).toMatchObject({ first: { code: 'admission-denied' } });
  });

  it('is there for legacy programs as ctx.vault', async () => {
    await lab.vault.set('TOKEN', 'for the legacy one');
    const { id } = await lab.finish(await publish(legacy, 'legacy-reader'), {});
    const seen = digest('for the legacy one');
    expect(resultOf(id)).toEqual({ direct: seen, inStep: seen });
  });
});
