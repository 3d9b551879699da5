import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphHandlers } from '../../../main/graph-handlers.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';
import { RelayFolder } from '../../support/relay-folder.ts';

/** Three steps are begun together and end the last one first; the one in the middle fails, which the relay bears. */
const relay = `
import { DBOS } from '@dbos-inc/dbos-sdk';
const step = (name, ms = 0) => DBOS.runStep(async () => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (name === 'fails') throw new Error('no');
  return name;
}, { name });
export const run = DBOS.registerWorkflow(async () => {
  await step('first');
  await Promise.allSettled([step('slow', 80), step('fails', 50), step('quick', 20)]);
  await step('last');
}, { name: 'main' });
`;

describe('the graph of a real run', () => {
  const folder = new RelayFolder(relay);
  let lab: EngineLab;

  beforeAll(async () => {
    lab = await openEngineLab();
  });
  afterAll(async () => {
    await lab.close();
    folder[Symbol.dispose]();
  });

  it('shows where each process was killed, what was reused and what ran again', async () => {
    const release = await lab.publish(folder.path);
    const { id } = await lab.finish(release, null, { crash: ['slow@before-checkpoint'] });
    await lab.recover(id, ['last@before-intent']);
    expect(await lab.recover(id)).toMatchObject({ state: 'succeeded', attempts: 3 });
    const graph = await graphHandlers(lab.ledger)['run/graph']({ run: id });
    expect(graph.nodes.map(({ name, state, begun, reused, killed }) => [name, state, begun, reused, killed])).toEqual([
      ['first', 'reused', [1], [2, 3], []],
      ['slow', 'reused', [1, 2], [3], [1]],
      ['fails', 'failed', [1], [2, 3], []],
      ['quick', 'reused', [1], [2, 3], []],
      // Nothing of it was recorded when it was hit: only the point knows.
      ['last', 'done', [3], [], [2]],
    ]);
    expect(graph.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      ...['0 next 1', '0 next 2', '1 beside 2', '0 next 3', '2 beside 3'],
      ...['1 next 4', '2 next 4', '3 next 4'],
    ]);
    await expect(graphHandlers(lab.ledger)['run/graph']({ run: 'nobody' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});
