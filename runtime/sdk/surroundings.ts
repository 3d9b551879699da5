import { refuse } from './call-check.ts';
import { theSession } from './session.ts';

/** The relay's variables, flat texts, frozen. Filled before any of the relay's code runs. */
export const variables: Readonly<Record<string, string>> = {};

/** The relay's own folder in that of its run, an absolute path: the only place that it may write to. */
export let runDir = '';

export function furnish(given: Readonly<Record<string, string>>, folder: string): void {
  Object.freeze(Object.assign(variables, given));
  runDir = folder;
}

/** Asks whether this run may still go on, live. Rejects with an AdmissionDeniedError when it may not. */
export async function admit(): Promise<void> {
  await theSession().ask('admit', {});
}

/** The base URL of a service named in `relay.json`, resolved now: it may be another in the next attempt. */
export async function service(name: string): Promise<string> {
  return (await theSession().ask('service', { name })) as string;
}

/**
 * A secret by name, as the vault has it now: it may be another in the next attempt, and it is kept in no history.
 * Rejects with code `not-found` for a name that the manifest does not list or the vault does not have, and with an
 * AdmissionDeniedError when it was revoked.
 */
export async function vault(name: string): Promise<string> {
  if (typeof name !== 'string' || name === '') refuse('vault', `the name is ${JSON.stringify(name)}`, 'a text');
  return (await theSession().ask('vault', { name })) as string;
}
