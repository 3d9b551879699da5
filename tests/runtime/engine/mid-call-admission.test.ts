import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receipt } from '../../../runtime/contract/index.ts';
import type { Release } from '../../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/** The agent's tool says that it is at work, and waits until the test lets it go on. */
const relay = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { admit, agent, tool } from 'agentworks';
import { appendFileSync, existsSync } from 'node:fs';
const note = (line) => appendFileSync('notes.txt', line + '\\n');
const hold = async () => { while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 5)); };
const work = tool({ name: 'work', run: async ({ part }) => { note('work ' + part); if (part === 1) await hold(); return part; } });
export const run = DBOS.registerWorkflow(async (input) => {
  try {
    if (input.step === true) {
      return await DBOS.runStep(async () => {
        await admit();
        note('service asked once');
        await hold();
        await admit();
        note('service asked twice');
      }, { name: 'ask the service' });
    }
    return await agent({ name: input.agent ?? 'worker', systemPrompt: '', userMessage: 'work', tools: [work] });
  } catch (error) {
    return { name: error.name, code: error.code, message: error.message };
  }
}, { name: 'main' });
`;
const call = (...parts: number[]) => ({
  toolCalls: parts.map((part) => ({ name: 'work', arguments: { part } })),
});

describe('admission within a platform call', () => {
  let lab: EngineLab;
  let release: Release;
  const folder = new RelayFolder(relay, { name: 'long-work' });
  folder.write('fixtures/worker.json', JSON.stringify({ turns: [call(1), { text: 'done' }] }));
  folder.write('fixtures/pair.json', JSON.stringify({ turns: [call(1, 2), { text: 'done' }] }));

  beforeAll(async () => {
    lab = await openEngineLab();
    release = await lab.publish(folder.path);
  });
  afterAll(async () => {
    await lab.close();
    folder[Symbol.dispose]();
  });

  const file = (run: string, name: string) => join(lab.folder, 'runs', run, 'work', name);
  const notes = (run: string): string[] =>
    existsSync(file(run, 'notes.txt')) ? readFileSync(file(run, 'notes.txt'), 'utf8').trim().split('\n') : [];
  const admissions = (run: string): Receipt[] =>
    lab.ledger.receipts(run, null).filter(({ kind, operation }) => kind === 'admission' && operation !== null);

  /** Starts a run, does something while its code is held, lets it go on, and gives what came of it. */
  async function meanwhile(input: object, what: () => Promise<void> | void) {
    const { id } = await lab.start(release, input);
    while (notes(id).length === 0) await pause(5);
    await what();
    appendFileSync(file(id, 'go'), '');
    await lab.engine.settled(id);
    return lab.run(id);
  }

  const revoked = { name: 'AdmissionDeniedError', code: 'admission-denied' };

  it('is asked anew for each further turn of the model and each tool, and each grant is a receipt', async () => {
    const { id, result } = await meanwhile({}, () => undefined);
    expect(result).toBe('done');
    expect(admissions(id).map(({ name, ok, data }) => [name, ok, (data as { reason: string }).reason])).toEqual([
      ['worker', true, 'granted'],
      ['the tool work of agent worker', true, 'granted'],
      ['a further turn of agent worker', true, 'granted'],
    ]);
  });

  it('refuses the next turn of an agent whose permission was revoked while its tool was at work', async () => {
    const { id, result } = await meanwhile({}, () => lab.grant('relay:long-work', false));
    await lab.grant('relay:long-work', true);
    expect(result).toMatchObject(revoked);
    expect(admissions(id).at(-1)).toMatchObject({
      name: 'a further turn of agent worker',
      ok: false,
      data: { reason: expect.stringContaining('relay:long-work') as string },
    });
    expect(lab.ledger.receipts(id, null).find(({ kind }) => kind === 'agent')).toMatchObject({ ok: false });
  });

  it('refuses the next tool of the same turn', async () => {
    const { id, result } = await meanwhile({ agent: 'pair' }, () => lab.grant('relay:long-work', false));
    await lab.grant('relay:long-work', true);
    expect(result).toMatchObject(revoked);
    expect(notes(id)).toEqual(['work 1']);
    expect(admissions(id).at(-1)).toMatchObject({ name: 'the tool work of agent pair', ok: false });
  });

  it('reads every byte of the release each time: a file changed meanwhile ends the call', async () => {
    const own = new RelayFolder(relay, { name: 'long-work' });
    own.write('fixtures/worker.json', JSON.stringify({ turns: [call(1), { text: 'done' }] }));
    own.write('other.txt', 'as published');
    const other = await lab.publish(own.path);
    own[Symbol.dispose]();
    const { id } = await lab.start(other, {});
    while (notes(id).length === 0) await pause(5);
    const changed = readdirSync(other.folder, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith('relay.ts'),
    );
    appendFileSync(join(other.folder, changed ?? ''), '\n');
    appendFileSync(file(id, 'go'), '');
    await lab.engine.settled(id);
    expect(lab.run(id).result).toMatchObject({ name: 'AdmissionDeniedError', code: 'binding-changed' });
    expect(admissions(id).at(-1)).toMatchObject({
      ok: false,
      data: { reason: expect.stringContaining('relay.ts (changed)') as string },
    });
  });

  it("admit() before an author's own service operation is refused once permission is revoked", async () => {
    const { id, result } = await meanwhile({ step: true }, () => lab.grant('relay:long-work', false));
    await lab.grant('relay:long-work', true);
    expect(result).toMatchObject(revoked);
    expect(notes(id)).toEqual(['service asked once']);
    expect(admissions(id).map(({ name, ok }) => [name, ok])).toEqual([
      ['admit', true],
      ['admit', false],
    ]);
  });
});
