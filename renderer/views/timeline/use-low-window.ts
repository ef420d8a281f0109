/** In a low window the lanes need the room: strips of curves stay folded until they are asked for. */
import { useSyncExternalStore } from 'react';

const QUERY = '(max-height: 720px)';

const subscribe = (listener: () => void): (() => void) => {
  const query = window.matchMedia(QUERY);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

export const useLowWindow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(QUERY).matches);
