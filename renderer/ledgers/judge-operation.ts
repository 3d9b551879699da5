import { counted } from './counted.ts';
import type { JoinedOperation } from './join-ledgers.ts';

/**
 * How both ledgers stand to each other over one operation. `ahead`: a service has done it and the program does not know
 * yet. `unknown`: nor may it ever find out by itself. `none`: no service was turned to.
 */
export interface Verdict {
  readonly kind: 'none' | 'once' | 'repeated' | 'refused' | 'ahead' | 'unknown' | 'doubled' | 'lost';
  /** One line; empty for `none`. */
  readonly words: string;
}

/** The most serious thing that can be said of the operation. */
export function judge(facts: Omit<JoinedOperation, 'verdict'>): Verdict {
  const { operation, isUncertain, requests, effects, doubled, lost, keys } = facts;
  const [first] = keys;
  if (doubled > 0) {
    const why = keys.length === 1 && first?.reference !== null ? 'with one key' : 'over its bodies';
    return {
      kind: 'doubled',
      words: `${counted(effects, 'effect')} for ${counted(requests, 'request')} ${why}: doubled`,
    };
  }
  if (lost.length > 0) {
    return {
      kind: 'lost',
      words: `completed, yet ${lost.join(' and ')} saw nothing of it: lost`,
    };
  }
  if (requests === 0) return { kind: 'none', words: '' };
  if (operation.state === 'cut' && effects > 0) {
    return isUncertain
      ? {
          kind: 'unknown',
          words: `${counted(effects, 'effect')}, no checkpoint: the program cannot know; a person decides`,
        }
      : { kind: 'ahead', words: `${counted(effects, 'effect')}, no checkpoint: the service is ahead of the program` };
  }
  if (operation.state === 'open' && effects > 0) {
    return { kind: 'ahead', words: `${counted(effects, 'effect')}, no checkpoint yet: still at work` };
  }
  if (effects === 0) {
    const isAnswered = keys.some((key) => key.requests.some(({ outcome }) => outcome === 'repeated'));
    return isAnswered
      ? { kind: 'repeated', words: 'answered from a key whose effect stands from another run' }
      : { kind: 'refused', words: `${counted(requests, 'request')} without an effect: refused` };
  }
  if (requests > effects) {
    const withKeys = keys.length === 1 ? 'with one key' : `with ${keys.length} keys`;
    return {
      kind: 'repeated',
      words: `${counted(effects, 'effect')} for ${counted(requests, 'request')} ${withKeys}: repeated safely`,
    };
  }
  return { kind: 'once', words: `${counted(effects, 'effect')} for ${counted(requests, 'request')}: exactly once` };
}
