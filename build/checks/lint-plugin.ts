import type { ESLint } from 'eslint';
import { doorRule } from './door-rule.ts';
import { fileRule } from './file-rule.ts';
import { importRule } from './import-rule.ts';
import { purityRule } from './purity-rule.ts';

/** The project's own lint rules, all driven by layers.ts. */
export const layersPlugin: ESLint.Plugin = {
  meta: { name: 'layers' },
  rules: { import: importRule, door: doorRule, pure: purityRule, file: fileRule },
};
