import { LabError } from '../core/index.ts';
import type { Release, Releases } from './ports.ts';

/** The release that a run is bound to, verified now. Throws `binding-changed`, also when it is not there any more. */
export async function boundRelease(releases: Releases, hash: string): Promise<Release> {
  try {
    return await releases.verify(hash);
  } catch (thrown) {
    if (!(thrown instanceof LabError) || thrown.code !== 'not-found') throw thrown;
    throw new LabError(
      'binding-changed',
      `the binding release is gone: ${thrown.message}`,
      'Put its folder back, or start a run of the same relay content: that publishes the same release again.',
      { binding: 'release', release: hash },
    );
  }
}
