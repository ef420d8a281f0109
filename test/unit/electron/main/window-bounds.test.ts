import { describe, expect, it } from 'vitest';
import { MIN_HEIGHT, MIN_WIDTH, parseWindowState, placeWindow } from '../../../../electron/main/window-bounds.ts';

const FIRST = { x: 0, y: 0, width: 1920, height: 1080 };
const RIGHT = { x: 1920, y: 0, width: 2560, height: 1440 };

describe('placeWindow', () => {
  it('centres the first window', () => {
    expect(placeWindow(null, [FIRST])).toEqual({ x: 240, y: 90, width: 1440, height: 900 });
  });

  it('comes back to where it was, also on a second display', () => {
    const saved = { x: 2100, y: 100, width: 1600, height: 1000 };
    expect(placeWindow(saved, [FIRST, RIGHT])).toEqual(saved);
  });

  it('moves to the primary display when its own is gone, and keeps its size as far as it fits', () => {
    expect(placeWindow({ x: 2100, y: 100, width: 2400, height: 1300 }, [FIRST])).toEqual({
      x: 0,
      y: 0,
      width: 1920,
      height: 1080,
    });
  });

  it('keeps the title bar in reach', () => {
    const { x, y } = placeWindow({ x: -1300, y: -10, width: 1600, height: 900 }, [FIRST]);
    expect(x + 1600).toBeGreaterThanOrEqual(200);
    expect(y).toBe(0);
  });

  it('is never smaller than its minimum, even on a small display', () => {
    expect(placeWindow(null, [{ x: 0, y: 0, width: 800, height: 600 }])).toMatchObject({
      width: MIN_WIDTH,
      height: MIN_HEIGHT,
    });
  });
});

describe('parseWindowState', () => {
  it.each([
    ['nothing', ''],
    ['damaged', '{"bounds"'],
    ['of another kind', '[1]'],
    ['with fractions', '{"bounds":{"x":0.5,"y":0,"width":1,"height":1},"maximized":false}'],
  ])('%s is the first start', (_name, text) => {
    expect(parseWindowState(text)).toEqual({ bounds: null, maximized: false });
  });

  it('reads what was kept', () => {
    expect(parseWindowState('{"bounds":{"x":1,"y":2,"width":3,"height":4},"maximized":true}')).toEqual({
      bounds: { x: 1, y: 2, width: 3, height: 4 },
      maximized: true,
    });
  });
});
