/**
 * Rows of a list that may be longer than a browser can scroll (about 33 million px): up to `MAX_SCROLL_PX` one row is
 * one row height; beyond, the scroll bar is a scale and positions are mapped.
 */
export const MAX_SCROLL_PX = 8_000_000;

export interface ScrollGeometry {
  readonly rows: number;
  readonly rowPx: number;
  /** Height of the visible part. */
  readonly viewPx: number;
}

/** Height of the scrolled content. */
export function contentPx(geometry: ScrollGeometry): number {
  return Math.min(geometry.rows * geometry.rowPx, MAX_SCROLL_PX);
}

/** Rows that fit wholly, at least one. */
export function visibleRows(geometry: ScrollGeometry): number {
  return Math.max(1, Math.floor(geometry.viewPx / geometry.rowPx));
}

/** First visible row (may be fractional) for a scroll position. */
export function rowAt(scrollTop: number, geometry: ScrollGeometry): number {
  const range = contentPx(geometry) - geometry.viewPx;
  if (range <= 0) return 0;
  if (geometry.rows * geometry.rowPx <= MAX_SCROLL_PX) return scrollTop / geometry.rowPx;
  const lastFirst = geometry.rows - geometry.viewPx / geometry.rowPx;
  return (Math.min(scrollTop, range) / range) * lastFirst;
}

/** Scroll position that shows `row` as the first one; the inverse of `rowAt`. */
export function scrollTopFor(row: number, geometry: ScrollGeometry): number {
  const range = contentPx(geometry) - geometry.viewPx;
  if (range <= 0) return 0;
  if (geometry.rows * geometry.rowPx <= MAX_SCROLL_PX) return Math.max(0, Math.min(row * geometry.rowPx, range));
  const lastFirst = geometry.rows - geometry.viewPx / geometry.rowPx;
  return Math.max(0, Math.min((row / lastFirst) * range, range));
}
