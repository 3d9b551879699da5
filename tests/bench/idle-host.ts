import { openBenchLab } from './bench-lab.ts';

/** A host that has run one relay and now has nothing to do, until its standard input ends. */
const lab = await openBenchLab(null);
await lab.engine.settled(await lab.startSteps(10));
setTimeout(() => console.log('idle'), 1000);
process.stdin.on('end', () => void lab.close()).resume();
