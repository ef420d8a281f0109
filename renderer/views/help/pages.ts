/** Every page of the offline help: how the window works, then statuses, clocks, files, causes and rules. */
import { useKeyBindings } from '../../stores/key-bindings.ts';
import { type HelpPage, sharedHelp } from '../../viewmodels/help-text.ts';
import { shownKeys } from '../../viewmodels/keys.ts';
import { LOCAL_SCOPES } from '../../viewmodels/local-keys.ts';
import { allBindable, presentKeys } from '../shell/bindable.ts';
import { WINDOW_PAGES } from './window-pages.ts';

const MAC = navigator.userAgent.includes('Mac OS X');
const KEYBOARD = 'topic/keyboard';
const TITLES: ReadonlyMap<string | null, string> = new Map(LOCAL_SCOPES.map(({ scope, title }) => [scope, title]));

/** Keys of commands and screens as they are bound now. */
const keysNow = () => {
  const bound = useKeyBindings.getState().keys;
  return allBindable().flatMap((item) => {
    const keys = presentKeys(item, bound);
    const where = TITLES.get(item.scope);
    const does = where === undefined ? item.title : `${where}: ${item.title}`;
    return keys.length === 0 ? [] : [{ keys: keys.map((spec) => shownKeys(spec, MAC)).join(', '), does }];
  });
};

export const HELP_PAGES: readonly HelpPage[] = [...WINDOW_PAGES, ...sharedHelp(keysNow())];

/** The page of keys is made anew: they may have been changed since the window was loaded. */
export const helpPage = (id: string | null): HelpPage | undefined =>
  (id === KEYBOARD ? sharedHelp(keysNow()) : HELP_PAGES).find((page) => page.id === id);

/** The page of a rule, if there is one. */
export const rulePage = (rule: string): HelpPage | undefined => helpPage(`rule/${rule}`);
