/** All pages of the offline help, in reading order: topics, causes, rules. */
import { causePages } from './cause-pages.ts';
import { rulePages } from './rule-pages.ts';
import { clocks } from './topics/clocks.ts';
import { collecting, settings } from './topics/collecting.ts';
import { exitStatuses } from './topics/exits.ts';
import { containers, fileKinds } from './topics/files.ts';
import { type KeyRow, keyboard } from './topics/keyboard.ts';
import { reading, statuses } from './topics/verdicts.ts';
import type { HelpPage } from './types.ts';

export { searchHelp } from './search.ts';
export type { KeyRow } from './topics/keyboard.ts';
export type { HelpKind, HelpPage, HelpSection } from './types.ts';

/** `keys`: the key map of the window, where there is one. */
export function helpPages(keys: readonly KeyRow[] = []): HelpPage[] {
  return [
    reading,
    statuses,
    clocks,
    collecting,
    settings,
    fileKinds,
    containers,
    exitStatuses,
    keyboard(keys),
    ...causePages(),
    ...rulePages(),
  ];
}

/** The page of a finding's rule; undefined for the verdict's own id. */
export const pageOfRule = (pages: readonly HelpPage[], rule: string): HelpPage | undefined =>
  pages.find((page) => page.id === `rule/${rule}`);
