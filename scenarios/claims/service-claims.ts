import { counted, says, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

const effects = { 'order-service': 'order', 'audit-log': 'line', inventory: 'reservation' } as const;
type Service = keyof typeof effects;

/** What a service's own database holds of the run: requests, the different keys they carried, and what they left. */
export function serviceDid(
  service: Service,
  did: { readonly attempts: number; readonly keys: number; readonly effects: number },
): Claim<RunFacts> {
  const text = (attempts: number, keys: number, left: number): string =>
    `${counted(attempts, 'attempt')} with ${counted(keys, 'key')}, ${counted(left, effects[service])}`;
  return says(service, text(did.attempts, did.keys, did.effects), ({ services }) => {
    const found = services[service];
    return text(found.attempts, found.keys.length, found.effects);
  });
}

/** Platform calls by their receipts, in order: `tool lookup_customer, agent extract`. A failed one is marked. */
export function receiptsAre(text: string): Claim<RunFacts> {
  return says('receipts', text, ({ receipts }) =>
    receipts
      .filter(({ kind }) => kind !== 'admission')
      .map(({ kind, name, ok }) => `${kind} ${name}${ok ? '' : ' failed'}`)
      .join(', '),
  );
}

/** The live check was made before every attempt that was started. */
export const everyAttemptAdmitted: Claim<RunFacts> = {
  name: 'admission',
  expected: 'granted before every attempt',
  look: ({ receipts, attempts }) => {
    const granted = receipts.filter(({ kind, name, ok }) => kind === 'admission' && name === 'attempt' && ok).length;
    const ok = granted >= attempts.length && attempts.length > 0;
    return ok
      ? { actual: 'granted before every attempt', ok }
      : { actual: `${granted} granted, ${counted(attempts.length, 'attempt')}`, ok };
  },
};
