import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { LabError } from '../../runtime/contract/index.ts';

export const runTabs = ['timeline', 'operations', 'ledgers', 'graph', 'trace', 'events', 'files'] as const;
export type RunTab = (typeof runTabs)[number];

/** What fills the middle of the page. */
export type Place =
  | { readonly kind: 'welcome' }
  /** `run` is one of its runs, shown beside it. */
  | { readonly kind: 'scenario'; readonly name: string; readonly run?: string }
  | { readonly kind: 'relay'; readonly folder: string }
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'vault' }
  | { readonly kind: 'run'; readonly run: string };

export type Dialog =
  | { readonly kind: 'new-run'; readonly folder: string | null }
  | { readonly kind: 'open-relay' }
  | { readonly kind: 'reconcile'; readonly run: string; readonly operation: string }
  | { readonly kind: 'fork'; readonly run: string; readonly operation: string | null }
  | { readonly kind: 'cancel'; readonly run: string }
  | { readonly kind: 'permissions' }
  /** A name that is given is not asked for. */
  | { readonly kind: 'set-secret'; readonly name: string | null }
  | { readonly kind: 'remove-secret'; readonly name: string }
  | { readonly kind: 'settings' }
  | { readonly kind: 'doctor' }
  | { readonly kind: 'palette' };

/** A word to the person that goes away by itself, or an error that stays until it is read. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly error: LabError | null;
}

interface ViewState {
  readonly place: Place;
  readonly tab: RunTab;
  /** The operation that the inspector shows, of the run in view. */
  readonly operation: string | null;
  readonly dialog: Dialog | null;
  readonly notices: readonly Notice[];
  readonly theme: 'system' | 'light' | 'dark';
  readonly inspectorOpen: boolean;
  readonly terminalOpen: boolean;
  /** What lies over the middle on a narrow page. */
  readonly overlay: 'side' | 'inspector' | null;
  /** Sections of the side that are folded. */
  readonly folded: readonly string[];
  /** Crash points chosen on the page for the next attempt of a run, by run. */
  readonly plans: Readonly<Record<string, readonly string[]>>;
}

/** How the person looks at it: what is worth it is kept in the browser and mirrored into the address. */
export const useView = create<ViewState>()(
  persist(
    (): ViewState => ({
      place: { kind: 'welcome' },
      tab: 'timeline',
      operation: null,
      dialog: null,
      notices: [],
      theme: 'system',
      inspectorOpen: true,
      terminalOpen: true,
      overlay: null,
      folded: [],
      plans: {},
    }),
    {
      name: 'recovery-lab-view',
      partialize: ({ place, tab, theme, inspectorOpen, terminalOpen, folded, plans }) => ({
        place,
        tab,
        theme,
        inspectorOpen,
        terminalOpen,
        folded,
        plans,
      }),
    },
  ),
);

export function go(place: Place): void {
  useView.setState({ place, operation: null, overlay: null });
}

/** The run that is on the page, by itself or beside its scenario. */
export function runInView(place: Place): string | null {
  return place.kind === 'run' || place.kind === 'scenario' ? (place.run ?? null) : null;
}

export function openDialog(dialog: Dialog | null): void {
  useView.setState({ dialog });
}

export function select(operation: string | null): void {
  useView.setState({ operation });
}

let noticesSoFar = 0;

export function notify(text: string, error: LabError | null = null): void {
  const notice = { id: (noticesSoFar += 1), text, error };
  useView.setState(({ notices }) => ({ notices: [...notices, notice].slice(-5) }));
}

export function dismiss(id: number): void {
  useView.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
}
