/**
 * Names of the few Electron channels between preload and main. Everything else travels over the engine's port.
 * `port`, `command`, `engineState` and `opened` go from main to the window; the others from the window to main, which
 * checks sender and arguments (`electron/main/ipc.ts`).
 */
export const WINDOW_CHANNELS = {
  port: 'firstfault:port',
  portWanted: 'firstfault:port-wanted',
  command: 'firstfault:command',
  engineState: 'firstfault:engine-state',
  openBundle: 'firstfault:open-bundle',
  importPaths: 'firstfault:import-paths',
  appInfo: 'firstfault:app-info',
  windowControl: 'firstfault:window-control',
  opened: 'firstfault:opened',
  openWindow: 'firstfault:open-window',
  saveSettings: 'firstfault:save-settings',
  loadSettings: 'firstfault:load-settings',
  diagnostics: 'firstfault:diagnostics',
  saveReport: 'firstfault:save-report',
} as const;

export const OPEN_BUNDLE_KINDS = ['file', 'folder'] as const;
export type OpenBundleKind = (typeof OPEN_BUNDLE_KINDS)[number];

export const WINDOW_CONTROLS = ['minimize', 'toggle-maximize', 'close'] as const;

export const WINDOW_COMMANDS = ['open-bundle', 'open-folder', 'close-case'] as const;
export type WindowCommand = (typeof WINDOW_COMMANDS)[number];

export const ENGINE_STATES = ['running', 'restarting', 'stopped'] as const;
/** `restarting`: the engine process ended and a new one was started; `stopped`: it ended too often and stays down. */
export type EngineState = (typeof ENGINE_STATES)[number];

/** Files and folders that may be opened together as one incident; who has more of them drops the folder around them. */
export const MAX_OPENED = 1000;
