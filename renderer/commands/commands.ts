import { isLive, isTerminal, type Run } from '../../runtime/contract/index.ts';
import { act } from '../lab/act.ts';
import { useLab } from '../store/lab-store.ts';
import { useOpenRun } from '../store/open-run.ts';
import { go, notify, openDialog, runInView, useView, type RunTab } from '../store/view-store.ts';
import { exportRun } from './export-run.ts';
import { playAll } from './play-scenario.ts';
import { recoverRun } from './recover-run.ts';
import { reconcileRun } from './reconcile-run.ts';

/** What commands look at to say whether they can be given now. */
export interface CommandState {
  readonly isConnected: boolean;
  /** The run in view. */
  readonly run: Run | null;
  /** The selected operation of it that waits between two tries. */
  readonly retrying: string | null;
}

export interface Command {
  readonly label: string;
  readonly group: 'Lab' | 'Run' | 'View';
  /** As `Mod+K` or `Alt+R`; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys?: string;
  /** What it does, and what is lost by it. */
  readonly hint: string;
  enabled(this: void, state: CommandState): boolean;
  run(this: void): void | Promise<void>;
}

/** The one table of commands: buttons, palette, shortcuts and the window's menu take them from here, by id. */
const table = {
  'new-run': {
    ...{ label: 'New run…', group: 'Lab', keys: 'Alt+N', hint: 'Start a relay with an input and a crash plan' },
    enabled: connected,
    run: () => openDialog({ kind: 'new-run', folder: folderInView() }),
  },
  'open-relay': {
    ...{ label: 'Open relay…', group: 'Lab', keys: 'Alt+O', hint: 'Open the folder of a relay of your own' },
    enabled: connected,
    run: () => openDialog({ kind: 'open-relay' }),
  },
  'play-all': {
    ...{ label: 'Play all scenarios', group: 'Lab', hint: 'Play every scenario, one after the other' },
    enabled: connected,
    run: playAll,
  },
  permissions: {
    ...{ label: 'Permissions…', group: 'Lab', keys: 'Alt+P', hint: 'Grant and revoke what runs may use, live' },
    enabled: always,
    run: () => openDialog({ kind: 'permissions' }),
  },
  vault: {
    ...{ label: 'Vault', group: 'Lab', keys: 'Alt+V', hint: 'Set secrets for relays, and see which ask for them' },
    enabled: always,
    run: () => go({ kind: 'vault' }),
  },
  doctor: {
    ...{ label: 'Doctor…', group: 'Lab', hint: 'Check what this lab rests on' },
    enabled: connected,
    run: () => openDialog({ kind: 'doctor' }),
  },
  settings: {
    ...{ label: 'Settings…', group: 'Lab', keys: 'Mod+,', hint: 'Theme, recovery policy, data folder, shortcuts' },
    enabled: always,
    run: () => openDialog({ kind: 'settings' }),
  },
  palette: {
    ...{ label: 'Command palette…', group: 'Lab', keys: 'Mod+K', hint: 'Find a command, scenario, relay or run' },
    enabled: always,
    run: () => openDialog({ kind: 'palette' }),
  },
  recover: {
    ...{ label: 'Recover same run', group: 'Run', keys: 'Alt+R' },
    hint: 'Start the next attempt: what is checkpointed is reused',
    enabled: onRun(({ state }) => state === 'interrupted'),
    run: withRun(recoverRun),
  },
  reconcile: {
    ...{ label: 'Reconcile…', group: 'Run', keys: 'Alt+D' },
    hint: 'Decide an operation of which nobody knows whether it took effect',
    enabled: onRun(({ state }) => state === 'needs_reconciliation'),
    run: withRun(reconcileRun),
  },
  kill: {
    ...{ label: 'Kill now', group: 'Run', keys: 'Alt+K' },
    hint: 'SIGKILL to the process group now, as a crash: what is not checkpointed is lost',
    enabled: onRun(({ state }) => isLive(state)),
    run: withRun(async ({ id, revision }) => {
      await act('run/kill', { run: id, revision });
    }),
  },
  cancel: {
    ...{ label: 'Cancel…', group: 'Run', hint: 'Ask the run to stop for good' },
    enabled: onRun(({ state }) => !isTerminal(state) && state !== 'cancel_requested'),
    run: withRun(({ id }) => openDialog({ kind: 'cancel', run: id })),
  },
  fork: {
    ...{ label: 'Fork…', group: 'Run', keys: 'Alt+F', hint: 'A new run from a chosen operation of this one' },
    enabled: onRun(() => true),
    run: withRun(({ id }) => openDialog({ kind: 'fork', run: id, operation: useView.getState().operation })),
  },
  'retry-now': {
    ...{ label: 'Retry now', group: 'Run', hint: 'The next try of the selected operation, without waiting longer' },
    enabled: ({ isConnected, retrying }) => isConnected && retrying !== null,
    run: withRun(async ({ id }) => {
      const operation = retryingOperation();
      if (operation !== null) await act('run/retry-now', { run: id, operation });
    }),
  },
  export: {
    ...{ label: 'Export', group: 'Run', keys: 'Alt+E', hint: 'Save everything that the ledger holds of the run' },
    enabled: onRun(() => true),
    run: withRun(exportRun),
  },
  'copy-run-id': {
    ...{ label: 'Copy the run’s id', group: 'Run', hint: 'The whole id, to the clipboard' },
    enabled: ({ run }) => run !== null,
    run: withRun(async ({ id }) => {
      await navigator.clipboard.writeText(id);
      notify(`Copied ${id}`);
    }),
  },
  'tab-timeline': tab('timeline', 'Timeline', 1),
  'tab-operations': tab('operations', 'Operations', 2),
  'tab-ledgers': tab('ledgers', 'Two ledgers', 3),
  'tab-graph': tab('graph', 'Graph', 4),
  'tab-trace': tab('trace', 'Trace', 5),
  'tab-events': tab('events', 'Events', 6),
  'tab-files': tab('files', 'Files', 7),
  welcome: {
    ...{ label: 'Welcome', group: 'View', hint: 'The three ways to begin' },
    enabled: always,
    run: () => go({ kind: 'welcome' }),
  },
  'toggle-inspector': {
    ...{ label: 'Show or hide the inspector', group: 'View', keys: 'Alt+I', hint: 'What is known of the selection' },
    enabled: always,
    run: () => void useView.setState(({ inspectorOpen }) => ({ inspectorOpen: !inspectorOpen })),
  },
  'toggle-terminal': {
    ...{ label: 'Show or hide the terminal', group: 'View', keys: 'Alt+T', hint: 'What the run’s processes wrote' },
    enabled: always,
    run: () => void useView.setState(({ terminalOpen }) => ({ terminalOpen: !terminalOpen })),
  },
  'toggle-theme': {
    ...{ label: 'Light or dark', group: 'View', hint: 'Turn the theme over' },
    enabled: always,
    run: () =>
      void useView.setState({ theme: document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark' }),
  },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof table;
export const commands: Readonly<Record<CommandId, Command>> = table;
export const commandIds = Object.keys(table) as CommandId[];

/** Gives a command by id, as the window's menu does. Nothing happens for one that is unknown or cannot be given now. */
export function giveCommand(id: string): void {
  const command = Object.hasOwn(commands, id) ? commands[id as CommandId] : null;
  if (command?.enabled(commandState()) === true) void command.run();
}

export function commandState(): CommandState {
  const { connection, runs } = useLab.getState();
  const id = runInView(useView.getState().place);
  return {
    isConnected: connection.state === 'open',
    run: id === null ? null : (runs[id] ?? null),
    retrying: retryingOperation(),
  };
}

/** The selected operation when it waits for its next try. */
function retryingOperation(): ReturnType<typeof useOpenRun.getState>['history']['operations'][number]['id'] | null {
  const { operation: selected } = useView.getState();
  const { history } = useOpenRun.getState();
  const operation = history.operations[history.places.get(selected ?? '') ?? -1];
  return operation?.state === 'open' && operation.tries.at(-1)?.retryInMs != null ? operation.id : null;
}

function always(): boolean {
  return true;
}

function connected({ isConnected }: CommandState): boolean {
  return isConnected;
}

function onRun(fits: (run: Run) => boolean): Command['enabled'] {
  return ({ isConnected, run }) => isConnected && run !== null && fits(run);
}

function withRun(work: (run: Run) => void | Promise<void>): Command['run'] {
  return () => {
    const { run } = commandState();
    return run === null ? undefined : work(run);
  };
}

function folderInView(): string | null {
  const { place } = useView.getState();
  return place.kind === 'relay' ? place.folder : null;
}

function tab(name: RunTab, words: string, number: number): Command {
  return {
    ...{ label: `Run: ${words}`, group: 'View', keys: `Alt+${number}`, hint: `The run’s ${words.toLowerCase()}` },
    enabled: ({ run }: CommandState) => run !== null,
    run: () => void useView.setState({ tab: name }),
  };
}
