import { fileURLToPath } from 'node:url';
import { exampleInputs } from '../../scenarios/example-inputs.ts';
import type { Json } from '../../runtime/core/index.ts';
import type { MatrixRelay } from './matrix-lab.ts';

const own = (name: string): MatrixRelay => ({
  name,
  folder: fileURLToPath(new URL(`../../scenarios/relays/${name}`, import.meta.url)),
  input: exampleInputs[name] as Json,
  comparable: (result) => result,
});

/** The log counts the lines of all runs: the number is the world's, not the run's. */
const withoutLine = (result: Json): Json =>
  JSON.parse(JSON.stringify(result, (key, value: Json) => (key === 'line' ? 'a line' : value))) as Json;

/** The relays that the matrix kills everywhere: those of the scenarios that end by themselves, and two of the tests. */
export const matrixRelays: readonly MatrixRelay[] = [
  own('order-fulfilment'),
  own('replay-safe'),
  { ...own('audit-uncertain'), comparable: withoutLine },
  {
    name: 'widget-checkout',
    folder: fileURLToPath(new URL('../fixtures/relays/widget-checkout', import.meta.url)),
    input: { product: 'lamp', quantity: 2 },
    comparable: (result) => result,
  },
];
