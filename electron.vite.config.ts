import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { sdkBundle } from './build/bundle/sdk-bundle.ts';
import { standalonePrograms } from './build/bundle/standalone-programs.ts';

/** The hosts, by their path under `out/main` without the extension. */
const entries = {
  'recovery-lab': 'main/recovery-lab.ts',
  desktop: 'main/desktop/desktop.ts',
};

/** What a host starts as a file of its own, besides the sdk: one file each. */
const programs = {
  'writer-thread': 'runtime/store/writer-thread.ts',
  'services/order-service': 'scenarios/services/order-service/main.ts',
  'services/audit-log': 'scenarios/services/audit-log/main.ts',
  'services/inventory': 'scenarios/services/inventory/main.ts',
};

export default defineConfig({
  main: {
    build: {
      target: 'node24',
      sourcemap: true,
      rolldownOptions: {
        input: entries,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // Beside the entries, not in a folder below: code that finds its neighbours by `import.meta.url` must find
          // them whether it was put into an entry or into a shared chunk.
          chunkFileNames: 'chunk-[name]-[hash].js',
        },
      },
    },
    plugins: [
      sdkBundle({ entry: 'runtime/sdk/sdk.ts', file: 'out/main/sdk.mjs' }),
      standalonePrograms({ programs, folder: 'out/main', outside: ['better-sqlite3'] }),
    ],
  },
  preload: {
    build: {
      rolldownOptions: {
        input: 'preload/preload.ts',
        // A sandboxed preload script is CommonJS, in one file.
        output: { format: 'cjs', entryFileNames: 'preload.cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    build: {
      outDir: 'out/renderer',
      target: 'chrome140',
      minify: true,
      rolldownOptions: { input: 'renderer/index.html' },
    },
    plugins: [react(), tailwindcss()],
  },
});
