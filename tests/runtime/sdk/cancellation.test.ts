import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedHost, SdkLab } from '../../support/scripted-host.ts';

const lab = new SdkLab();
let waits: string;

beforeAll(async () => {
  await lab.buildSdk();
  waits = await lab.relay('waits');
});
afterAll(() => lab[Symbol.dispose]());

describe('a cancelled run', () => {
  it.each([
    ['sleep', 'sleep DBOS.sleep', 'intended'],
    ['recv', 'recv DBOS.recv', 'intended'],
    ['step', 'step waits', 'intended'],
    ['finishing', 'step finishes', 'checkpointed'],
  ])('is told at its next operation while in %s, and cannot catch its end', async (way, operation, state) => {
    const host = new ScriptedHost(lab, waits, way);
    const end = await host.attempt({
      input: { way },
      onFrame: (frame) =>
        frame.tag === 'intend' || frame.tag === 'perform' ? [{ tag: 'cancel', reason: 'enough' }] : [],
    });
    expect(end.stdout.trim()).toBe('told to stop');
    expect(end.result).toMatchObject({ end: 'cancelled' });
    expect(host.outline).toEqual([`0 ${operation} ${state}`]);
    expect(end.code).toBe(0);
  });
});
