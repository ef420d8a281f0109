/** The picture of ranks × calls: one colour a cell, packed for `ImageData`. */
import { CELL_STATES } from '#shared/model/divergence-table.ts';
import { MATRIX_DEVIATES, type MatrixAnswer } from '#shared/views/collectives/answers.ts';

const MATRIX_TOKENS = {
  completed: '--coll-completed',
  ended: '--coll-completed',
  waiting: '--coll-running',
  enqueued: '--coll-enqueued',
  'never-enqueued': '--surface-0',
  'not-held': '--line-1',
  'no-dump': '--surface-2',
  unknown: '--surface-2',
} as const;

export type MatrixTokens =
  | (typeof MATRIX_TOKENS)[keyof typeof MATRIX_TOKENS]
  | '--role-first'
  | '--coll-not-enqueued'
  | '--coll-missing';
export type Rgb = readonly [number, number, number];

export interface MatrixColours {
  readonly of: (token: MatrixTokens) => Rgb;
}

/** A colour as `getComputedStyle` tells it: three numbers in brackets, or six hex digits. */
export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  if (hex !== null)
    return [Number.parseInt(hex[1] ?? '0', 16), Number.parseInt(hex[2] ?? '0', 16), Number.parseInt(hex[3] ?? '0', 16)];
  const numbers = text.match(/\d+(?:\.\d+)?/g)?.map(Number) ?? [];
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
}

/**
 * Pixels of the picture, one a cell, rows = ranks. First ranks are red where they hold up the call: deviating, or not enqueued where others
 * have; the same on others is drawn in the strongest grey. O(cells).
 */
export function matrixPixels(
  answer: MatrixAnswer,
  firstRanks: ReadonlySet<number>,
  colours: MatrixColours,
): Uint8ClampedArray<ArrayBuffer> {
  const columns = answer.seqs.length;
  const out = new Uint8ClampedArray(answer.cells.length * 4);
  const plain = CELL_STATES.map((state) => colours.of(MATRIX_TOKENS[state]));
  const first = colours.of('--role-first');
  const odd = colours.of('--coll-not-enqueued');
  const never = CELL_STATES.indexOf('never-enqueued');
  const reached = reachedColumns(answer, never);
  for (let row = 0; row < answer.ranks.length; row++) {
    const named = firstRanks.has(answer.ranks[row] ?? -1);
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const cell = answer.cells[at] ?? 0;
      const deviates = cell >= MATRIX_DEVIATES;
      const state = cell % MATRIX_DEVIATES;
      const missed = state === never && (reached[column] ?? 0) > 0;
      const colour = deviates || missed ? (named ? first : odd) : (plain[state] ?? odd);
      out[at * 4] = colour[0];
      out[at * 4 + 1] = colour[1];
      out[at * 4 + 2] = colour[2];
      out[at * 4 + 3] = 255;
    }
  }
  return out;
}

/** 1 where most members have enqueued the call: only there "never enqueued" is worth the eye. */
function reachedColumns(answer: MatrixAnswer, never: number): Uint8Array {
  const columns = answer.seqs.length;
  const counts = new Int32Array(columns);
  for (let at = 0; at < answer.cells.length; at++)
    if ((answer.cells[at] ?? 0) % MATRIX_DEVIATES < never) counts[at % columns] = (counts[at % columns] ?? 0) + 1;
  return Uint8Array.from(counts, (count) => (count * 2 > answer.ranks.length ? 1 : 0));
}

/** Px a cell, so that the picture fits but is never smaller than a pixel a cell. */
export function cellSize(
  width: number,
  height: number,
  columns: number,
  rows: number,
): { readonly x: number; readonly y: number } {
  const sizeFor = (space: number, cells: number): number =>
    Math.max(1, Math.min(14, Math.floor(space / Math.max(1, cells))));
  return { x: sizeFor(width, columns), y: sizeFor(height, rows) };
}
