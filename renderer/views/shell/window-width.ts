/**
 * How much room the window has in terms of its text: its width divided by the text size. Style sheets select by
 * `[data-width~="narrow"]`; the attribute holds the present step and all wider ones.
 */
import { createContext, type RefObject, useContext, useLayoutEffect, useState, useSyncExternalStore } from 'react';
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

/** Width in px that a screen has beside the docks, as if it were a window of its own; null outside of a case. */
export const BodyWidth = createContext<number | null>(null);

/** As it was measured last: another case opens in the same window. */
let lastBody: number | null = null;

/** Measures an element; the steps go on it as `data-width`, so that style sheets follow the docks as they follow the window. */
export function useBodyWidth(ref: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState(lastBody);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      lastBody = window.innerWidth - (element.parentElement?.clientWidth ?? 0) + element.clientWidth;
      setWidth(lastBody);
    };
    // Comes with the frame, before it is painted. Asked for here, it would lay the whole screen out in the task that mounts it.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

export function useIsWidth(step: WidthStep): boolean {
  const ofWindow = useWidthSteps();
  const body = useContext(BodyWidth);
  const textScale = usePreferences((state) => state.textScale);
  return (body === null ? ofWindow : widthSteps(body, textScale)).split(' ').includes(step);
}

/** Where it holds, the actions of a screen stand in a foot of their own. */
export function useSmallWindow(): boolean {
  const textScale = usePreferences((state) => state.textScale);
  const low = useSyncExternalStore(onResize, () => window.innerHeight / textScale < 720);
  const narrow = useIsWidth('narrow');
  return low || narrow;
}
