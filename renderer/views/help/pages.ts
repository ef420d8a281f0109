/** Every page of the offline help: how the window works, then what others wrote on rules and evidence. */
import type { HelpPage } from '../../viewmodels/help-text.ts';
import { WINDOW_PAGES } from './window-pages.ts';

export const HELP_PAGES: readonly HelpPage[] = [...WINDOW_PAGES];

export const helpPage = (id: string | null): HelpPage | undefined => HELP_PAGES.find((page) => page.id === id);

/** `rule/…`: the page of a rule, if there is one. */
export const rulePage = (rule: string): HelpPage | undefined => helpPage(`rule/${rule}`);
