/** Where the window opens: where it was, unless that place is gone. Pure. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowState {
  readonly bounds: Bounds | null;
  readonly maximized: boolean;
}

export const MIN_WIDTH = 1024;
export const MIN_HEIGHT = 640;
const DEFAULT_WIDTH = 1440;
const DEFAULT_HEIGHT = 900;
const NO_STATE: WindowState = { bounds: null, maximized: false };

/** Reads what `JSON.stringify` of a `WindowState` wrote; anything else is the first start. */
export function parseWindowState(text: string): WindowState {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return NO_STATE;
    return {
      bounds: 'bounds' in value ? asBounds(value.bounds) : null,
      maximized: 'maximized' in value && value.maximized === true,
    };
  } catch {
    return NO_STATE;
  }
}

function asBounds(value: unknown): Bounds | null {
  if (typeof value !== 'object' || value === null) return null;
  const { x, y, width, height } = value as Record<string, unknown>;
  return isInt(x) && isInt(y) && isInt(width) && isInt(height) ? { x, y, width, height } : null;
}

const isInt = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Bounds for a new window on one of `areas` (work areas of the displays, the primary one first, at least one).
 * A saved place counts if its title bar can still be reached; else the window is centred on the primary display.
 */
export function placeWindow(saved: Bounds | null, areas: readonly [Bounds, ...Bounds[]]): Bounds {
  const home = saved && areas.find((area) => titleBarReachable(saved, area));
  const area = home ?? areas[0];
  const width = clamp(saved?.width ?? DEFAULT_WIDTH, MIN_WIDTH, area.width);
  const height = clamp(saved?.height ?? DEFAULT_HEIGHT, MIN_HEIGHT, area.height);
  if (saved && home) {
    return {
      x: clamp(saved.x, area.x - width + 200, area.x + area.width - 200),
      y: clamp(saved.y, area.y, area.y + area.height - 40),
      width,
      height,
    };
  }
  return {
    x: area.x + Math.max(0, Math.round((area.width - width) / 2)),
    y: area.y + Math.max(0, Math.round((area.height - height) / 2)),
    width,
    height,
  };
}

const STEP = 28;

/** Where a further window goes: a little below and to the right, so that both title bars can be seen. */
export const besides = (bounds: Bounds): Bounds => ({ ...bounds, x: bounds.x + STEP, y: bounds.y + STEP });

function titleBarReachable(bounds: Bounds, area: Bounds): boolean {
  const overlap = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  return overlap >= 200 && bounds.y >= area.y - 20 && bounds.y <= area.y + area.height - 40;
}

/** `low` wins where the range is empty: a window is never smaller than its minimum. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
