import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { deepImporters, libraries, limits, pure, rights } from '../../build/checks/layers.ts';

const root = join(import.meta.dirname, '../..');
// The project's own configuration, without the rules that need types: these sources exist in memory only.
const eslint = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] });

/** The layer messages about `source` as if it stood at `path`, each as `rule/messageId: text`. */
async function lint(path: string, source: string): Promise<string[]> {
  const results = await eslint.lintText(source, { filePath: join(root, path) });
  return results
    .flatMap((result) => result.messages)
    .filter((message) => message.fatal === true || message.ruleId?.startsWith('layers/'))
    .map((message) => `${message.ruleId ?? 'fatal'}/${message.messageId ?? ''}: ${message.message}`);
}

describe('the layer rule refuses', () => {
  it.each([
    [
      'an import against the direction',
      'runtime/core/a.ts',
      "import { x } from '../store/index.ts';",
      'import/forbidden',
    ],
    ['an import between unrelated layers', 'runtime/engine/a.ts', "import '../store/index.ts';", 'import/forbidden'],
    [
      'the page reaching into the runtime',
      'renderer/a.tsx',
      "import '../runtime/engine/index.ts';",
      'import/forbidden',
    ],
    ['the runtime reaching into a host', 'runtime/engine/a.ts', "import '../../main/index.ts';", 'import/forbidden'],
    ['a relay importing the lab', 'scenarios/relays/order/a.ts', "import '../../index.ts';", 'import/forbidden'],
    ['an import past a door', 'runtime/engine/a.ts', "import { x } from '../core/ids.ts';", 'import/door'],
    ['a type imported past a door', 'main/a.ts', "import type { X } from '../runtime/store/rows.ts';", 'import/door'],
    ['a re-export past a door', 'main/a.ts', "export { x } from '../runtime/store/rows.ts';", 'import/door'],
    ['export * past a door', 'main/a.ts', "export * from '../runtime/store/rows.ts';", 'import/door'],
    ['a dynamic import past a door', 'main/a.ts', "await import('../runtime/store/rows.ts');", 'import/door'],
    ['an import type past a door', 'main/a.ts', "type X = import('../runtime/store/rows.ts').X;", 'import/door'],
    ['a library outside its folder', 'runtime/engine/a.ts', "import Database from 'better-sqlite3';", 'import/library'],
    [
      'a path inside such a library',
      'main/a.ts',
      "import '@modelcontextprotocol/sdk/client/index.js';",
      'import/library',
    ],
    ['a library nobody listed', 'main/a.ts', "import 'left-pad';", 'import/library'],
    ['a Node built-in in a pure layer', 'runtime/core/a.ts', "import { join } from 'node:path';", 'import/builtin'],
    ['the same without its prefix', 'runtime/crash/a.ts', "import { join } from 'path';", 'import/builtin'],
    ['a folder without a row', 'runtime/unheard/a.ts', 'export const x = 1;', 'import/unlisted'],
    ['an import from such a folder', 'main/a.ts', "import '../lib/a.ts';", 'import/unlisted'],
    ['an import without its extension', 'main/a.ts', "import './b';", 'import/extension'],
    ['the clock in a pure layer', 'runtime/core/a.ts', 'export const now = Date.now();', 'pure/impure'],
    ['a date of now', 'runtime/contract/a.ts', 'export const now = new Date();', 'pure/impure'],
    ['randomness', 'runtime/core/a.ts', 'export const dice = Math.random();', 'pure/impure'],
    ['random ids', 'runtime/core/a.ts', 'export const id = crypto.randomUUID();', 'pure/impure'],
    [
      'the same through globalThis',
      'runtime/core/a.ts',
      'export const id = globalThis.crypto.randomUUID();',
      'pure/impure',
    ],
    ['a timer', 'runtime/crash/a.ts', 'setTimeout(() => {}, 1);', 'pure/impure'],
    ['the process', 'runtime/core/a.ts', 'export const home = process.env.HOME;', 'pure/impure'],
    ['export * in a door', 'runtime/core/index.ts', "export * from './ids.ts';", 'door/star'],
    ['a default export in a door', 'runtime/core/index.ts', 'export default 1;', 'door/unnamed'],
    ['a long door', 'runtime/core/index.ts', 'export const x = 1;\n'.repeat(limits.door + 1), 'door/long'],
    ['a long file', 'runtime/core/a.ts', '// line\n'.repeat(limits.file + 1), 'file/long'],
    ['a name that says nothing', 'runtime/core/utils.ts', 'export const x = 1;', 'file/name'],
    ['the same with a second ending', 'tests/helpers.test.ts', 'export const x = 1;', 'file/name'],
  ])('%s', async (_, path, source, expected) => {
    const messages = await lint(path, source);
    expect(messages.join('\n')).toContain(`layers/${expected}: `);
  });
});

describe('the layer rule accepts', () => {
  it.each([
    ['a door that the table grants', 'runtime/engine/a.ts', "import { x } from '../core/index.ts';"],
    ['neighbours in one folder, however deep', 'runtime/store/tables/a.ts', "import { x } from '../rows/b.ts';"],
    ['a library in its folder', 'runtime/store/a.ts', "import Database from 'better-sqlite3';"],
    ['built-ins where files are read', 'runtime/store/a.ts', "import { join } from 'node:path';"],
    ['tests that look inside', 'tests/runtime/a.test.ts', "import { x } from '../../runtime/store/rows.ts';"],
    ['a relay that imports the platform', 'scenarios/relays/order/a.ts', "import { agent } from 'agentworks';"],
    ['dates made from a number', 'runtime/core/a.ts', 'export const at = (ms: number): Date => new Date(ms);'],
    ['a local name that shadows a global', 'runtime/core/a.ts', 'export const f = (Date: { now(): 1 }) => Date.now();'],
    ['a door of the longest kind', 'runtime/core/index.ts', 'export const x = 1;\n'.repeat(limits.door)],
    ['a file of the longest kind', 'runtime/core/a.ts', '// line\n'.repeat(limits.file)],
  ])('%s', async (_, path, source) => {
    expect(await lint(path, source)).toEqual([]);
  });

  it('says in a refusal what may be imported instead', async () => {
    const [message] = await lint('runtime/engine/a.ts', "import '../store/index.ts';");
    expect(message).toContain('runtime/engine may not import runtime/store');
    expect(message).toContain('runtime/core, runtime/contract, runtime/crash');
  });
});

describe('the layer table', () => {
  const rows = Object.keys(rights);

  it('names only layers that have a row', () => {
    const named = [...Object.values(rights).flat(), ...Object.values(libraries).flat(), ...pure, ...deepImporters];
    expect(named.filter((layer) => layer !== '*' && !rows.includes(layer))).toEqual([]);
  });

  it('lets pure layers import pure layers only', () => {
    for (const layer of pure) {
      expect(
        [rights[layer] ?? []].flat().filter((other) => !pure.includes(other)),
        layer,
      ).toEqual([]);
    }
  });

  it('has no cycle', () => {
    const reach = (layer: string, seen: readonly string[]): string[] => {
      if (seen.includes(layer)) return [[...seen, layer].join(' → ')];
      return [rights[layer] ?? []].flat().flatMap((next) => (next === '*' ? [] : reach(next, [...seen, layer])));
    };
    expect(rows.flatMap((layer) => reach(layer, []))).toEqual([]);
  });

  it('gives every shipped dependency a folder', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).filter((name) => libraries[name] === undefined)).toEqual([]);
  });
});
