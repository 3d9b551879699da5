import type { Rule, Scope } from 'eslint';
import { pure } from './layers.ts';
import { layerOf, projectPath } from './source-place.ts';

/** Members of globals that read the clock or chance. */
const impureMembers: Readonly<Record<string, readonly string[] | '*'>> = {
  Date: ['now'],
  Math: ['random'],
  crypto: '*',
  performance: '*',
  process: '*',
  console: '*',
};
const impureGlobals = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'require',
  'process',
  'crypto',
  'performance',
]);

/** Pure layers get clock, ids and randomness as arguments; the same input gives the same output. */
export const purityRule: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { impure: '{{layer}} is pure: no {{what}}. Take the clock, the id or the number as an argument.' },
  },
  create(context) {
    const layer = layerOf(projectPath(context.cwd, context.filename));
    if (layer === null || !pure.includes(layer)) return {};
    const report = (node: Rule.Node, what: string): void =>
      context.report({ node, messageId: 'impure', data: { layer, what } });
    const isGlobal = (node: Rule.Node, name: string): boolean => {
      let scope: Scope.Scope | null = context.sourceCode.getScope(node);
      while (scope && !scope.set.get(name)?.defs.length) scope = scope.upper;
      return scope === null;
    };
    const member = (node: Rule.Node): void => {
      if (node.type !== 'MemberExpression') return;
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier' || node.computed) return;
      const owner = node.object.name === 'globalThis' ? node.property.name : node.object.name;
      const banned = impureMembers[owner];
      if (banned === undefined || (banned !== '*' && !banned.includes(node.property.name))) return;
      if (isGlobal(node, node.object.name)) report(node, `${node.object.name}.${node.property.name}`);
    };
    return {
      MemberExpression: member,
      CallExpression(node) {
        if (node.callee.type !== 'Identifier') return;
        const { name } = node.callee;
        if ((impureGlobals.has(name) || name === 'Date') && isGlobal(node, name)) report(node, `${name}()`);
      },
      NewExpression(node) {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date' || node.arguments.length > 0) return;
        if (isGlobal(node, 'Date')) report(node, 'new Date() without arguments');
      },
    };
  },
};
