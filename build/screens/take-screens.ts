import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';

/** `npm run screens`: takes the pictures of README anew, from the page as it is. */
const pictures = ['interrupted-light-1440', 'timeline-light-1440', 'two-ledgers-dark-1440'];

const words = ['test', '-c', 'tests/page/playwright.config.ts', '--project', 'loopback', 'screens'];
const { status } = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', ...words], {
  stdio: 'inherit',
});
if (status !== 0) throw new Error('the pictures could not be taken: see above');
for (const name of pictures) copyFileSync(`test-results/screens/${name}.png`, `docs/screens/${name}.png`);
