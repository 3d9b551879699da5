/**
 * Commands of the window's own menu, by the ids that the page's table of commands has too. `accelerator` in Electron's
 * words; null where the page's own shortcut is enough.
 */
export const menuCommands = {
  'new-run': { menu: 'File', label: 'New Run…', accelerator: 'CmdOrCtrl+N' },
  'open-relay': { menu: 'File', label: 'Open Relay…', accelerator: 'CmdOrCtrl+O' },
  export: { menu: 'File', label: 'Export Run…', accelerator: 'CmdOrCtrl+E' },
  settings: { menu: 'File', label: 'Settings…', accelerator: 'CmdOrCtrl+,' },
  recover: { menu: 'Run', label: 'Recover Same Run', accelerator: 'CmdOrCtrl+Return' },
  reconcile: { menu: 'Run', label: 'Reconcile…', accelerator: null },
  kill: { menu: 'Run', label: 'Kill Now', accelerator: 'CmdOrCtrl+Shift+K' },
  cancel: { menu: 'Run', label: 'Cancel…', accelerator: null },
  fork: { menu: 'Run', label: 'Fork…', accelerator: null },
  'retry-now': { menu: 'Run', label: 'Retry Now', accelerator: null },
  permissions: { menu: 'Run', label: 'Permissions…', accelerator: null },
  vault: { menu: 'View', label: 'Vault', accelerator: null },
  palette: { menu: 'View', label: 'Command Palette…', accelerator: 'CmdOrCtrl+K' },
  'tab-timeline': { menu: 'View', label: 'Timeline', accelerator: 'Alt+1' },
  'tab-operations': { menu: 'View', label: 'Operations', accelerator: 'Alt+2' },
  'tab-ledgers': { menu: 'View', label: 'Two Ledgers', accelerator: 'Alt+3' },
  'tab-graph': { menu: 'View', label: 'Graph', accelerator: 'Alt+4' },
  'tab-trace': { menu: 'View', label: 'Trace', accelerator: 'Alt+5' },
  'tab-events': { menu: 'View', label: 'Events', accelerator: 'Alt+6' },
  'tab-files': { menu: 'View', label: 'Files', accelerator: 'Alt+7' },
  'toggle-theme': { menu: 'View', label: 'Light or Dark', accelerator: null },
  doctor: { menu: 'Help', label: 'Doctor…', accelerator: null },
} as const satisfies Record<
  string,
  { menu: 'File' | 'Run' | 'View' | 'Help'; label: string; accelerator: string | null }
>;

export type MenuCommand = keyof typeof menuCommands;
