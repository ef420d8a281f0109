/**
 * For virtual lists that lie deep in a page: their scroller's size comes with the frame, which lays the page out in any case. Asked for at
 * once, as the library does, it makes the browser lay out the whole new screen inside of the task that mounts it.
 */
import type { Virtualizer } from '@tanstack/react-virtual';

export function rectWithFrame(
  { scrollElement }: Virtualizer<HTMLDivElement, Element>,
  told: (rect: { readonly width: number; readonly height: number }) => void,
): (() => void) | undefined {
  if (scrollElement === null) return undefined;
  const observer = new ResizeObserver(([entry]) => {
    const size = entry?.borderBoxSize[0];
    if (size !== undefined) told({ width: Math.round(size.inlineSize), height: Math.round(size.blockSize) });
  });
  observer.observe(scrollElement);
  return () => observer.disconnect();
}
