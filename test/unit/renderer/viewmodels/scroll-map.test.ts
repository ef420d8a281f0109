import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentPx,
  MAX_SCROLL_PX,
  rowAt,
  type ScrollGeometry,
  scrollTopFor,
  visibleRows,
} from '../../../../renderer/viewmodels/scroll-map.ts';

const SMALL: ScrollGeometry = { rows: 1000, rowPx: 20, viewPx: 400 };
const HUGE: ScrollGeometry = { rows: 50_000_000, rowPx: 24, viewPx: 500 };

describe('scroll map', () => {
  it('is one to one while the content fits', () => {
    expect(contentPx(SMALL)).toBe(20_000);
    expect(rowAt(4000, SMALL)).toBe(200);
    expect(scrollTopFor(200, SMALL)).toBe(4000);
  });

  it('is a scale beyond', () => {
    expect(contentPx(HUGE)).toBe(MAX_SCROLL_PX);
    expect(rowAt(0, HUGE)).toBe(0);
    expect(rowAt(MAX_SCROLL_PX - HUGE.viewPx, HUGE)).toBeCloseTo(HUGE.rows - HUGE.viewPx / HUGE.rowPx, 3);
  });

  it('has no scroll for lists that fit, and none for empty ones', () => {
    expect(scrollTopFor(3, { rows: 5, rowPx: 20, viewPx: 400 })).toBe(0);
    expect(rowAt(0, { rows: 0, rowPx: 20, viewPx: 400 })).toBe(0);
    expect(visibleRows({ rows: 0, rowPx: 20, viewPx: 5 })).toBe(1);
  });

  it('is its own inverse, to a row, and never leaves the content', () => {
    const geometry = fc.record({
      rows: fc.integer({ min: 1, max: 200_000_000 }),
      rowPx: fc.constantFrom(20, 24, 28, 56),
      viewPx: fc.integer({ min: 50, max: 2000 }),
    });
    fc.assert(
      fc.property(geometry, fc.double({ min: 0, max: 1, noNaN: true }), (g, share) => {
        const last = Math.max(0, g.rows - g.viewPx / g.rowPx);
        const row = share * last;
        const top = scrollTopFor(row, g);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(top).toBeLessThanOrEqual(Math.max(0, contentPx(g) - g.viewPx) + 1e-6);
        expect(Math.abs(rowAt(top, g) - row)).toBeLessThan(1);
      }),
    );
  });
});
