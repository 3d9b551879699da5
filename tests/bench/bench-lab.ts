import { fileURLToPath } from 'node:url';
import type { Supervisor } from '../../runtime/engine/index.ts';
import { openEngineLab, type EngineLab } from '../support/engine-lab.ts';

export interface BenchLab extends EngineLab {
  /** Starts a run of `steps` steps; gives its id. */
  startSteps(steps: number, options?: { crash?: readonly string[]; recovery?: 'off' | 'immediate' }): Promise<string>;
}

/** With real processes, or with those of the given supervisor. */
export async function openBenchLab(supervisor: Supervisor | null): Promise<BenchLab> {
  const lab = await openEngineLab(supervisor === null ? {} : { supervisor });
  const release = await lab.publish(fileURLToPath(new URL('./relays/steps', import.meta.url)));
  return {
    ...lab,
    startSteps: async (steps, options) => (await lab.start(release, { steps }, options)).id,
  };
}
