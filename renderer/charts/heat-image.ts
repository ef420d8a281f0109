/**
 * Cells as pixels. A row of the image is one lane, or as many lanes as share a pixel; the worst of them wins. The front of the waiting, where a
 * pixel that waits borders on one that does not, is bright; the wall behind it stays quiet.
 */
import { cellShare, cellState, SHARE_STEPS, STATE } from '#shared/views/lanes/index.ts';
import { bytesOf, type Palette } from './palette.ts';

export interface HeatImage {
  readonly canvas: OffscreenCanvas;
  readonly columns: number;
  /** Row of the image of each row of cells. */
  readonly imageRow: Int32Array;
}

type Rgba = readonly [number, number, number, number];

/**
 * `cells`: one row a lane, row by row. `imageRow`: which row of the image each of them goes to, ascending from 0. Null where there is nothing to
 * draw, or the runtime has no canvas.
 */
export function heatImage(
  cells: Uint8Array,
  columns: number,
  imageRow: Int32Array,
  palette: Palette,
): HeatImage | null {
  const height = (imageRow.at(-1) ?? -1) + 1;
  if (columns < 1 || height < 1) return null;
  const merged = mergeRows(cells, columns, imageRow);
  const canvas = new OffscreenCanvas(columns, height);
  const on = canvas.getContext('2d');
  if (on === null) return null;
  const image = on.createImageData(columns, height);
  colourCells(merged, columns, height, coloursOf(palette), new Uint32Array(image.data.buffer));
  on.putImageData(image, 0, 0);
  return { canvas, columns, imageRow };
}

/** Worst wins; among completed ones the mean share, since each lane's share is of its own time. */
export function mergeRows(cells: Uint8Array, columns: number, imageRow: Int32Array): Uint8Array {
  const height = (imageRow.at(-1) ?? -1) + 1;
  if (height === imageRow.length) return cells;
  const out = new Uint8Array(columns * height);
  const shares = new Uint16Array(columns);
  let first = 0;
  for (let row = 0; row < height; row++) {
    shares.fill(0);
    let end = first;
    for (; end < imageRow.length && imageRow[end] === row; end++) {
      for (let x = 0; x < columns; x++) {
        const cell = cells[end * columns + x] ?? 0;
        const state = cellState(cell);
        shares[x] = (shares[x] ?? 0) + cellShare(cell);
        if (state > cellState(out[row * columns + x] ?? 0))
          out[row * columns + x] = state === STATE.missing ? cell : state;
      }
    }
    for (let x = 0; x < columns; x++) {
      const state = cellState(out[row * columns + x] ?? 0);
      if (state !== STATE.none && state <= STATE.ended)
        out[row * columns + x] = state | (Math.max(1, Math.round((shares[x] ?? 0) / (end - first))) << 4);
    }
    first = end;
  }
  return out;
}

interface Colours {
  readonly byState: Uint32Array;
  readonly byShare: Uint32Array;
  readonly front: number;
}

/** Canvas bytes are red, green, blue, alpha; as one number on a little-endian machine that is the reverse. */
const packed = ([r, g, b, a]: Rgba): number => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;

function coloursOf(palette: Palette): Colours {
  const ground = bytesOf(palette.surface0);
  const completed = bytesOf(palette.collCompleted);
  const mix = (share: number): Rgba => [
    ground[0] + (completed[0] - ground[0]) * share,
    ground[1] + (completed[1] - ground[1]) * share,
    ground[2] + (completed[2] - ground[2]) * share,
    255,
  ];
  const byState = new Uint32Array(16);
  byState[STATE.enqueued] = packed(bytesOf(palette.collEnqueued));
  byState[STATE.missing] = packed(bytesOf(palette.collMissing));
  byState[STATE.waiting] = packed(bytesOf(palette.collRunningBody));
  byState[STATE.differs] = packed(bytesOf(palette.collFailed));
  byState[STATE.failed] = packed(bytesOf(palette.collFailed));
  byState[STATE.neverEnqueued] = packed(bytesOf(palette.collNotEnqueued));
  byState[STATE.first] = packed(bytesOf(palette.roleFirst));
  return {
    byState,
    byShare: Uint32Array.from([0, ...SHARE_STEPS].map((share) => (share === 0 ? 0 : packed(mix(share))))),
    front: packed(bytesOf(palette.roleVictim)),
  };
}

/** Exported for its test. `out`: one number a pixel. */
export function colourCells(
  cells: Uint8Array,
  columns: number,
  rows: number,
  colours: Colours,
  out: Uint32Array,
): void {
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < columns; x++) {
      const i = row * columns + x;
      const cell = cells[i] ?? 0;
      const state = cellState(cell);
      if (state === STATE.none) continue;
      if (state <= STATE.ended) out[i] = colours.byShare[cellShare(cell)] ?? 0;
      else if (state === STATE.missing) {
        if (isPatterned(cellShare(cell), x, row)) out[i] = colours.byState[state] ?? 0;
      } else if (state === STATE.waiting && isFront(cells, columns, rows, row, x)) out[i] = colours.front;
      else out[i] = colours.byState[state] ?? 0;
    }
  }
}

/** Borders, in time or in lane, on a pixel that does not wait. The edges of the picture are no borders. */
function isFront(cells: Uint8Array, columns: number, rows: number, row: number, x: number): boolean {
  const i = row * columns + x;
  const differs = (j: number): boolean => cellState(cells[j] ?? 0) < STATE.waiting;
  return (
    (x > 0 && differs(i - 1)) ||
    (x + 1 < columns && differs(i + 1)) ||
    (row > 0 && differs(i - columns)) ||
    (row + 1 < rows && differs(i + columns))
  );
}

/** The patterns of missing evidence, pixel by pixel: lines, dots, cross-hatch. A row of its own becomes a dotted line. */
function isPatterned(kind: number, x: number, row: number): boolean {
  if (kind === 2) return x % 5 === 0 && row % 5 === 0;
  return (x + row) % 7 === 0 || (kind === 3 && (x + 7 - (row % 7)) % 7 === 0);
}
