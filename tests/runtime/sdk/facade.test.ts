import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../runtime/core/index.ts';
import { ScriptedHost, SdkLab, type Frame } from '../../support/scripted-host.ts';

const lab = new SdkLab();
const real = createRequire(import.meta.url)('@dbos-inc/dbos-sdk') as Record<string, object>;
const has = [
  'registerWorkflow',
  'workflow',
  'registerStep',
  'step',
  'runStep',
  'startWorkflow',
  'sleep',
  'sleepms',
  'sleepSeconds',
  'now',
  'randomUUID',
  'send',
  'recv',
  'setEvent',
  'getEvent',
  'writeStream',
  'closeStream',
  'readStream',
  'workflowID',
  'stepID',
  'stepStatus',
  'logger',
  'getWorkflowStatus',
  'listWorkflows',
  'listWorkflowSteps',
  'getResult',
  'retrieveWorkflow',
  'cancelWorkflow',
  'forkWorkflow',
  'withNextWorkflowID',
  'withWorkflowTimeout',
  'patch',
  'isInitialized',
  'isWithinWorkflow',
  'isInWorkflow',
  'isInStep',
  'isInTransaction',
];
const owned = ['launch', 'shutdown', 'setConfig'];
const absent = Object.getOwnPropertyNames(real['DBOS']).filter(
  (name) => ![...has, ...owned, 'length', 'name', 'prototype'].includes(name),
);
let facade: string;
let surroundings: string;

beforeAll(async () => {
  await lab.buildSdk();
  facade = await lab.relay('facade');
  surroundings = await lab.relay('surroundings');
});
afterAll(() => lab[Symbol.dispose]());

const other = {
  workflow: 'other',
  name: 'facade',
  status: 'SUCCESS',
  output: '{"json":"its result"}',
  error: null,
  input: null,
  createdAt: 1,
  updatedAt: 2,
  recoveryAttempts: 1,
};
const step = {
  id: '3.1',
  name: 's',
  output: '{"json":5}',
  error: null,
  childWorkflow: null,
  startedAt: 1,
  completedAt: 2,
};
function answer({ question, input }: Frame<'ask'>): Json {
  const { workflow, newWorkflow } = input as { workflow: string; newWorkflow: string };
  switch (question) {
    case 'workflow-status':
      return workflow === 'other' ? other : { ...other, workflow, status: 'PENDING', output: null };
    case 'list-workflows':
      return [other];
    case 'list-steps':
      return [step, { ...step, id: '4', output: null, error: { name: 'Error', message: 'failed' } }];
    case 'fork-workflow':
      return newWorkflow;
    default:
      return null;
  }
}

describe('the DBOS facade', () => {
  it('records what would differ from attempt to attempt, and answers it from history', async () => {
    const host = new ScriptedHost(lab, facade);
    const first = await host.attempt({ answer, killAt: 'DBOS.cancelWorkflow@after-checkpoint' });
    expect(first.result).toBeNull();
    const end = await host.attempt({ answer });
    const value = JSON.parse(end.result?.outcome.ok === true ? end.result.outcome.value : 'null') as Record<
      string,
      unknown
    >;
    expect(value).toMatchObject({
      atImport: 'outside undefined',
      probed: {
        in: [true, false, true, false],
        step: 2,
        status: [2, null, false],
        now: 'number',
        inner: 'plain 2',
      },
      own: 'PENDING',
      listed: [['other', 'its result']],
      steps: [
        [1, 's', 5, null],
        [4, 's', null, 'failed'],
      ],
      other: 'its result',
      again: 'its result',
      fork: 'forked',
      status: 'SUCCESS',
    });
    expect(host.entry('0')?.outcome).toEqual({ ok: true, value: JSON.stringify({ json: value['now'] }) });
    expect(value['uuid']).toMatch(/^[0-9a-f-]{36}$/);
    expect(host.outline.map((line) => line.replace(' checkpointed', ''))).toEqual([
      '0 step DBOS.now',
      '1 step DBOS.randomUUID',
      '2 step probe',
      '3 step logs',
      '4 step DBOS.getStatus',
      '5 step DBOS.listWorkflows',
      '6 step DBOS.listWorkflowSteps',
      '7 step DBOS.getResult',
      '8 step DBOS.getResult',
      '9 step DBOS.forkWorkflow',
      '10 step DBOS.cancelWorkflow',
      '11 step DBOS.getStatus',
    ]);
  });

  it('sends log entries with the operation that they were written in', async () => {
    const end = await new ScriptedHost(lab, facade, 'logs').attempt({ answer });
    const logs = end.frames.filter((frame) => frame.tag === 'log');
    expect(logs).toMatchObject([
      { level: 'info', message: 'in the workflow', operation: null, fields: { includeContextMetadata: true } },
      { level: 'error', message: expect.stringContaining('Error: in a step') as string, operation: '3' },
      { level: 'warn', message: '{ a: 1 }', operation: '3' },
    ]);
  });

  it('names what it does not have and says which engine has, and leaves its start to the platform', async () => {
    const end = await new ScriptedHost(lab, facade, 'absent').attempt({ input: { absent: [...absent, ...owned] } });
    expect(JSON.parse(end.result?.outcome.ok === true ? end.result.outcome.value : 'null')).toEqual([
      ...absent.map((name) => `DBOS.${name} is not in the embedded engine; the dbos engine has it`),
      ...owned.map((name) => `DBOS.${name} belongs to the platform, which starts and ends the engine`),
    ]);
    expect(absent.length).toBeGreaterThan(30);
  });
});

describe('agentworks', () => {
  it('gives variables, folder, services and admission of the run', async () => {
    const denial = Object.assign(new Error('revoked'), { name: 'AdmissionDeniedError', code: 'admission-denied' });
    const end = await new ScriptedHost(lab, surroundings).attempt({
      variables: { region: 'eu' },
      platform: () => Promise.reject(denial),
      answer: ({ question, input }) => {
        if (question === 'admit') throw denial;
        return question === 'vault' ? `value of ${(input as { name: string }).name}` : 'http://127.0.0.1:1';
      },
    });
    expect(JSON.parse(end.result?.outcome.ok === true ? end.result.outcome.value : 'null')).toEqual({
      admitted: 'admission-denied',
      denied: 'revoked',
      url: 'http://127.0.0.1:1',
      region: 'eu',
      frozen: true,
      inRunDir: true,
      secret: 'value of TOKEN',
    });
  });

  const base = { name: 'a', systemPrompt: 's', userMessage: 'u' };
  it.each<[Json, 'agent' | 'mcp' | 'tool', string]>([
    [{ ...base, name: 'a b' }, 'agent', 'agent: name is "a b"; expected 1 to 64 letters'],
    [{ ...base, systemPrompt: 1 }, 'agent', 'agent("a"): systemPrompt is number; expected a text'],
    [{ ...base, messages: ['m'] }, 'agent', 'agent("a"): both are given; expected either userMessage or messages'],
    [{ name: 'a', systemPrompt: 's' }, 'agent', 'agent("a"): there is no message'],
    [
      { name: 'a', systemPrompt: 's', messages: [] },
      'agent',
      'messages has 0 entries; expected a list of 1 to 100 texts',
    ],
    [{ name: 'a', systemPrompt: 's', messages: ['m', 2] }, 'agent', 'messages[1] is number; expected a text'],
    [{ ...base, maxTurns: 0 }, 'agent', 'maxTurns is 0; expected 1 to 100'],
    [{ ...base, max_turns: 3 }, 'agent', 'agent: there is no option "max_turns"'],
    [{ ...base, tools: [{ name: 't' }, { name: 't' }] }, 'agent', 'two tools are named "t"'],
    [{ ...base, recovery: 'restart', replaySafe: true }, 'agent', 'recovery and replaySafe are both given'],
    [{ ...base, recovery: 'again' }, 'agent', 'recovery is "again"; expected "restart"'],
    [{ ...base, recovery: 'restart', skills: ['s'] }, 'agent', 'skills are given with recovery: "restart"'],
    [{ ...base, recovery: 'restart', mcp: [{ server: 's' }] }, 'agent', 'mcp is given with recovery: "restart"'],
    [{ server: 's' }, 'mcp', 'mcp: tool is undefined; expected a name'],
    [{ name: 't' }, 'tool', 'tool "t": run is undefined; expected a function'],
  ])('refuses %j', async (call, kind, message) => {
    const host = new ScriptedHost(lab, surroundings, 'refused');
    const end = await host.attempt({ input: { call, kind } });
    expect(end.result?.outcome.ok).toBe(false);
    expect(end.result?.outcome.ok === false ? end.result.outcome.error.message : '').toContain(message);
    expect(host.outline).toEqual([]);
  });
});

describe('the bundle', () => {
  it('exports every value that the real package exports, and what agentworks promises', async () => {
    const { metafile } = await build({
      entryPoints: [lab.sdk],
      bundle: true,
      format: 'esm',
      platform: 'node',
      metafile: true,
      write: false,
      outfile: 'x',
    });
    const names = Object.values(metafile.outputs)[0]?.exports ?? [];
    const agentworks = [
      'AdmissionDeniedError',
      'admit',
      'agent',
      'mcp',
      'runDir',
      'service',
      'tool',
      'variables',
      'vault',
    ];
    expect(names.sort()).toEqual([...Object.keys(real), ...agentworks].sort());
  });

  it('is small', () => {
    expect(statSync(lab.sdk).size).toBeLessThan(80 * 1024);
  });

  it('has fixtures that type-check against the real package', { timeout: 60_000 }, () => {
    const project = fileURLToPath(new URL('../../fixtures/sdk-relays', import.meta.url));
    const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});
