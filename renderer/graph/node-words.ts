import type { RunGraph } from '../../runtime/contract/index.ts';
import { operationMarks } from '../design/marks.ts';
import { attemptWords } from './attempt-words.ts';

/** All that the graph shows of an operation, as one line for a list and for a screen reader. */
export function nodeWords({ id, name, kind, state, begun, reused, killed }: RunGraph['nodes'][number]): string {
  const parts = [
    `operation ${id} ${name}, ${kind}, ${operationMarks[state].words}`,
    begun.length > 0 ? `begun in ${attemptWords(begun)}` : '',
    reused.length > 0 ? `reused in ${attemptWords(reused)}` : '',
    killed.length > 0 ? `killed in ${attemptWords(killed)}` : '',
  ];
  return parts.filter(Boolean).join('; ');
}
