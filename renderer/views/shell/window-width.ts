/**
 * How much room the window has in terms of its text: its width divided by the text size. Style sheets select by
 * `[data-width~="narrow"]`; the attribute holds the present step and all wider ones.
 */
import { useSyncExternalStore } from 'react';
import { usePreferences } from '../../stores/preferences.ts';
import { type WidthStep, widthSteps } from '../../viewmodels/window-width.ts';

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

export function useWidthSteps(): string {
  const textScale = usePreferences((state) => state.textScale);
  return useSyncExternalStore(onResize, () => widthSteps(window.innerWidth, textScale));
}

export function useIsWidth(step: WidthStep): boolean {
  return useWidthSteps().split(' ').includes(step);
}

/** Where it holds, the actions of a screen stand in a foot of their own. */
export function useSmallWindow(): boolean {
  const textScale = usePreferences((state) => state.textScale);
  const low = useSyncExternalStore(onResize, () => window.innerHeight / textScale < 720);
  const narrow = useIsWidth('narrow');
  return low || narrow;
}
