import { useView } from '../store/view-store.ts';

/** Chooses a crash point for the next attempt of a run; Recover takes it along. */
export function stage(run: string, point: string): void {
  change(run, (plan) => (plan.includes(point) ? plan : [...plan, point]));
}

export function unstage(run: string, point: string): void {
  change(run, (plan) => plan.filter((one) => one !== point));
}

function change(run: string, to: (plan: readonly string[]) => readonly string[]): void {
  useView.setState(({ plans: { [run]: plan = [], ...others } }) => {
    const next = to(plan);
    return { plans: next.length === 0 ? others : { ...others, [run]: next } };
  });
}
