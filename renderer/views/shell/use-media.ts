import { useSyncExternalStore } from 'react';

/** True while the media query holds. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Below this the actions of a screen stand in a foot of their own. */
export const useSmallWindow = (): boolean => useMedia('(max-width: 1099px), (max-height: 700px)');
