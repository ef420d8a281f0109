/** Everything that can be done, by name: the palette lists it, the keyboard runs it, the sheet of shortcuts shows it. */
import type { JobId } from '#shared/model/ids.ts';
import type { Opened } from '#shared/rpc/bridge.ts';
import { bridge } from '../../data/bridge.ts';
import { type CaseScreen, caseOf, selectPlace, startOf, useNavigation } from '../../stores/navigation.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePanels } from '../../stores/panels.ts';
import { type Theme, usePreferences } from '../../stores/preferences.ts';
import { writeSettings } from '../../stores/settings-file.ts';
import { VIEW_COMMANDS } from './view-commands.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Bundles and cases' | 'Go to' | 'View' | 'Notes' | 'Help';
  /** The first one is shown. */
  readonly keys: readonly string[];
  /** Only with a case open. */
  readonly needsCase: boolean;
  readonly run: () => void;
}

/** Ids of commands that a screen may take over while it is shown, e.g. Find. */
const overrides = new Map<string, () => void>();

/** While the returned function has not been called, `run` answers the command `id`. */
export function overrideCommand(id: string, run: () => void): () => void {
  overrides.set(id, run);
  return () => {
    if (overrides.get(id) === run) overrides.delete(id);
  };
}

export const hasOverride = (id: string): boolean => overrides.has(id);

/** The engine tells of a new job too, so the window may be there already. */
export function showImport(jobId: JobId): void {
  const place = selectPlace(useNavigation.getState());
  if (place.screen !== 'import' || place.jobId !== jobId) useNavigation.getState().go({ screen: 'import', jobId });
}

/** Shows what was opened: the import that runs, or the case that was there already. */
export function showOpened(opened: Opened | null): void {
  if (opened === null) return;
  if ('jobId' in opened) showImport(opened.jobId);
  else useNavigation.getState().go({ screen: 'overview', caseId: opened.caseId });
}

export async function openBundle(kind: 'file' | 'folder'): Promise<void> {
  showOpened(await bridge.openBundle(kind));
}

async function importSettings(): Promise<void> {
  const read = await bridge.loadSettings();
  if (read.state === 'read') usePanels.getState().open({ kind: 'settings', text: read.text });
  else if (read.state === 'failed') useNotices.getState().show('The settings file could not be read.');
}

async function exportSettings(): Promise<void> {
  const saved = await bridge.saveSettings(writeSettings());
  if (saved === 'failed') useNotices.getState().show('The settings file could not be written.');
}

export async function openExample(which: 'small' | 'large'): Promise<void> {
  const answer = await bridge.request('example.import', { which });
  if (answer.ok) showImport(answer.value.jobId);
}

/** Opens a screen of the present case as the rail does. */
export function goToScreen(screen: CaseScreen): void {
  const caseId = caseOf(selectPlace(useNavigation.getState()));
  if (caseId !== null) useNavigation.getState().go(startOf(screen, caseId));
}

export const goToCases = (): void => useNavigation.getState().go({ screen: 'cases' });

/** The three themes in turn; `system` counts as the one it shows now. */
export function nextTheme(): void {
  const { theme, setTheme } = usePreferences.getState();
  const shown =
    theme === 'system' ? (window.matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark') : theme;
  const order: readonly Theme[] = ['dark', 'light', 'high-contrast'];
  setTheme(order[(order.indexOf(shown) + 1) % order.length] ?? 'system');
}

const theme = (name: Theme, title: string): Command => ({
  id: `theme-${name}`,
  title,
  group: 'View',
  keys: [],
  needsCase: false,
  run: () => usePreferences.getState().setTheme(name),
});

const goTo = (screen: CaseScreen, name: string, keys: readonly string[]): Command => ({
  id: screen,
  title: `Go to ${name}`,
  group: 'Go to',
  keys,
  needsCase: true,
  run: () => goToScreen(screen),
});

const OWN_COMMANDS: readonly Command[] = [
  {
    id: 'open-bundle',
    title: 'Open bundle…',
    group: 'Bundles and cases',
    keys: ['Mod+O'],
    needsCase: false,
    run: () => void openBundle('file'),
  },
  {
    id: 'open-folder',
    title: 'Open folder…',
    group: 'Bundles and cases',
    keys: [],
    needsCase: false,
    run: () => void openBundle('folder'),
  },
  {
    id: 'cases',
    title: 'Show all cases',
    group: 'Bundles and cases',
    keys: ['Mod+Shift+O'],
    needsCase: false,
    run: goToCases,
  },
  {
    id: 'close-case',
    title: 'Close case',
    group: 'Bundles and cases',
    keys: ['Mod+W'],
    needsCase: true,
    run: goToCases,
  },
  {
    id: 'new-window',
    title: 'New window',
    group: 'Bundles and cases',
    keys: ['Mod+Shift+N'],
    needsCase: false,
    run: () => bridge.openWindow(null),
  },
  {
    id: 'case-in-window',
    title: 'Open this case in a new window',
    group: 'Bundles and cases',
    keys: [],
    needsCase: true,
    run: () => bridge.openWindow(caseOf(selectPlace(useNavigation.getState()))),
  },
  {
    id: 'export-settings',
    title: 'Export settings…',
    group: 'Help',
    keys: [],
    needsCase: false,
    run: () => void exportSettings(),
  },
  {
    id: 'import-settings',
    title: 'Import settings…',
    group: 'Help',
    keys: [],
    needsCase: false,
    run: () => void importSettings(),
  },
  {
    id: 'example',
    title: 'Open the example case',
    group: 'Bundles and cases',
    keys: [],
    needsCase: false,
    run: () => void openExample('small'),
  },
  {
    id: 'example-large',
    title: 'Open the example of 64 ranks',
    group: 'Bundles and cases',
    keys: [],
    needsCase: false,
    run: () => void openExample('large'),
  },
  goTo('overview', 'Overview', ['Mod+1']),
  goTo('timeline', 'Timeline', ['Mod+2']),
  goTo('collectives', 'Collectives', ['Mod+3']),
  goTo('logs', 'Logs', ['Mod+4']),
  goTo('ranks', 'Ranks', ['Mod+5']),
  goTo('clocks', 'Clocks', ['Mod+6']),
  goTo('evidence', 'Evidence', ['Mod+7']),
  goTo('report', 'Report', ['Mod+8']),
  {
    id: 'print',
    title: 'Export the report as PDF…',
    group: 'Bundles and cases',
    keys: ['Mod+P'],
    needsCase: true,
    // The Report screen answers it itself; from elsewhere it leads there.
    run: () => goToScreen('report'),
  },
  {
    id: 'compare',
    title: 'Compare with another case…',
    group: 'Go to',
    keys: [],
    needsCase: true,
    run: () => goToScreen('compare'),
  },
  {
    id: 'back',
    title: 'Back',
    group: 'Go to',
    keys: ['Alt+ArrowLeft'],
    needsCase: false,
    run: () => useNavigation.getState().back(),
  },
  {
    id: 'forward',
    title: 'Forward',
    group: 'Go to',
    keys: ['Alt+ArrowRight'],
    needsCase: false,
    run: () => useNavigation.getState().forward(),
  },
  {
    id: 'find',
    title: 'Find in this view',
    group: 'Go to',
    keys: ['Mod+F', '/'],
    needsCase: false,
    run: () => undefined,
  },
  {
    id: 'go-to',
    title: 'Go to time, rank, call, line or locator…',
    group: 'Go to',
    keys: ['Mod+G'],
    needsCase: false,
    run: () => usePanels.getState().open({ kind: 'go-to' }),
  },
  { id: 'next-pane', title: 'Next pane', group: 'Go to', keys: ['F6'], needsCase: false, run: () => focusPane(1) },
  {
    id: 'previous-pane',
    title: 'Previous pane',
    group: 'Go to',
    keys: ['Shift+F6'],
    needsCase: false,
    run: () => focusPane(-1),
  },
  {
    id: 'palette',
    title: 'Search or run a command',
    group: 'View',
    keys: ['Mod+K', 'Mod+Shift+P'],
    needsCase: false,
    run: () => usePanels.getState().open({ kind: 'palette' }),
  },
  {
    id: 'ask',
    title: 'Ask for what is missing…',
    group: 'View',
    keys: [],
    needsCase: true,
    run: () => usePanels.getState().open({ kind: 'ask' }),
  },
  theme('system', 'Theme: as the system'),
  theme('dark', 'Theme: dark'),
  theme('light', 'Theme: light'),
  theme('high-contrast', 'Theme: high contrast'),
  {
    id: 'text-larger',
    title: 'Larger text',
    group: 'View',
    keys: ['Mod+=', 'Mod++'],
    needsCase: false,
    run: () => usePreferences.getState().stepTextScale(1),
  },
  {
    id: 'text-smaller',
    title: 'Smaller text',
    group: 'View',
    keys: ['Mod+-'],
    needsCase: false,
    run: () => usePreferences.getState().stepTextScale(-1),
  },
  {
    id: 'text-reset',
    title: 'Normal text size',
    group: 'View',
    keys: ['Mod+0'],
    needsCase: false,
    run: () => usePreferences.getState().resetTextScale(),
  },
  {
    id: 'shortcuts',
    title: 'Keyboard shortcuts',
    group: 'Help',
    keys: ['?'],
    needsCase: false,
    run: () => usePanels.getState().open({ kind: 'shortcuts' }),
  },
  {
    id: 'help',
    title: 'Help',
    group: 'Help',
    keys: ['F1'],
    needsCase: false,
    run: () => usePanels.getState().open({ kind: 'help', page: helpPageInFocus() }),
  },
  {
    id: 'about',
    title: 'About Firstfault and diagnostics',
    group: 'Help',
    keys: [],
    needsCase: false,
    run: () => usePanels.getState().open({ kind: 'about' }),
  },
];

export const COMMANDS: readonly Command[] = [...OWN_COMMANDS, ...VIEW_COMMANDS];

/** Parts of a screen name their help page in `data-help`; the nearest one around the focus counts. */
function helpPageInFocus(): string | null {
  const around = document.activeElement?.closest<HTMLElement>('[data-help]');
  return around?.dataset['help'] ?? `screen/${selectPlace(useNavigation.getState()).screen}`;
}

export function runCommand(id: string): void {
  const override = overrides.get(id);
  if (override) override();
  else COMMANDS.find((command) => command.id === id)?.run();
}

export function commandAvailable(command: Command): boolean {
  return !command.needsCase || caseOf(selectPlace(useNavigation.getState())) !== null;
}

/** Panes carry `data-pane`; the first thing in one that takes the focus gets it, else the pane itself. */
function focusPane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')];
  if (panes.length === 0) return;
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[at === -1 ? (by === 1 ? 0 : panes.length - 1) : (at + by + panes.length) % panes.length];
  const inside = next?.querySelector<HTMLElement>('[tabindex="0"], button:not([tabindex="-1"]), input, a[href]');
  (inside ?? next)?.focus();
}
