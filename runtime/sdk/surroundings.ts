import { LabError } from '../core/index.ts';
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

/** A secret by name. Not there yet: always rejects with `not-supported`. */
export async function vault(name: string): Promise<string> {
  return Promise.reject(new LabError('not-supported', `vault("${name}"): this lab has no vault yet`));
}
