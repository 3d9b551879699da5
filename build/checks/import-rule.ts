import { isBuiltin } from 'node:module';
import type { Rule } from 'eslint';
import { deepImporters, libraries, pure, rights } from './layers.ts';
import { doorOf, layerOf, libraryOf, projectPath, resolveRelative } from './source-place.ts';

interface Finding {
  readonly messageId: keyof typeof messages;
  readonly data: Readonly<Record<string, string>>;
}

const messages = {
  unlisted: '{{path}} belongs to no layer. Add a row for its folder to build/checks/layers.ts.',
  forbidden: '{{from}} may not import {{to}}. It may import: {{allowed}} (build/checks/layers.ts).',
  door: 'Import {{to}} through its door {{door}}, not {{path}}.',
  library: '{{library}} may be imported by {{owners}}, not by {{from}} (build/checks/layers.ts).',
  builtin: '{{from}} is pure: it may not import {{specifier}}. Take what you need as an argument.',
  extension: "Write the file's extension: Node runs these sources as they are ({{specifier}}).",
} as const;

const list = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.join(', '));

function judgeLibrary(from: string, specifier: string): Finding | null {
  if (isBuiltin(specifier)) {
    return pure.includes(from) ? { messageId: 'builtin', data: { from, specifier } } : null;
  }
  if (rights[from] === '*') return null;
  const library = libraryOf(specifier);
  const owners = libraries[library] ?? [];
  return owners.includes(from) ? null : { messageId: 'library', data: { library, owners: list(owners), from } };
}

function judgeRelative(path: string, from: string, specifier: string): Finding | null {
  if (!/\.[a-z]+(\?[a-z]+)?$/.test(specifier)) return { messageId: 'extension', data: { specifier } };
  const target = resolveRelative(path, specifier);
  const to = layerOf(target);
  if (to === null) return { messageId: 'unlisted', data: { path: target } };
  if (to === from) return null;
  const allowed = rights[from] ?? [];
  if (allowed !== '*' && !allowed.includes(to)) {
    return { messageId: 'forbidden', data: { from, to, allowed: list(allowed) } };
  }
  // Code that ships with no one (build, configuration) has no door.
  const hasDoor = rights[to] !== '*';
  if (!hasDoor || target === doorOf(to) || deepImporters.includes(from)) return null;
  return { messageId: 'door', data: { to, door: doorOf(to), path: target } };
}

/** What is wrong with `specifier` imported by the file at `path` (relative to the root), or null. */
function judgeImport(path: string, specifier: string): Finding | null {
  const from = layerOf(path);
  if (from === null) return { messageId: 'unlisted', data: { path } };
  return specifier.startsWith('.') ? judgeRelative(path, from, specifier) : judgeLibrary(from, specifier);
}

/** Every form of import, static, dynamic or of a type alone, keeps the rights of the layer table. */
export const importRule: Rule.RuleModule = {
  meta: { type: 'problem', schema: [], messages },
  create(context) {
    const path = projectPath(context.cwd, context.filename);
    const check = (node: Rule.Node, source: unknown): void => {
      const specifier = (source as { value?: unknown } | null | undefined)?.value;
      if (typeof specifier !== 'string') return;
      const finding = judgeImport(path, specifier);
      if (finding) context.report({ node, messageId: finding.messageId, data: finding.data });
    };
    return {
      Program(node) {
        if (layerOf(path) === null) context.report({ node, messageId: 'unlisted', data: { path } });
      },
      ImportDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node: Rule.Node) => check(node, (node as unknown as { source: unknown }).source),
    };
  },
};
