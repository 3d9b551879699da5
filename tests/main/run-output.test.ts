import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followOutput } from '../../main/feeds/output-follow.ts';
import { resumeAfter, type FeedItem, type FeedTakes } from '../../runtime/contract/index.ts';
import { openSupervisor } from '../../runtime/supervisor/index.ts';
import { openEngineLab } from '../support/engine-lab.ts';
import { RelayFolder } from '../support/relay-folder.ts';

type Item = FeedItem<'run/output'>;
type Place = FeedTakes<'run/output'>['from'];
const beginning: Place = { attempt: 1, stdout: 0, stderr: 0 };

/** Engine, ledger and processes as in a host, and the feed on them. */
async function openLab() {
  const supervisor = await openSupervisor({
    sdk: fileURLToPath(new URL('../../out/main/sdk.mjs', import.meta.url)),
  });
  const lab = await openEngineLab({ supervisor });
  onTestFinished(async () => {
    await lab.close();
    await supervisor.close();
  });
  const runsFolder = join(lab.folder, 'runs');
  const { ledger } = lab;
  const follow = followOutput({
    ledger,
    runsFolder,
    onEvent: (listener) => ledger.onEvent(listener),
    onOutput: (listener) => supervisor.onOutput(listener),
  });
  /** What was given so far, and a way to wait until it fits. */
  function watch(run: string, from: Place = beginning) {
    const items: Item[] = [];
    const { promise: failed, reject } = Promise.withResolvers<never>();
    failed.catch(() => undefined);
    let look = (): void => undefined;
    const give = (item: Item): void => {
      items.push(item);
      look();
    };
    const stop = follow({ run, from }, { give, fail: reject });
    onTestFinished(stop);
    const until = (fits: () => boolean): Promise<void> =>
      Promise.race([
        failed,
        new Promise<void>((resolve) => {
          look = () => {
            if (fits()) resolve();
          };
          look();
        }),
      ]);
    return { items, stop, until };
  }
  return { lab, runsFolder, follow, watch };
}

const textOf = (items: readonly Item[]): string =>
  items.map(({ data }) => Buffer.from(data, 'base64').toString('utf8')).join('');

/** Says a word on one stream after the other, each once the file before it is there. */
const talker = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import { existsSync } from 'node:fs';
async function talk(words: string[]) {
  for (const [number, word] of words.entries()) {
    await DBOS.runStep(
      async () => {
        while (!existsSync('go-' + number)) await new Promise((resolve) => setTimeout(resolve, 5));
        (number % 2 === 0 ? process.stdout : process.stderr).write(word);
      },
      { name: 'say' },
    );
  }
  return 'done';
}
export const run = DBOS.registerWorkflow(talk);
`;

describe('run/output', () => {
  it('gives what comes as it comes, and the same order again to who follows later', async () => {
    const { lab, runsFolder, watch } = await openLab();
    using relay = new RelayFolder(talker);
    const words = ['one ', 'two ', 'three ', 'four ', 'five '];
    const { id } = await lab.start(await lab.publish(relay.path), words);
    const live = watch(id);
    for (const [number] of words.entries()) {
      writeFileSync(join(runsFolder, id, 'work', `go-${number}`), '');
      const said = words.slice(0, number + 1).join('');
      await live.until(() => textOf(live.items) === said);
    }
    await lab.engine.settled(id);
    const later = watch(id);
    await later.until(() => textOf(later.items) === words.join(''));
    expect(later.items).toEqual(live.items);
    expect(live.items.map(({ stream, offset }) => [stream, offset])).toEqual([
      ['stdout', 0],
      ['stderr', 0],
      ['stdout', 4],
      ['stderr', 4],
      ['stdout', 10],
    ]);
    rmSync(join(runsFolder, id, 'attempts/1/output-order'));
    const unordered = watch(id);
    await unordered.until(() => textOf(unordered.items) === 'one three five two four ');
  });

  it('goes on from any place in any attempt, without gap or repeat, into attempts to come', async () => {
    const { lab, runsFolder, watch } = await openLab();
    using relay = new RelayFolder(talker);
    const words = ['one ', 'two ', 'three '];
    const { id } = await lab.start(await lab.publish(relay.path), words, { crash: ['say#2@before-checkpoint'] });
    const live = watch(id);
    for (const number of [0, 1, 2]) writeFileSync(join(runsFolder, id, 'work', `go-${number}`), '');
    await lab.engine.settled(id);
    expect(lab.run(id).state).toBe('interrupted');
    expect((await lab.recover(id)).state).toBe('succeeded');
    await live.until(() => textOf(live.items) === 'one two two three ');
    expect(live.items.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 2]);
    for (const [seen, item] of live.items.entries()) {
      const { from } = live.items.slice(0, seen + 1).reduce((input, one) => resumeAfter('run/output', input, one), {
        run: id,
        from: beginning,
      });
      expect(from.attempt).toBe(item.attempt);
      const rest = watch(id, from);
      await rest.until(() => rest.items.length === live.items.length - seen - 1);
      expect(rest.items).toEqual(live.items.slice(seen + 1));
      rest.stop();
    }
  });

  it('takes 20 MB with one piece of at most 64 KiB in hand, at the pace of who reads', async () => {
    const { lab, runsFolder, follow } = await openLab();
    using relay = new RelayFolder(`
      import { DBOS } from '@dbos-inc/dbos-sdk';
      import { existsSync, writeSync } from 'node:fs';
      async function flood() {
        const line = 'x'.repeat(65_535) + '\\n';
        for (let n = 0; n < 120; n += 1) {
          writeSync(1, line);
          if (n < 40) writeSync(2, line);
        }
        await DBOS.runStep(async () => null, { name: 'flooded' });
      }
      export const run = DBOS.registerWorkflow(flood);
    `);
    const crash = ['flooded@after-checkpoint'];
    const { id } = await lab.finish(await lab.publish(relay.path), null, { crash });
    await lab.recover(id);
    const expected = 2 * 160 * 65_536;
    let received = 0;
    let inHand = 0;
    const complete = Promise.withResolvers<void>();
    const ends = new Map<string, number>();
    const stop = follow(
      { run: id, from: beginning },
      {
        async give({ attempt, stream, offset, data }) {
          inHand += 1;
          const bytes = Buffer.byteLength(data, 'base64');
          const name = `${attempt}/${stream}`;
          try {
            expect(inHand).toBe(1);
            expect(bytes).toBeLessThanOrEqual(65_536);
            expect(offset).toBe(ends.get(name) ?? 0);
          } catch (error) {
            complete.reject(error);
          }
          ends.set(name, offset + bytes);
          received += bytes;
          await new Promise((resolve) => setImmediate(resolve));
          inHand -= 1;
          if (received >= expected) complete.resolve();
        },
        fail: complete.reject,
      },
    );
    await complete.promise;
    stop();
    expect(received).toBe(expected);
    for (const [name, end] of ends) expect(end).toBe(statSync(join(runsFolder, id, 'attempts', name)).size);
  });

  it('is refused for a run that is not there', async () => {
    const { follow } = await openLab();
    const outlet = { give: () => undefined, fail: () => undefined };
    expect(() => follow({ run: 'none', from: beginning }, outlet)).toThrow(/there is no run none/);
  });
});
