import type { Attempt, EventType, LabEvent, Operation, Run, ServiceRecord } from '../contract/index.ts';
import { canonicalJson, type Json, type JsonObject } from '../core/index.ts';

/** All that is known of a run at rest, read from outside its relay. */
export interface CrashFacts {
  readonly run: Run;
  readonly attempts: readonly Attempt[];
  readonly operations: readonly Operation[];
  readonly events: readonly LabEvent[];
  /** What the services saw of it. */
  readonly records: readonly ServiceRecord[];
  /** Process ids of its attempts that still live. */
  readonly living: readonly number[];
}

/** What must hold of a run that was killed and recovered, beside the same run without a crash. */
export interface Invariant {
  readonly name: string;
  /** The guarantee of DESIGN.md section 3 that it watches. */
  readonly guarantee: number;
  /** What breaks it, each as a sentence; nothing when it holds. */
  breaks(this: void, facts: CrashFacts, golden: CrashFacts): readonly string[];
}

export const invariants: readonly Invariant[] = [
  {
    name: 'the result is that of the run without a crash',
    guarantee: 2,
    breaks: ({ run }, golden) =>
      run.state === golden.run.state && canonicalJson(run.result) === canonicalJson(golden.run.result)
        ? []
        : [
            `run ${run.id} is ${run.state} with ${canonicalJson(run.result)}; without a crash it is ${golden.run.state} with ${canonicalJson(golden.run.result)}`,
          ],
  },
  {
    name: 'no body is begun again after its checkpoint',
    guarantee: 2,
    breaks: ({ events }) => {
      const done = new Map<string, number>();
      return events.flatMap(({ type, operation, sequence }) => {
        if (operation === null) return [];
        if (type === 'operation.checkpointed') done.set(operation, sequence);
        const checkpoint = done.get(operation);
        return type === 'operation.intended' && checkpoint !== undefined
          ? [`operation ${operation} is begun by event ${sequence} after its checkpoint, event ${checkpoint}`]
          : [];
      });
    },
  },
  {
    name: 'what was checkpointed stays as it was',
    guarantee: 1,
    breaks: ({ operations, events }) => {
      const states = new Map(operations.map(({ id, state }) => [String(id), state]));
      return events.flatMap(({ type, operation }) =>
        type === 'operation.checkpointed' && operation !== null && states.get(operation) !== 'checkpointed'
          ? [`operation ${operation} was checkpointed and is ${states.get(operation) ?? 'not there'}`]
          : [],
      );
    },
  },
  {
    name: 'an effect under one key happens once',
    guarantee: 2,
    breaks: ({ records }) => {
      const effects = counts(
        records.filter(({ effect }) => effect),
        keyOf,
      );
      return [...effects].flatMap(([key, count]) => (count > 1 ? [`${key} left ${count} effects`] : []));
    },
  },
  {
    name: 'the world holds the effects of one run',
    guarantee: 3,
    breaks: ({ records }, golden) => {
      const own = counts(
        records.filter(({ effect }) => effect),
        placeOf,
      );
      const expected = counts(
        golden.records.filter(({ effect }) => effect),
        placeOf,
      );
      return [...new Set([...own.keys(), ...expected.keys()])].flatMap((place) => {
        const [is, was] = [own.get(place) ?? 0, expected.get(place) ?? 0];
        return is === was ? [] : [`${place} left ${is} effects; without a crash ${was}`];
      });
    },
  },
  {
    name: 'an uncertain operation waits for a decision',
    guarantee: 3,
    breaks: ({ operations, events }) => {
      const unsafe = new Set(operations.filter(({ repeatable }) => !repeatable).map(({ id }) => String(id)));
      const begun = new Set<string>();
      return events.flatMap(({ type, operation, sequence }) => {
        if (operation === null || !unsafe.has(operation)) return [];
        if (type === 'operation.decided') begun.delete(operation);
        if (type !== 'operation.intended') return [];
        if (begun.has(operation)) return [`operation ${operation} is begun again by event ${sequence}, undecided`];
        begun.add(operation);
        return [];
      });
    },
  },
  {
    name: 'one executor at a time',
    guarantee: 4,
    breaks: ({ events }) => {
      let open: number | null = null;
      return events.flatMap(({ type, attempt, sequence }) => {
        if (type === 'attempt.ended') open = null;
        if (type !== 'run.claimed') return [];
        const before = open;
        open = attempt;
        return before === null
          ? []
          : [`attempt ${attempt ?? 0} is claimed by event ${sequence} while ${before} is open`];
      });
    },
  },
  {
    name: 'nothing follows the end',
    guarantee: 5,
    breaks: ({ events }) => {
      const end = events.findIndex(({ data }) => ends.has(field(data, 'to') ?? null));
      const after = end === -1 ? undefined : events.slice(end + 1).find(({ type }) => ofWork.has(type));
      return after === undefined ? [] : [`event ${after.sequence} (${after.type}) comes after the run's end`];
    },
  },
  {
    name: 'attempts stay within the budget',
    guarantee: 8,
    breaks: ({ run, attempts }) =>
      attempts.length <= run.attemptBudget && attempts.length === run.attempts
        ? []
        : [`${attempts.length} attempts; the run counts ${run.attempts} of ${run.attemptBudget}`],
  },
  {
    name: 'sequence numbers have no gap',
    guarantee: 9,
    breaks: ({ run, events }) => {
      const gap = events.findIndex(({ sequence }, place) => sequence !== place + 1);
      if (gap !== -1) return [`in the place of event ${gap + 1} stands ${events[gap]?.sequence ?? 0}`];
      return run.lastSequence === events.length ? [] : [`${events.length} events; the run counts ${run.lastSequence}`];
    },
  },
  {
    name: 'revisions rise by one',
    guarantee: 9,
    breaks: ({ run, events }) => {
      const revisions = [1, ...events.flatMap(({ data }) => field(data, 'revision') ?? []).map(Number)];
      const jump = revisions.findIndex((revision, place) => revision !== place + 1);
      if (jump !== -1) return [`revision ${revisions[jump - 1] ?? 0} is followed by ${revisions[jump] ?? 0}`];
      return run.revision === revisions.length
        ? []
        : [`the last event says revision ${revisions.length}; the run says ${run.revision}`];
    },
  },
  {
    name: 'no process is left',
    guarantee: 4,
    breaks: ({ living }) => living.map((pid) => `process ${pid} of an attempt still lives`),
  },
];

/** Every broken invariant with what breaks it. */
export function brokenInvariants(
  facts: CrashFacts,
  golden: CrashFacts,
): readonly { readonly invariant: string; readonly what: string }[] {
  return invariants.flatMap(({ name, breaks }) => breaks(facts, golden).map((what) => ({ invariant: name, what })));
}

/** Points of the plan that did not fire: such a case proves nothing, it is void. */
export function missedPoints({ attempts }: Pick<CrashFacts, 'attempts'>): readonly string[] {
  return attempts.flatMap(({ crashPlan }) =>
    crashPlan.filter(({ state }) => state !== 'fired').map(({ point }) => point),
  );
}

const ends: ReadonlySet<Json> = new Set(['succeeded', 'failed', 'cancelled']);
const ofWork = new Set<EventType>(['run.claimed', 'run.moved', 'operation.intended', 'operation.checkpointed']);

const keyOf = ({ service, reference, id }: ServiceRecord): string => `${service} ${reference ?? `request ${id}`}`;
/** What stays the same in another run of the same relay. */
const placeOf = ({ service, path, operation }: ServiceRecord): string =>
  `${service} ${path}${operation === null ? '' : ` of operation ${operation}`}`;

function counts<One>(all: readonly One[], keyOf: (one: One) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const one of all) found.set(keyOf(one), (found.get(keyOf(one)) ?? 0) + 1);
  return found;
}

function field(data: Json, name: string): Json | undefined {
  return typeof data === 'object' && data !== null ? (data as JsonObject)[name] : undefined;
}
