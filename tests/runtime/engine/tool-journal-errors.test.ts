import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAgentCall } from '../../../runtime/contract/index.ts';
import type { Json } from '../../../runtime/core/index.ts';
import { cashierRelay, notes, outline, type CashierInput } from '../../support/cashier-relay.ts';
import { refusalOf } from '../../support/refusal.ts';
import { PlatformBench } from '../platform/platform-bench.ts';
import { openEngineLab, type EngineLab } from '../../support/engine-lab.ts';

const payTurn = { toolCalls: [{ name: 'pay', arguments: { order: 1 } }] };

describe('an agent with a tool journal', () => {
  let lab: EngineLab;

  beforeAll(async () => {
    lab = await openEngineLab();
  });
  afterAll(() => lab.close());

  async function finish(input: CashierInput, turns: Json, crash: readonly string[] = []) {
    using folder = cashierRelay(turns);
    const run = await lab.finish(
      await lab.publish(folder.path),
      { recover: 'sync', caught: true, ...input },
      { crash },
    );
    return run;
  }

  it('is ended by a tool that throws: its caller can catch the error, the model is never told', async () => {
    const { id, result } = await finish({ run: 'throws' }, [payTurn, { text: 'worked around it' }]);
    expect(result).toMatchObject({
      name: 'LabError',
      code: 'platform-failed',
      message: expect.stringContaining('the tool pay of agent cashier failed') as string,
      facts: { tool: 'pay', reason: 'tool-error', error: { message: 'the card was refused', code: 'card-refused' } },
    });
    expect(outline(lab, id)).toEqual(['0 agent cashier checkpointed', '0.0 tool pay checkpointed']);
    const transcripts = join(lab.folder, 'runs', id, 'execution/call-0');
    expect(await readFile(join(transcripts, 'transcript.json'), 'utf8')).not.toContain('worked around it');
  });

  it('stays ended by it after a restart, whatever a fresh model would do', async () => {
    const turns = [payTurn, { text: 'worked around it' }];
    const killed = await finish({ run: 'throws' }, turns, ['pay@after-checkpoint']);
    expect(killed.state).toBe('interrupted');
    const { result } = await lab.recover(killed.id);
    expect(result).toMatchObject({ code: 'platform-failed', facts: { tool: 'pay', reason: 'tool-error' } });
    expect(notes(lab, killed.id)).toEqual(['pay 1']);
  });

  it.each([
    ['function', 'the result of run of tool "pay".receipt.open is a function'],
    ['big', 'the result of tool "pay" is 131074 bytes of JSON; at most 131072 are kept'],
    ['nested', 'agent "inner" was called inside the callback of a tool of operation 0'],
  ] as const)('is ended by a tool whose result is of no use: %s', async (run, sentence) => {
    const { id, result } = await finish({ run }, [payTurn, { text: 'went on' }]);
    expect((result as { message: string }).message).toContain(sentence);
    expect(outline(lab, id)).toEqual(['0 agent cashier checkpointed', '0.0 tool pay checkpointed']);
  });

  it('checks arguments before the intent', async () => {
    const wrong = { toolCalls: [{ name: 'pay', arguments: { order: 'one' } }] };
    const { id, result } = await finish({}, [wrong, { text: 'went on' }]);
    expect((result as { message: string }).message).toContain('do not meet its inputSchema: /order must be integer');
    expect(outline(lab, id)).toEqual(['0 agent cashier checkpointed']);
    expect(notes(lab, id)).toEqual([]);
  });

  it('can read which tools there are and what was done so far, which is not journaled', async () => {
    const { id, result } = await finish({}, [
      payTurn,
      { toolCalls: [{ name: 'list_tools' }, { name: 'list_tool_calls' }] },
      { json: { tools: '{{list_tools}}', calls: '{{list_tool_calls}}' } },
    ]);
    const { tools, calls } = JSON.parse(result as string) as { tools: { name: string }[]; calls: Json };
    expect(tools.map(({ name }) => name)).toEqual(['pay', 'ship']);
    expect(calls).toEqual([{ tool: 'pay', arguments: { order: 1 }, done: true, result: { receipt: 'r-1' } }]);
    expect(outline(lab, id)).toEqual([
      '0 agent cashier checkpointed',
      '0.0 tool pay checkpointed',
      '1 step after checkpointed',
    ]);
  });

  it.each(['list_tools', 'list_tool_calls'])('has %s already: a tool of that name is refused', async (name) => {
    await using bench = new PlatformBench();
    const call = { name: 'a', systemPrompt: '', userMessage: '', recovery: 'restart', tools: [{ name }] };
    expect(await refusalOf(bench.call('agent', call, { journal: { calls: () => [] } }))).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(`agent a would have two tools named ${name}`) as string,
    });
  });

  it.each([
    ['replaySafe', true, '"replaySafe" is true'],
    ['skills', ['skills/refunds'], '"skills" is'],
    ['mcp', [{ server: 'inventory' }], '"mcp" is'],
  ])('is refused by the host together with %s', (key, value, sentence) => {
    const call = { name: 'a', systemPrompt: '', userMessage: '', recovery: 'restart', [key]: value };
    expect(() => parseAgentCall(call as Json)).toThrow(sentence);
    expect(() => parseAgentCall(call as Json)).toThrow('expected none with recovery "restart"');
  });
});
