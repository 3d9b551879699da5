import type { Rule } from 'eslint';
import { limits, rights } from './layers.ts';
import { doorOf, layerOf, projectPath } from './source-place.ts';

/** A layer's `index.ts` stays a list of names that a reader can take in at a glance. */
export const doorRule: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      long: 'A door has at most {{limit}} lines; this one has {{lines}}. Open less.',
      star: 'A door names what it opens: no `export *`.',
      unnamed: 'A door has named exports only: no default export.',
    },
  },
  create(context) {
    const path = projectPath(context.cwd, context.filename);
    const layer = layerOf(path);
    if (layer === null || rights[layer] === '*' || path !== doorOf(layer)) return {};
    return {
      Program(node) {
        const lines = context.sourceCode.lines.filter(
          (line, index, all) => line !== '' || index < all.length - 1,
        ).length;
        if (lines > limits.door) {
          context.report({ node, messageId: 'long', data: { limit: String(limits.door), lines: String(lines) } });
        }
      },
      ExportAllDeclaration: (node) => context.report({ node, messageId: 'star' }),
      ExportDefaultDeclaration: (node) => context.report({ node, messageId: 'unnamed' }),
    };
  },
};
