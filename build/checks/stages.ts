export interface Stage {
  readonly name: string;
  /** Commands run one after another by the Node that runs this; the stage fails with the first that fails. */
  readonly commands: readonly (readonly string[])[];
}

const cache = 'node_modules/.cache';

/** Checks in the order of what they cost; the build comes last because only the tests after it need it. */
export const stages: readonly Stage[] = [
  {
    name: 'format',
    commands: [['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '.']],
  },
  { name: 'lint', commands: [['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.']] },
  {
    name: 'types',
    commands: [
      [
        'node_modules/typescript/bin/tsc',
        '-p',
        '.',
        '--incremental',
        '--tsBuildInfoFile',
        `${cache}/types.tsbuildinfo`,
      ],
      [
        'node_modules/typescript/bin/tsc',
        '-p',
        'scenarios',
        '--incremental',
        '--tsBuildInfoFile',
        `${cache}/scenario-types.tsbuildinfo`,
      ],
      ['node_modules/typescript/bin/tsc', '-p', 'preload'],
      [
        'node_modules/typescript/bin/tsc',
        '-p',
        'renderer',
        '--incremental',
        '--tsBuildInfoFile',
        `${cache}/renderer-types.tsbuildinfo`,
      ],
    ],
  },
  { name: 'dead code', commands: [['node_modules/knip/bin/knip.js', '--no-progress']] },
  { name: 'browser', commands: [['build/setup/chromium.mjs']] },
  { name: 'build', commands: [['build/setup/prepare.mjs']] },
];
