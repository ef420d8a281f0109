import { createContext, useCallback, useContext } from 'react';
import type { AppInfo } from '#shared/rpc/bridge.ts';
import { keysOf, useKeyBindings } from '../../stores/key-bindings.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { type KeyPress, shownKeys } from '../../viewmodels/keys.ts';
import {
  LOCAL_KEYS,
  type LocalAction,
  type LocalName,
  type LocalScope,
  localAction,
  localKeysOf,
} from '../../viewmodels/local-keys.ts';
import { COMMANDS } from './commands.ts';

/** What main told about this start: version, platform, example. Set once before the first screen is drawn. */
export const AppContext = createContext<AppInfo>({
  version: '',
  platform: 'other',
  openCase: null,
  openJob: null,
  exampleAvailable: false,
});

export const useApp = (): AppInfo => useContext(AppContext);

/** How keys are written on this platform. A key that a command came with is written as the one that stands in its place now. */
export function useShownKeys(): (spec: string) => string {
  const mac = useApp().platform === 'darwin';
  const bound = useKeyBindings((state) => state.keys);
  return useCallback((spec) => shownKeys(presentKey(spec, bound), mac), [bound, mac]);
}

function presentKey(spec: string, bound: Readonly<Record<string, readonly string[]>>): string {
  if (Object.keys(bound).length === 0) return spec;
  const command = COMMANDS.find(({ keys }) => keys.includes(spec));
  return command === undefined ? spec : (keysOf(command, bound)[0] ?? spec);
}

export interface LocalKeys<S extends LocalScope> {
  /** What a press does; null = nothing of this scope. */
  readonly actionOf: (press: KeyPress) => LocalName<S> | null;
  /** The key of an action as it is written on this platform. */
  readonly shown: (name: LocalName<S>) => string;
}

/** Keys of one screen as they are bound now. */
export function useLocalKeys<S extends LocalScope>(scope: S): LocalKeys<S> {
  const mac = useApp().platform === 'darwin';
  const bound = useKeyBindings((state) => state.keys);
  const singleKeys = usePreferences((state) => state.singleKeys);
  const actionOf = useCallback(
    (press: KeyPress) => localAction(scope, press, { bound, singleKeys, mac }),
    [scope, bound, singleKeys, mac],
  );
  const shown = useCallback(
    (name: LocalName<S>) => {
      const actions: Readonly<Record<string, LocalAction>> = LOCAL_KEYS[scope];
      const action = actions[name];
      return action === undefined ? '' : shownKeys(localKeysOf(action, bound)[0] ?? '', mac);
    },
    [scope, bound, mac],
  );
  return { actionOf, shown };
}
