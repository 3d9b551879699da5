/**
 * The only place where import rights are written. Lint reads these tables (see layer-rule.ts); nothing else repeats
 * them. A folder that is not listed may not hold source, so a new layer begins with a row here.
 */

/** Layer (a folder) → the layers whose door it may import. `'*'` is for code that never ships. */
export const rights: Readonly<Record<string, readonly string[] | '*'>> = {
  'runtime/core': [],
  'runtime/contract': ['runtime/core'],
  'runtime/crash': ['runtime/core', 'runtime/contract'],
  'runtime/graph': ['runtime/core', 'runtime/contract'],
  'runtime/store': ['runtime/core', 'runtime/contract'],
  'runtime/engine': ['runtime/core', 'runtime/contract', 'runtime/crash'],
  'runtime/supervisor': ['runtime/core', 'runtime/contract', 'runtime/crash'],
  'runtime/release': ['runtime/core', 'runtime/contract'],
  'runtime/admission': ['runtime/core', 'runtime/contract'],
  'runtime/platform': ['runtime/core', 'runtime/contract'],
  'runtime/sdk': ['runtime/core', 'runtime/contract'],
  main: [
    'runtime/core',
    'runtime/contract',
    'runtime/crash',
    'runtime/graph',
    'runtime/store',
    'runtime/engine',
    'runtime/supervisor',
    'runtime/release',
    'runtime/admission',
    'runtime/platform',
    'scenarios',
  ],
  scenarios: ['runtime/core', 'runtime/contract', 'runtime/crash', 'scenarios/services'],
  'scenarios/services': ['runtime/core', 'runtime/contract'],
  // Relays are other people's programs: they see `agentworks` and the DBOS SDK, never the lab.
  'scenarios/relays': [],
  preload: ['runtime/contract'],
  renderer: ['runtime/contract'],
  tests: '*',
  build: '*',
  // Configuration files in the root folder.
  '.': '*',
};

/** Layers that compute and nothing else: no Node built-ins, no clock, no randomness, no timers. */
export const pure: readonly string[] = ['runtime/core', 'runtime/contract', 'runtime/crash', 'runtime/graph'];

/**
 * Layers that may import past another folder's door. Tests look inside; the preload script takes one word, and with the
 * door all schemas would come along.
 */
export const deepImporters: readonly string[] = ['tests', 'preload'];

/** Libraries of the page alone. */
const pageLibraries = Object.fromEntries(
  [
    '@base-ui/react',
    '@codemirror/autocomplete',
    '@codemirror/lang-json',
    '@codemirror/language',
    '@codemirror/lint',
    '@codemirror/state',
    '@codemirror/view',
    '@dagrejs/dagre',
    '@lezer/highlight',
    '@tanstack/react-virtual',
    '@xterm/addon-fit',
    '@xterm/addon-search',
    '@xterm/xterm',
    '@xyflow/react',
    'cmdk',
    'codemirror',
    'lucide-react',
    'react',
    'react-dom',
    'react-resizable-panels',
    'zustand',
  ].map((library) => [library, ['renderer']]),
);

/** Third-party library → the layers that may import it. Layers with `'*'` rights may import any. */
export const libraries: Readonly<Record<string, readonly string[]>> = {
  ...pageLibraries,
  '@ai-sdk/openai-compatible': ['runtime/platform'],
  '@dbos-inc/dbos-sdk': ['scenarios/relays', 'runtime/sdk'],
  '@hono/node-server': ['main', 'scenarios/services'],
  '@modelcontextprotocol/sdk': ['runtime/platform', 'scenarios/services'],
  agentworks: ['scenarios/relays'],
  ai: ['runtime/platform'],
  ajv: ['runtime/release'],
  'better-sqlite3': ['runtime/store', 'scenarios/services'],
  birpc: ['runtime/contract'],
  commander: ['main'],
  electron: ['main', 'preload'],

  esbuild: ['runtime/release'],
  hono: ['main', 'scenarios/services'],
  open: ['main'],
  superjson: ['runtime/sdk'],
  ws: ['main'],
  zod: ['runtime/contract', 'scenarios/services'],
};

/** Names that say nothing about what a file holds; a file is named for its one idea. */
export const emptyNames: readonly string[] = [
  'util',
  'utils',
  'helper',
  'helpers',
  'types',
  'manager',
  'common',
  'misc',
];

/** Longest file, and longest door (`index.ts` of a layer), in lines. */
export const limits = { file: 300, door: 39 } as const;

/** Files allowed to be longer than `limits.file`, each with its issue. The list may only shrink. */
export const longFiles: readonly string[] = [];
