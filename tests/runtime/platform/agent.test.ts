import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json, LabError } from '../../../runtime/core/index.ts';
import { refusalOf } from '../../support/refusal.ts';
import { PlatformBench } from './platform-bench.ts';

const prompt = 'Extract the order as JSON.';
const lookUp = {
  name: 'look_up',
  description: 'Finds a customer.',
  inputSchema: { type: 'object', required: ['name'] },
};

function script(...turns: Json[]): string {
  return JSON.stringify({ turns });
}

function bench(fixtures: Readonly<Record<string, string>>, manifest: Record<string, unknown> = {}): PlatformBench {
  const files = Object.entries(fixtures).map(([agent, text]): [string, string] => [`fixtures/${agent}.json`, text]);
  return new PlatformBench({ manifest, files: Object.fromEntries(files) });
}

describe('agent with the fixture provider', () => {
  it('plays its script: a tool of the relay, its result in the next turn, JSON at the end', async () => {
    await using lab = bench({
      extract: script(
        { toolCalls: [{ name: 'look_up', arguments: { name: '{{message.customer}}' } }] },
        {
          json: {
            customer: '{{look_up.id}}',
            line: 'for {{look_up.name}} ({{look_up.tags}})',
            first: '{{look_up.tags.0}}',
          },
        },
      ),
    });
    const asked: Json[] = [];
    const tools = {
      look_up: (args: Json) => {
        asked.push(args);
        return { id: 17, name: 'Ada', tags: ['vip'] };
      },
    };
    const outputSchema = { type: 'object', properties: { customer: { type: 'integer' } }, required: ['customer'] };
    const userMessage = '{"customer":"Ada"}';
    const input = { name: 'extract', systemPrompt: prompt, userMessage, tools: [lookUp], outputSchema };
    const answer = await lab.call('agent', input, { tools });
    expect(answer).toEqual({ customer: 17, line: 'for Ada (["vip"])', first: 'vip' });
    expect(asked).toEqual([{ name: 'Ada' }]);
    expect(lab.receipts).toEqual([
      {
        kind: 'tool',
        name: 'look_up',
        ok: true,
        durationMs: expect.any(Number) as unknown,
        data: { agent: 'extract', arguments: { name: 'Ada' }, result: { id: 17, name: 'Ada', tags: ['vip'] } },
      },
      {
        kind: 'agent',
        name: 'extract',
        ok: true,
        durationMs: expect.any(Number) as unknown,
        data: { model: null, messages: 1, turns: 2, transcript: 'execution/call-3/transcript.json', output: answer },
      },
    ]);
  });

  it('keeps a private transcript in the folder of its operation', async () => {
    await using lab = bench({ greet: script({ text: 'Hello' }, { text: 'Bye' }) });
    const input = { name: 'greet', systemPrompt: prompt, messages: ['one', 'two'], model: 'small' };
    expect(await lab.call('agent', input, { operation: '4.1' })).toBe('Bye');
    const folder = join(lab.runDir, 'execution/call-4.1');
    expect(readdirSync(folder)).toEqual(['transcript.json']);
    expect(statSync(join(folder, 'transcript.json')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(join(folder, 'transcript.json'), 'utf8'))).toMatchObject({
      agent: 'greet',
      provider: 'fixture',
      model: 'small',
      attempt: 1,
      systemPrompt: prompt,
      entries: [
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 'Hello' },
        { role: 'user', text: 'two' },
        { role: 'assistant', text: 'Bye' },
      ],
      output: 'Bye',
    });
  });

  it('answers from the message alone when it has no script, the same each time', async () => {
    await using lab = bench({});
    const input = { name: 'echo', systemPrompt: prompt, userMessage: '{"a":1}' };
    expect(await lab.call('agent', input)).toBe('{"agent":"echo","message":{"a":1}}');
    expect(await lab.call('agent', input)).toBe('{"agent":"echo","message":{"a":1}}');
    expect(await lab.call('agent', { ...input, outputSchema: { type: 'object' } })).toEqual({
      agent: 'echo',
      message: { a: 1 },
    });
  });

  it('calls tools of MCP servers, all of a server or the named ones', async () => {
    const manifest = { mcp: { inventory: { command: 'lab:inventory' } } };
    const reserve = { sku: 'gadget', quantity: 1, orderRef: 'run-1:0' };
    await using lab = bench(
      { buyer: script({ toolCalls: [{ name: 'reserve', arguments: reserve }] }, { text: 'ok {{reserve.sku}}' }) },
      manifest,
    );
    const input = { name: 'buyer', systemPrompt: prompt, userMessage: 'buy' };
    expect(await lab.call('agent', { ...input, mcp: [{ server: 'inventory' }] })).toBe('ok gadget');
    expect(lab.receipts[0]).toMatchObject({ kind: 'mcp', name: 'inventory.reserve', ok: true });
    expect(await lab.call('agent', { ...input, mcp: [{ server: 'inventory', tools: ['reserve'] }] })).toBe('ok gadget');
    expect(lab.desk.stats('inventory', 'run-1')).toMatchObject({ attempts: 2, effects: 1 });

    const others = await refusalOf(lab.call('agent', { ...input, mcp: [{ server: 'inventory', tools: ['stock'] }] }));
    expect(others.message).toContain('called the tool "reserve", which it does not have: it has stock');
    const unknown = await refusalOf(lab.call('agent', { ...input, mcp: [{ server: 'inventory', tools: ['sell'] }] }));
    expect(unknown.message).toBe('the MCP server inventory has no tool "sell": it has reserve, stock');
    const twice = { ...input, mcp: [{ server: 'inventory' }], tools: [{ name: 'stock' }] };
    expect((await refusalOf(lab.call('agent', twice))).message).toContain('two tools named stock');
  });

  it('ends with the error of a tool that failed', async () => {
    await using lab = bench({
      x: script({ toolCalls: [{ name: 'look_up', arguments: { name: 'a' } }] }, { text: 'done' }),
    });
    const input = { name: 'x', systemPrompt: '', userMessage: '', tools: [lookUp] };
    const tools = {
      look_up: () => {
        throw new RangeError('no customer a');
      },
    };
    const error = await refusalOf(lab.call('agent', input, { tools }));
    expect(error.code).toBe('platform-failed');
    expect(error.facts).toEqual({ agent: 'x', tool: 'look_up', reason: 'tool-error' });
    expect(error.message).toBe('the tool look_up of agent x failed: RangeError: no customer a');
    expect(lab.receipts.map(({ kind, ok }) => [kind, ok])).toEqual([
      ['tool', false],
      ['agent', false],
    ]);
  });

  it('does not call a tool with arguments that its inputSchema forbids', async () => {
    await using lab = bench({ x: script({ toolCalls: [{ name: 'look_up' }] }, { text: 'done' }) });
    let calls = 0;
    const tools = { look_up: () => (calls += 1) };
    const input = { name: 'x', systemPrompt: '', userMessage: '', tools: [lookUp] };
    expect((await refusalOf(lab.call('agent', input, { tools }))).message).toContain(
      "must have required property 'name'",
    );
    expect(calls).toBe(0);
  });

  it('stops between turns when the call is stopped, and while a tool runs', async () => {
    await using lab = bench({
      x: script({ toolCalls: [{ name: 'look_up', arguments: { name: 'a' } }] }, { text: 'done' }),
    });
    const stop = new AbortController();
    const tools = {
      look_up: () => {
        stop.abort(new Error('its process is gone'));
        return new Promise(() => {});
      },
    };
    const input = { name: 'x', systemPrompt: '', userMessage: '', tools: [lookUp] };
    const error = await refusalOf(lab.call('agent', input, { tools, signal: stop.signal }));
    expect(error.code).toBe('cancelled');
    expect(error.message).toBe('the tool look_up was stopped: its process is gone');
  });

  it('does not follow a link that the relay laid in its run folder', async () => {
    await using lab = bench({});
    const elsewhere = join(lab.data.path, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(join(lab.runDir, 'execution'));
    symlinkSync(elsewhere, join(lab.runDir, 'execution/call-3'));
    const error = await refusalOf(lab.call('agent', { name: 'x', systemPrompt: '', userMessage: '' }));
    expect(error.message).toContain("leads out of the run's folder");
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('agent refuses', () => {
  async function refusal(input: Record<string, Json>, fixture: string | null = null): Promise<LabError> {
    await using lab = bench(fixture === null ? {} : { x: fixture }, { skills: ['skills/refunds'] });
    return await refusalOf(lab.call('agent', { name: 'x', systemPrompt: '', userMessage: 'hello', ...input }));
  }

  it.each([
    ['no message', { userMessage: null }, '"userMessage" is null: expected userMessage (a text) or messages'],
    ['both kinds of messages', { messages: ['a'] }, 'expected either userMessage or messages, not both'],
    ['an empty list', { userMessage: null, messages: [] }, '"messages" is []: expected 1 to 100 messages'],
    ['101 messages', { userMessage: null, messages: Array<string>(101).fill('') }, 'expected 1 to 100 messages'],
    ['101 turns', { maxTurns: 101 }, '"maxTurns" is 101'],
    ['0 turns', { maxTurns: 0 }, '"maxTurns" is 0'],
    ['a name that is a path', { name: '../x' }, '"name" is "../x": expected 1 to 64 letters'],
    ['an unknown option', { temperature: 1 }, 'the key "temperature" is unknown'],
    [
      'an unknown skill',
      { skills: ['skills/sales'] },
      'asks for the skill skills/sales; relay.json lists skills/refunds',
    ],
  ])('%s', async (_, input, sentence) => {
    const error = await refusal(input);
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain(sentence);
  });

  it('an outputSchema of no use before anything happens, naming the place', async () => {
    const error = await refusal({ outputSchema: { type: 'objekt' } });
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain('the outputSchema of agent x is no JSON Schema that can be used: /type must be');
  });

  it('an answer that is not JSON though there is an outputSchema', async () => {
    const error = await refusal({ outputSchema: { type: 'object' } }, script({ text: 'Here you are: {}' }));
    expect(error.code).toBe('platform-failed');
    expect(error.facts).toEqual({ agent: 'x', reason: 'output-not-json', output: 'Here you are: {}' });
    expect(error.message).toContain('its last message is not JSON: "Here you are: {}"');
  });

  it('an answer that does not meet the outputSchema, naming each place', async () => {
    const outputSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['id'] };
    const error = await refusal({ outputSchema }, script({ json: { total: 'ten' } }));
    expect(error.code).toBe('platform-failed');
    expect(error.facts).toMatchObject({
      reason: 'output-schema',
      violations: ["the whole value must have required property 'id'", '/total must be number'],
      output: { total: 'ten' },
    });
  });

  it('to go on after maxTurns', async () => {
    const turn = { toolCalls: [{ name: 'look_up', arguments: { name: 'a' } }] };
    await using lab = bench({ x: script(turn, turn, { text: 'done' }) });
    const input = { name: 'x', systemPrompt: '', userMessage: '', tools: [lookUp] };
    const options = { tools: { look_up: () => 1 } };
    const error = await refusalOf(lab.call('agent', { ...input, maxTurns: 2 }, options));
    expect(error.message).toContain('did not end its answer within maxTurns = 2 turns');
    expect(await lab.call('agent', { ...input, maxTurns: 3 }, options)).toBe('done');
  });

  it.each([
    ['is not JSON', '{turns', 'fixtures/x.json is not JSON'],
    ['is of another shape', '{"turns":[{"say":"x"}]}', 'fixtures/x.json cannot be used: "turns.0" is {"say":"x"}'],
    [
      'calls a tool that the agent lacks',
      script({ toolCalls: [{ name: 'fly' }] }),
      'called the tool "fly", which it does not have: it has none',
    ],
    ['has too few turns', script({ text: 'a' }), 'fixtures/x.json has 1 turns, and agent x needs one more'],
    [
      'names a value that is not there',
      script({ text: '{{order.id}}' }),
      'fixtures/x.json: {{order.id}} stands for nothing; there is message',
    ],
  ])('a script that %s', async (_, text, sentence) => {
    const error = await refusal({ userMessage: null, messages: ['one', 'two'] }, text);
    expect(error.code).toBe('platform-failed');
    expect(error.message).toContain(sentence);
  });
});
