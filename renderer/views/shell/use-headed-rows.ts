/** The rows in sight of a long table whose head stays on top. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';

interface HeadedRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  /** Of a row, px. */
  readonly height: number;
  /** Of the head, px; that of a row if it is not given. */
  readonly head?: number;
  /** Row that is kept in sight; negative = none. */
  readonly at?: number;
}

/** Rows drawn above and below those in sight. */
const OVERSCAN = 10;

export function useHeadedRows({
  scroller,
  count,
  height,
  head = height,
  at = -1,
}: HeadedRows): Virtualizer<HTMLDivElement, Element> {
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: head,
    scrollPaddingStart: head,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height changes
  useEffect(() => list.measure(), [height]);
  const scrollTo = list.scrollToIndex;
  useEffect(() => {
    if (at >= 0) scrollTo(at, { align: 'auto' });
  }, [at, scrollTo]);
  return list;
}
