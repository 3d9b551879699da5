import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** Where a position stands in a JSON document. */
export interface JsonPlace {
  /** A key stands or could stand there, else a value. */
  readonly role: 'key' | 'value';
  /** Keys and indexes that lead to the object of the key, or to the value. */
  readonly path: readonly (string | number)[];
  /** Keys that the object has already, without the one at the position. */
  readonly present: readonly string[];
  /** What stands there, to be replaced. */
  readonly from: number;
  readonly to: number;
}

const values = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

/** Reads the document's syntax at a position; null where neither a key nor a value can stand. */
export function jsonPlace(state: EditorState, at: number): JsonPlace | null {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, -1);
  while (node !== null && (!known.has(node.name) || isPassed(state, node, at))) node = node.parent;
  if (node === null) return null;
  if (node.name === 'PropertyName') {
    const owner = node.parent?.parent;
    return owner == null ? null : keyPlace(state, owner, node, node);
  }
  const word = state.sliceDoc(0, at).match(/[\w".-]*$/)?.[0].length ?? 0;
  const open = { from: at - word, to: at };
  if (node.name === 'Object') {
    return /[{,]\s*$/.test(state.sliceDoc(0, open.from)) ? keyPlace(state, node, null, open) : null;
  }
  const rest = { role: 'value', present: [] } as const;
  if (node.name === 'Property') return { ...rest, path: pathTo(state, node.lastChild ?? node), ...open };
  if (node.name === 'Array') {
    const before = childValues(node).filter(({ to }) => to <= open.from).length;
    return { ...rest, path: [...pathTo(state, node), before], ...open };
  }
  if (node.name === 'JsonText') return { ...rest, path: [], ...open };
  return { ...rest, path: pathTo(state, node), from: node.from, to: node.to };
}

const known = new Set([...values, 'PropertyName', 'Property', 'JsonText']);

/** An object or array that is closed before the position: what comes next is not inside. */
function isPassed(state: EditorState, node: SyntaxNode, at: number): boolean {
  const isBracketed = node.name === 'Object' || node.name === 'Array';
  return isBracketed && node.to <= at && /[\]}]/.test(state.sliceDoc(node.to - 1, node.to));
}

function keyPlace(
  state: EditorState,
  owner: SyntaxNode,
  own: SyntaxNode | null,
  { from, to }: { readonly from: number; readonly to: number },
): JsonPlace {
  const present = owner
    .getChildren('Property')
    .flatMap((property) => property.getChild('PropertyName') ?? [])
    .filter((name) => name.from !== own?.from)
    .map((name) => keyOf(state, name));
  return { role: 'key', path: pathTo(state, owner), present, from, to };
}

function pathTo(state: EditorState, node: SyntaxNode): (string | number)[] {
  const parent = node.parent;
  if (parent === null) return [];
  const path = pathTo(state, parent);
  if (parent.name === 'Property') {
    const name = parent.getChild('PropertyName');
    return name === null ? path : [...path, keyOf(state, name)];
  }
  if (parent.name === 'Array') return [...path, childValues(parent).findIndex(({ from }) => from === node.from)];
  return path;
}

function childValues(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (values.has(child.name)) found.push(child);
  }
  return found;
}

function keyOf(state: EditorState, name: SyntaxNode): string {
  return state.sliceDoc(name.from, name.to).replaceAll('"', '');
}
