import { parseArgs } from 'node:util';
import { killTargets, sampleCases } from '../../runtime/crash/index.ts';
import { openMatrixLab, type CaseResult } from './matrix-lab.ts';
import { matrixRelays } from './matrix-relays.ts';

/**
 * `npm run matrix [-- --target relay|host|both] [--relay NAME] [--case NAME] [--sample N --seed N]`: kills the relays of the matrix at every point
 * that they allow, recovers each run and checks the invariants. Ends with 1 when one is broken, or when a kill missed.
 */
const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    relay: { type: 'string' },
    case: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const targets = killTargets.filter((target) => values.target === undefined || values.target === target);
const relays = matrixRelays.filter(({ name }) => values.relay === undefined || values.relay === name);
if (relays.length === 0 || targets.length === 0) {
  console.error(
    `--relay is one of ${matrixRelays.map(({ name }) => name).join(', ')}; --target of ${killTargets.join(', ')}`,
  );
  process.exit(2);
}

const results: CaseResult[] = [];
await using lab = await openMatrixLab();
for (const [target, relay] of targets.flatMap((target) => relays.map((relay) => [target, relay] as const))) {
  const { golden, cases } = await lab.plan(relay, target);
  const chosen = cases.filter(({ name }) => values.case === undefined || values.case === name);
  const taken = values.sample === undefined ? chosen : sampleCases(chosen, Number(values.sample), Number(values.seed));
  console.log(`${target}, ${relay.name}: ${taken.length} of ${cases.length} cases, seed ${values.seed}`);
  for (const [place, one] of taken.entries()) {
    const result = await lab.play(relay, golden, one);
    results.push(result);
    if (process.stdout.isTTY) process.stdout.write(`\r${place + 1} of ${taken.length}  ${one.name}\x1b[K`);
    if (result.missed.length + result.broken.length > 0) tell(result);
  }
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}

const voids = results.filter(({ missed }) => missed.length > 0).length;
const broken = results.filter((one) => one.broken.length > 0).length;
const kills = results.reduce((sum, one) => sum + one.kills - one.missed.length, 0);
console.log(`${results.length} cases, ${kills} kills, ${broken} with a broken invariant, ${voids} void`);
process.exitCode = voids + broken > 0 || results.length === 0 ? 1 : 0;

function tell({ relay, name, missed, broken: what }: CaseResult): void {
  console.log(`\n✗ ${relay}, ${name}`);
  for (const point of missed) console.log(`    void: ${point} did not fire`);
  for (const one of what) console.log(`    ${one.invariant}: ${one.what}`);
  console.log(`    again: npm run matrix -- --relay ${relay} --case '${name}'`);
}
