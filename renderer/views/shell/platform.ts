import { createContext, useCallback, useContext } from 'react';
import type { AppInfo } from '#shared/rpc/bridge.ts';
import { keysOf, useKeyBindings } from '../../stores/key-bindings.ts';
import { shownKeys } from '../../viewmodels/keys.ts';
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
