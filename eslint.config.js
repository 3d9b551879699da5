import tseslint from 'typescript-eslint';
import { layersPlugin } from './build/checks/lint-plugin.ts';

/** Rules of the strict preset that ask for taste rather than find faults. */
const taste = {
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-confusing-void-expression': 'off',
  '@typescript-eslint/no-unnecessary-type-parameters': 'off',
  '@typescript-eslint/no-invalid-void-type': 'off',
  '@typescript-eslint/unified-signatures': 'off',
  '@typescript-eslint/no-extraneous-class': 'off',
  '@typescript-eslint/no-dynamic-delete': 'off',
};

export default tseslint.config(
  { ignores: ['node_modules/', 'out/', 'dist/', 'test-results/', 'coverage/', 'tests/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs', '**/*.js'],
    plugins: { layers: layersPlugin },
    rules: { 'layers/import': 'error', 'layers/door': 'error', 'layers/pure': 'error', 'layers/file': 'error' },
  },
  {
    // No type checker reads plain JavaScript, so lint has to find a name that nothing defines.
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: { process: false, performance: false, console: false, URL: false } },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...taste,
      // `typeof import('x')` types a library that is loaded only when it is needed.
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
    },
  },
  {
    // Messages between window and host are sent, and their senders judged, in one place on each side.
    files: ['main/**/*.ts', 'preload/**/*.ts'],
    ignores: ['main/desktop/port-handover.ts', 'preload/preload.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: [{ name: 'electron', importNames: ['ipcMain', 'ipcRenderer'] }] }],
    },
  },
  {
    // A relay may be a plain program that throws what it likes; that is what some of them are there to show.
    files: ['scenarios/relays/**/*.ts'],
    rules: {
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
