import { stages } from './stages.ts';
import { runPageTests } from './page-stage.ts';
import { runTests } from './test-stage.ts';
import { add, none, type Tally, verdictLine } from './tally.ts';
import { runStage } from './run-stage.ts';

/** `npm test`: every check, then the tests; ends with one line that counts both. */
let total: Tally = none;
for (const stage of stages) total = add(total, runStage(stage));
total = add(total, runTests());
total = add(total, runPageTests());

console.log(verdictLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
