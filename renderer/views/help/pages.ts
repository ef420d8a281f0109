/** Every page of the offline help: how the window works, then statuses, clocks, files, causes and rules. */
import { type HelpPage, sharedHelp } from '../../viewmodels/help-text.ts';
import { shownKeys } from '../../viewmodels/keys.ts';
import { COMMANDS } from '../shell/commands.ts';
import { WINDOW_PAGES } from './window-pages.ts';

const MAC = navigator.userAgent.includes('Mac OS X');

const KEYS = COMMANDS.filter((command) => command.keys.length > 0).map((command) => ({
  keys: command.keys.map((spec) => shownKeys(spec, MAC)).join(', '),
  does: command.title,
}));

export const HELP_PAGES: readonly HelpPage[] = [...WINDOW_PAGES, ...sharedHelp(KEYS)];

export const helpPage = (id: string | null): HelpPage | undefined => HELP_PAGES.find((page) => page.id === id);

/** The page of a rule, if there is one. */
export const rulePage = (rule: string): HelpPage | undefined => helpPage(`rule/${rule}`);
