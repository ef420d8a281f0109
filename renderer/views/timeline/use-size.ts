import { type RefObject, useLayoutEffect, useState } from 'react';

export interface ElementSize {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** Size of an element in CSS px and the screen's pixels to one of them; 0 before it is laid out. */
export function useElementSize(host: RefObject<HTMLElement | null>): ElementSize {
  const [size, setSize] = useState<ElementSize>({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const read = () => {
      const { clientWidth: width, clientHeight: height } = element;
      const ratio = window.devicePixelRatio || 1;
      setSize((old) =>
        old.width === width && old.height === height && old.ratio === ratio ? old : { width, height, ratio },
      );
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return size;
}
