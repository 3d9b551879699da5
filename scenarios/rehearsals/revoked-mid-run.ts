import { says, under, type Claim } from '../claim.ts';
import { goesThrough, soundLedger } from '../claims/ledger-claims.ts';
import { attemptsMade, processesGone } from '../claims/process-claims.ts';
import { reasonOf } from '../claims/refusal-claims.ts';
import { serviceDid } from '../claims/service-claims.ts';
import type { RunFacts } from '../run-facts.ts';
import type { Scenario } from '../scenario.ts';

const relay = 'revoked-mid-run';
const resource = `relay:${relay}`;
/** More than it can pack before the permission is gone. */
const items = 1000;

/** The last live check was refused, the only one, and its receipt says why. */
function refusedAt(check: 'admit' | 'mcp'): Claim<RunFacts> {
  const name = check === 'admit' ? 'admit' : 'reserve';
  return {
    name: 'refused',
    expected: `the next ${check === 'admit' ? 'admit()' : 'platform call'}, naming ${resource}`,
    look: ({ receipts }) => {
      const checks = receipts.filter(({ kind }) => kind === 'admission');
      const refused = checks.filter(({ ok }) => !ok);
      const last = checks.at(-1);
      const reason = reasonOf(last?.data);
      const ok =
        refused.length === 1 && last?.ok === false && last.name === name && reason?.includes(resource) === true;
      return { actual: refused.length === 0 ? 'nothing' : `${last?.name}: ${reason}`, ok };
    },
  };
}

/** After the refusal the relay did what its author wrote for it, and nothing else. */
const authorDecided: Claim<RunFacts> = says(
  'end',
  "as the author's code decides: closed early with what was packed",
  ({ run, operations }) => {
    const { result } = run;
    const told = result !== null && typeof result === 'object' && 'packed' in result ? result['packed'] : null;
    const packed = operations.filter(({ name, outcome }) => name === 'pack' && outcome?.ok === true).length;
    const ended = result !== null && typeof result === 'object' && 'ended' in result ? result['ended'] : null;
    if (operations.at(-1)?.name !== 'close-early' || ended !== 'early') return `ended ${JSON.stringify(result)}`;
    if (told !== packed || packed === 0 || packed >= items)
      return `says ${JSON.stringify(told)} packed, and packed ${packed}`;
    return "as the author's code decides: closed early with what was packed";
  },
);

/** The refused call never reached its server: as many reservations as items packed. */
const callNotMade: Claim<RunFacts> = says(
  'inventory',
  'asked once for each item packed, and never for the refused call',
  ({ operations, services: { inventory } }) => {
    const packed = operations.filter(({ name, outcome }) => name === 'pack' && outcome?.ok === true).length;
    return packed > 0 && inventory.attempts === packed && inventory.effects === packed
      ? 'asked once for each item packed, and never for the refused call'
      : `${inventory.attempts} attempts and ${inventory.effects} reservations for ${packed} items`;
  },
);

const common: readonly Claim<RunFacts>[] = [
  authorDecided,
  goesThrough('queued → running → succeeded'),
  attemptsMade(1),
  processesGone,
  ...soundLedger,
];
const rehearsals = [
  {
    check: 'admit' as const,
    claims: under('admit()', [
      refusedAt('admit'),
      serviceDid('inventory', { attempts: 0, keys: 0, effects: 0 }),
      ...common,
    ]),
  },
  { check: 'mcp' as const, claims: under('platform call', [refusedAt('mcp'), callNotMade, ...common]) },
];

export const revokedMidRun: Scenario = {
  name: 'revoked-mid-run',
  title:
    'permission is withdrawn while a run is at work: its next live check is refused, and its author decides the end',
  relay,
  crashPlan: [],
  expects: rehearsals.flatMap(({ claims }) => claims),
  async play(stage) {
    const folder = stage.relayFolder(relay);
    await stage.permit(resource, true);
    for (const { check, claims } of rehearsals) {
      const { id } = await stage.start({ folder, input: { check, items } });
      await stage.event(id, ({ type }) => type === 'operation.checkpointed');
      stage.prove(claims, await stage.withoutPermission(resource, () => stage.settle(id)));
    }
  },
};
