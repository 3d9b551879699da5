import type { Handlers } from '../runtime/contract/index.ts';
import type { Releases } from '../runtime/release/index.ts';

export function releaseHandlers(
  releases: Pick<Releases, 'list' | 'source'>,
): Pick<Handlers, 'release/list' | 'release/source'> {
  return {
    'release/list': () => releases.list(),
    'release/source': async ({ hash, path }) => ({ text: await releases.source(hash, path) }),
  };
}
