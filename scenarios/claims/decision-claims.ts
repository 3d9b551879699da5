import { eventData } from '../../runtime/contract/index.ts';
import { says, type Claim } from '../claim.ts';
import type { RunFacts } from '../run-facts.ts';

/** The decision, its receipt and its event, with who decided. */
export function decidedBy(kind: 'accept' | 'again' | 'fail', by: string): Claim<RunFacts> {
  return says('decision', `${kind} by ${by}, with a receipt`, ({ receipts, events }) => {
    const decided = events.filter(({ type }) => type === 'operation.decided');
    const told = decided.map(({ data }) => eventData['operation.decided'].parse(data));
    const kept = receipts.filter((receipt) => receipt.kind === 'reconciliation');
    const matching = kept.filter(({ operation }) => operation !== null && operation === decided[0]?.operation);
    return `${told.map((one) => `${one.decision} by ${one.by}`).join(' and ') || 'none'}, ${matching.length === 1 && kept.length === 1 ? 'with a receipt' : `with ${kept.length} receipts`}`;
  });
}

/** Nobody was asked: the run never waited for a decision, and none was made. */
export const nobodyAsked: Claim<RunFacts> = says('questions', 'nobody was asked', ({ receipts, events }) => {
  const asked = events.filter(
    ({ type, data }) => type === 'run.moved' && eventData['run.moved'].parse(data).to === 'needs_reconciliation',
  ).length;
  const decided = receipts.filter(({ kind }) => kind === 'reconciliation').length;
  return asked + decided === 0 ? 'nobody was asked' : `asked ${asked} times, ${decided} decisions`;
});
