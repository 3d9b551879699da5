import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LabCommand } from '../support/lab-command.ts';

const folder = fileURLToPath(new URL('../fixtures/relays/widget-checkout', import.meta.url));
const input = '{"product":"lamp","quantity":2}';
const phases = ['before-intent', 'after-intent', 'during', 'before-checkpoint', 'after-checkpoint'] as const;
const operations = ['reserve-stock', 'book-order', 'mark-order', 'dispatch-part', 'dispatch-part#2'] as const;

interface Final {
  run: { id: string; state: string; result: unknown; revision: number };
  attempts: { cause: { kind: string } | null; crashPlan: { state: string }[] }[];
  operations: { id: string; name: string; bodies: number; state: string }[];
}

describe("a relay after DBOS's public documentation, crashed at each phase", () => {
  const lab = new LabCommand();
  let golden: Final;

  beforeAll(async () => {
    const end = await lab.run(['run', 'start', folder, '--input', input]);
    golden = end.lines.at(-1) as unknown as Final;
    expect(golden.run.state).toBe('succeeded');
  });
  afterAll(() => {
    lab[Symbol.dispose]();
  });

  const points = [
    'run@at-start',
    ...operations.flatMap((operation) => phases.map((phase) => `${operation}@${phase}`)),
    ...['DBOS.setEvent', 'DBOS.recv', 'payment'].flatMap((name) =>
      (['before-intent', 'after-intent', 'before-checkpoint', 'after-checkpoint'] as const).map(
        (phase) => `${name}@${phase}`,
      ),
    ),
    'run@before-result',
  ];

  it.each(points)('ends with the same result after %s', async (point) => {
    const started = await lab.run(['run', 'start', folder, '--input', input, '--crash', point]);
    const crashed = started.lines.at(-1) as unknown as Final;
    expect(crashed.run.state).toBe('interrupted');
    expect(crashed.attempts[0]?.crashPlan[0]?.state).toBe('fired');
    const before = new Map(crashed.operations.map((operation) => [operation.id, operation]));
    const recovered = await lab.run(['run', 'recover', crashed.run.id]);
    const final = recovered.lines.at(-1) as unknown as Final;
    expect(final.run).toMatchObject({ id: crashed.run.id, state: 'succeeded', result: golden.run.result });
    expect(final.attempts).toHaveLength(2);
    for (const operation of final.operations) {
      const earlier = before.get(operation.id);
      if (earlier?.state === 'checkpointed') expect(operation.bodies).toBe(earlier.bodies);
    }
  });
});
