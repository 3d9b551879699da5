import { asLabError, type CallName, type Gives, type Takes } from '../../runtime/contract/index.ts';
import { notify } from '../store/view-store.ts';
import { lab } from './lab.ts';

/** Calls for a person who pressed something: what fails is told as a notice. Gives null then. */
export async function act<N extends CallName>(name: N, input: Takes<N>): Promise<Gives<N> | null> {
  try {
    return await lab.call(name, input);
  } catch (thrown) {
    notify(`Could not ${inWords(name)}`, asLabError(thrown));
    return null;
  }
}

/** `run/recover` as `recover the run`. */
function inWords(name: CallName): string {
  const [noun = '', verb] = name.split('/');
  return verb === undefined ? noun : `${verb.replaceAll('-', ' ')} the ${noun}`;
}
