import { describe, expect, it } from 'vitest';
import { barOf, traceRows, treeMove } from '../../renderer/trace/trace-rows.ts';
import { traceTree } from '../../renderer/trace/trace-tree.ts';
import { RunStory } from './run-story.ts';

const error = { name: 'Error', message: 'not yet', stack: null, code: null, fields: {}, cause: null };

function story(): RunStory {
  const told = new RunStory().attempt().begin('0', 'reserve').begin('0.0', 'call', 1, 'mcp');
  told.receipt('mcp', '0.0', 'inventory.reserve', {}).done('0.0').done('0').begin('1', 'stubborn');
  told.add('operation.try', '1', { number: 1, error, retryInMs: 50 }).killed().attempt().reused('0');
  return told.begin('1', 'stubborn', 2).done('1');
}

function rowsOf(told: RunStory, toggled: string[] = []) {
  const history = told.history();
  return traceRows(traceTree(history, told.receipts), new Set(toggled), history.operations.length);
}

describe('the trace', () => {
  it('is a tree of attempts, operations, nested operations, tries and receipts', () => {
    const lines = rowsOf(story()).map(({ level, node }) => `${'·'.repeat(level - 1)}${node.name} ${node.look}`);
    expect(lines).toEqual([
      'attempt 1 kill',
      '·0 reserve done',
      '··0.0 call done',
      '···mcp inventory.reserve quiet',
      '·1 stubborn kill',
      '··try 1 failed failed',
      'attempt 2 open',
      '·0 reserve reused',
      '·1 stubborn done',
    ]);
  });

  it('shows once what belongs to a tool that ran and was reused in one attempt', () => {
    const told = new RunStory().attempt().begin('0', 'cashier', 1, 'agent').begin('0.0', 'pay', 1, 'tool');
    told.begin('0.0.0', 'note', 1, 'event').done('0.0.0').receipt('tool', '0.0', 'pay', {}).done('0.0').reused('0.0');
    const rows = rowsOf(told.done('0'));
    expect(rows.map(({ node }) => node.name)).toEqual([
      'attempt 1',
      '0 cashier',
      '0.0 pay',
      '0.0.0 note',
      'tool pay',
      '0.0 pay',
    ]);
    expect(new Set(rows.map(({ node }) => node.key)).size).toBe(rows.length);
  });

  it('shows the receipt of a callback whose tool the attempt did not come to again', () => {
    const told = new RunStory().attempt().begin('0.0', 'pay', 1, 'tool').killed().attempt();
    told.receipt('tool', '0.0', 'pay (recover)', {}).killed();
    const lines = rowsOf(told).map(({ level, node }) => `${'·'.repeat(level - 1)}${node.name}`);
    expect(lines).toEqual(['attempt 1', '·0.0 pay', 'attempt 2', '·tool pay (recover)']);
  });

  it('shows nothing of what is closed, and says of each row where it stands', () => {
    const rows = rowsOf(story(), ['attempt 1']);
    expect(rows.map(({ node }) => node.name)).toEqual(['attempt 1', 'attempt 2', '0 reserve', '1 stubborn']);
    expect(rows.map(({ level, position, siblings, parent }) => [level, position, siblings, parent])).toEqual([
      [1, 1, 2, -1],
      [1, 2, 2, -1],
      [2, 1, 2, 1],
      [2, 2, 2, 1],
    ]);
  });

  it('moves by the keys of a tree grid', () => {
    const rows = rowsOf(story());
    expect(treeMove('ArrowRight', rows, 0, 5)).toEqual({ kind: 'go', to: 1 });
    expect(treeMove('ArrowLeft', rows, 1, 5)).toEqual({ kind: 'toggle', key: rows[1]?.node.key });
    expect(treeMove('ArrowLeft', rows, 3, 5)).toEqual({ kind: 'go', to: 2 });
    expect(treeMove('ArrowRight', rows, 3, 5)).toBeNull();
    expect(treeMove('PageDown', rows, 2, 50)).toEqual({ kind: 'go', to: rows.length - 1 });
    expect(treeMove('ArrowUp', rows, 0, 5)).toEqual({ kind: 'go', to: 0 });
    expect(treeMove('Enter', rows, 0, 5)).toEqual({ kind: 'toggle', key: 'attempt 1' });
    expect(treeMove('Enter', rows, 1, 5)).toEqual({ kind: 'select' });
    expect(treeMove('a', rows, 0, 5)).toBeNull();
    const closed = rowsOf(story(), ['attempt 1']);
    expect(treeMove('ArrowRight', closed, 0, 5)).toEqual({ kind: 'toggle', key: 'attempt 1' });
  });

  it('draws a bar inside the span of its attempt, up to now where it goes on', () => {
    const told = new RunStory().attempt().begin('0', 'long');
    const rows = rowsOf(told);
    for (const row of rows) {
      const { left, width } = barOf(row, told.at + 100);
      expect([left >= 0, width > 0, left + width]).toEqual([true, true, 1]);
    }
  });
});
