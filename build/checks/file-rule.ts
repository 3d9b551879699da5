import { posix } from 'node:path';
import type { Rule } from 'eslint';
import { emptyNames, limits, longFiles } from './layers.ts';
import { projectPath } from './source-place.ts';

/** Files are short and named for what they hold. */
export const fileRule: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      long: '{{lines}} lines; a file has at most {{limit}}. Look for its second noun, or list it in build/checks/layers.ts.',
      short: '{{path}} is listed as a long file but is not: take it off the list in build/checks/layers.ts.',
      name: '"{{name}}" says nothing about what is inside. Name the file for its one idea.',
    },
  },
  create(context) {
    const path = projectPath(context.cwd, context.filename);
    const name = posix.basename(path).replace(/\.[a-z]+$/, '');
    return {
      Program(node) {
        const { lines: all } = context.sourceCode;
        const lines = all.at(-1) === '' ? all.length - 1 : all.length;
        const listed = longFiles.includes(path);
        if (lines > limits.file && !listed) {
          context.report({ node, messageId: 'long', data: { lines: String(lines), limit: String(limits.file) } });
        }
        if (lines <= limits.file && listed) context.report({ node, messageId: 'short', data: { path } });
        const named = name.split('.')[0] ?? name;
        if (emptyNames.includes(named)) context.report({ node, messageId: 'name', data: { name } });
      },
    };
  },
};
