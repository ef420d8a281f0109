/**
 * Lanes as cells: one byte a pixel, worst wins in both directions. Nothing is averaged: one bad rank among thousands shows in its pixel.
 *
 *   low four bits    index into SLICE_STATES
 *   high four bits   completed: share of the pixel's time and lanes in steps 1…5 (10, 25, 40, 60, 95 %); missing: why (1 no file, 2 one that tells
 *                    nothing, 3 overwritten by the ring)
 */
import { type LaneBasis, shiftOf } from './clock-correction.ts';
import { spanIndex, visitSpan } from './span-index.ts';
import { type Lane, type LanesView, STATE } from './types.ts';

export const SHARE_STEPS = [0.1, 0.25, 0.4, 0.6, 0.95] as const;

export const cellState = (cell: number): number => cell & 15;
/** Completed: 1…5. Missing: 1…3. Else 0. */
export const cellShare = (cell: number): number => cell >> 4;

export interface CellRequest {
  readonly basis: LaneBasis;
  /** In the basis, relative to the origin. */
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  /** Indices of lanes from top to bottom. */
  readonly lanes: readonly number[];
  readonly lanesPerRow: number;
}

/** Rows × columns, row by row. */
export function reduceCells(view: LanesView, request: CellRequest): Uint8Array {
  const { columns, lanes, lanesPerRow } = request;
  const rows = Math.ceil(lanes.length / lanesPerRow);
  const cells = new Uint8Array(rows * columns);
  const busy = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const out = cells.subarray(row * columns, (row + 1) * columns);
    const members = lanes.slice(row * lanesPerRow, (row + 1) * lanesPerRow);
    busy.fill(0);
    for (const lane of members) paintLane(view, lane, request, out, busy);
    for (let x = 0; x < columns; x++)
      if (cellState(out[x] ?? 0) <= STATE.ended) out[x] = withShare(out[x] ?? 0, (busy[x] ?? 0) / members.length);
  }
  return cells;
}

function withShare(state: number, share: number): number {
  if (state === STATE.none) return STATE.none;
  let step: number = SHARE_STEPS.length;
  while (step > 1 && share < (SHARE_STEPS[step - 1] ?? 0)) step -= 1;
  return state | (step << 4);
}

function paintLane(view: LanesView, at: number, request: CellRequest, out: Uint8Array, busy: Float64Array): void {
  const lane = view.lanes[at];
  if (lane === undefined) return;
  const shift = shiftOf(view, lane.clock, request.basis);
  const [from, to] = [request.from + shift, request.to + shift];
  const pixelNs = (to - from) / request.columns;
  const last = request.columns - 1;
  const x = (ns: number): number => Math.min(last, Math.max(0, Math.floor((ns - from) / pixelNs)));
  const paint = (start: number, end: number, state: number): void => {
    const until = x(end);
    for (let i = x(start); i <= until; i++) if (state > cellState(out[i] ?? 0)) out[i] = state;
  };
  const missing = missingSpan(lane, from, to);
  if (missing !== undefined)
    for (let i = x(missing.from), until = x(missing.to); i <= until; i++)
      if (cellState(out[i] ?? 0) < STATE.missing) out[i] = STATE.missing | (missing.kind << 4);
  const spans = spanIndex(view);
  const { startNs, state } = view.calls;
  const { drawnEndNs } = spans;
  const perNs = 1 / pixelNs;
  const calls = (first: number, end: number): void => {
    for (let i = first; i < end; i++) {
      const start = startNs[i] ?? 0;
      const stop = drawnEndNs[i] ?? 0;
      if (stop < from || start >= to) continue;
      const worst = state[i] ?? 0;
      const a = (Math.max(start, from) - from) * perNs;
      const b = (Math.min(stop, to) - from) * perNs;
      const left = Math.min(last, a | 0);
      const right = Math.min(last, b | 0);
      if (left === right) {
        if (worst > cellState(out[left] ?? 0)) out[left] = worst;
        if (worst <= STATE.ended) busy[left] = (busy[left] ?? 0) + Math.max(b - a, TRACE);
        continue;
      }
      for (let k = left; k <= right; k++) if (worst > cellState(out[k] ?? 0)) out[k] = worst;
      if (worst <= STATE.ended) addBusy(busy, a, b);
    }
  };
  const block = (start: number, end: number, worst: number, busyNs: number): void => {
    paint(start, end, worst);
    const middle = x((start + end) / 2);
    busy[middle] = (busy[middle] ?? 0) + busyNs * perNs;
  };
  visitSpan(spans, at, { from, to, pixelNs }, { block, calls });
}

/** Share of a pixel that a call without length leaves as its trace. */
const TRACE = 0.05;

/** `a`, `b` in pixels, in different ones. */
function addBusy(busy: Float64Array, a: number, b: number): void {
  const last = busy.length - 1;
  const first = Math.min(last, Math.floor(a));
  const end = Math.min(last, Math.floor(b));
  busy[first] = (busy[first] ?? 0) + first + 1 - a;
  for (let x = first + 1; x < end; x++) busy[x] = (busy[x] ?? 0) + 1;
  busy[end] = (busy[end] ?? 0) + b - end;
}

function missingSpan(lane: Lane, from: number, to: number) {
  if (lane.kind !== 'rank') return undefined;
  if (isLaneMissing(lane)) return { from, to, kind: lane.dump === 'absent' ? 1 : 2 };
  return lane.heldFromNs !== null && lane.heldFromNs > from
    ? { from, to: Math.min(to, lane.heldFromNs), kind: 3 }
    : undefined;
}

/** Nothing of this rank's calls is recorded: no file, or one that tells nothing. */
export const isLaneMissing = (lane: Lane): boolean =>
  lane.kind === 'rank' && lane.dump !== 'present' && lane.dump !== 'truncated';
