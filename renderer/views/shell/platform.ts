import { createContext, useContext } from 'react';
import type { AppInfo } from '#shared/rpc/bridge.ts';
import { shownKeys } from '../../viewmodels/keys.ts';

/** What main told about this start: version, platform, example. Set once before the first screen is drawn. */
export const AppContext = createContext<AppInfo>({
  version: '',
  platform: 'other',
  openCase: null,
  openJob: null,
  exampleAvailable: false,
});

export const useApp = (): AppInfo => useContext(AppContext);

/** How keys are written on this platform. */
export function useShownKeys(): (spec: string) => string {
  const mac = useApp().platform === 'darwin';
  return (spec) => shownKeys(spec, mac);
}
