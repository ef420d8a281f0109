/**
 * Finds the calls of a lane in a span of time without looking at all of them: blocks of 16 calls, blocks of 16 blocks, and so on, each with
 * the earliest start, the latest end, the worst state and the time that completed calls take.
 *
 *   level 1   [0…15] [16…31] [32…47] …         level 2   [0…255] [256…511] …
 *
 * A block that falls into one pixel answers for all of its calls, so a request costs pixels, not records. Built once a view, O(calls).
 */
import { type Lane, type LanesView, STATE } from './types.ts';

const FAN_OUT = 16;

export interface BlockLevel {
  /** Calls a block holds. */
  readonly size: number;
  /** First block of each lane; one more than there are lanes. */
  readonly first: Int32Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly worst: Uint8Array;
  readonly busyNs: Float64Array;
}

export interface SpanIndex {
  readonly view: LanesView;
  /** Ends of all calls as they are drawn: open ones last to where the lane was last seen, or to +Infinity. */
  readonly drawnEndNs: Float64Array;
  /** Smallest first. */
  readonly levels: readonly BlockLevel[];
  /** Calls that block something: waits, and what makes a rank first. */
  readonly blocking: readonly { readonly lane: number; readonly call: number }[];
}

const INDEXES = new WeakMap<LanesView, SpanIndex>();

/** A cache over the view alone. */
export function spanIndex(view: LanesView): SpanIndex {
  const known = INDEXES.get(view);
  if (known !== undefined) return known;
  const made = buildIndex(view);
  INDEXES.set(view, made);
  return made;
}

/** Where the drawing of a call ends, raw: see `drawnEndNs`. A call that ended at an unknown moment ends where it starts. */
function drawnEnd(view: LanesView, lane: Lane, call: number): number {
  const end = view.calls.endNs[call] ?? Number.NaN;
  const start = view.calls.startNs[call] ?? 0;
  if (!Number.isNaN(end)) return end;
  const state = view.calls.state[call] ?? 0;
  if (state === STATE.completed || state === STATE.ended) return start;
  const derived = view.calls.record[call] === -1;
  return derived || lane.openUntilNs === null || lane.openUntilNs <= start
    ? Number.POSITIVE_INFINITY
    : lane.openUntilNs;
}

function buildIndex(view: LanesView): SpanIndex {
  const { calls, lanes } = view;
  const drawnEndNs = new Float64Array(calls.length);
  const blocking: { lane: number; call: number }[] = [];
  lanes.forEach((lane, at) => {
    for (let i = lane.callFrom; i < lane.callTo; i++) {
      drawnEndNs[i] = drawnEnd(view, lane, i);
      if ((calls.state[i] ?? 0) >= STATE.waiting) blocking.push({ lane: at, call: i });
    }
  });
  const levels: BlockLevel[] = [];
  const longest = lanes.reduce((most, lane) => Math.max(most, lane.callTo - lane.callFrom), 0);
  for (let size = FAN_OUT; levels.length === 0 || size / FAN_OUT < longest; size *= FAN_OUT)
    levels.push(levelOf(view, drawnEndNs, size, levels.at(-1)));
  return { view, drawnEndNs, levels, blocking };
}

function levelOf(view: LanesView, drawnEndNs: Float64Array, size: number, below: BlockLevel | undefined): BlockLevel {
  const { lanes } = view;
  const first = new Int32Array(lanes.length + 1);
  lanes.forEach((lane, i) => {
    first[i + 1] = (first[i] ?? 0) + Math.ceil((lane.callTo - lane.callFrom) / size);
  });
  const count = first[lanes.length] ?? 0;
  const level: BlockLevel = {
    size,
    first,
    from: new Float64Array(count).fill(Number.POSITIVE_INFINITY),
    to: new Float64Array(count).fill(Number.NEGATIVE_INFINITY),
    worst: new Uint8Array(count),
    busyNs: new Float64Array(count),
  };
  lanes.forEach((lane, i) => {
    if (below === undefined) fillFromCalls(view, drawnEndNs, level, lane, first[i] ?? 0);
    else fillFromBelow(level, below, i);
  });
  return level;
}

function fillFromCalls(view: LanesView, ends: Float64Array, level: BlockLevel, lane: Lane, block0: number): void {
  const { startNs, state } = view.calls;
  for (let i = lane.callFrom; i < lane.callTo; i++) {
    const block = block0 + Math.floor((i - lane.callFrom) / level.size);
    const [from, to, worst] = [startNs[i] ?? 0, ends[i] ?? 0, state[i] ?? 0];
    if (from < (level.from[block] ?? 0)) level.from[block] = from;
    if (to > (level.to[block] ?? 0)) level.to[block] = to;
    if (worst > (level.worst[block] ?? 0)) level.worst[block] = worst;
    if (worst <= STATE.ended) level.busyNs[block] = (level.busyNs[block] ?? 0) + to - from;
  }
}

function fillFromBelow(level: BlockLevel, below: BlockLevel, lane: number): void {
  const from = below.first[lane] ?? 0;
  const to = below.first[lane + 1] ?? 0;
  for (let i = from; i < to; i++) {
    const block = (level.first[lane] ?? 0) + Math.floor((i - from) / FAN_OUT);
    level.from[block] = Math.min(level.from[block] ?? 0, below.from[i] ?? 0);
    level.to[block] = Math.max(level.to[block] ?? 0, below.to[i] ?? 0);
    level.worst[block] = Math.max(level.worst[block] ?? 0, below.worst[i] ?? 0);
    level.busyNs[block] = (level.busyNs[block] ?? 0) + (below.busyNs[i] ?? 0);
  }
}

/** What lies in [from, to), raw, handed out in blocks as small as the pixel wants them. */
export interface SpanVisitor {
  /** Consecutive calls [first, end); some of them may lie outside of the span. Ranges, since a function call a record costs more than its work. */
  readonly calls: (first: number, end: number) => void;
  /** A block that lies in one pixel, counted from the start of the span. */
  readonly block: (from: number, to: number, worst: number, busyNs: number) => void;
}

interface PixelSpan {
  readonly from: number;
  readonly to: number;
  readonly pixelNs: number;
}

/** A block over a border of pixels would smear its worst call into the pixel beside, however short it is. */
const pixelOf = (ns: number, { from, to, pixelNs }: PixelSpan): number =>
  Math.floor((Math.min(Math.max(ns, from), to) - from) / pixelNs);

/** Visits the calls of one lane that touch [from, to), oldest block first. */
export function visitSpan(index: SpanIndex, lane: number, span: PixelSpan, visitor: SpanVisitor): void {
  const { view, levels } = index;
  const row = view.lanes[lane];
  if (row === undefined || row.callFrom === row.callTo) return;
  const visitBlocks = (depth: number, first: number, end: number): void => {
    const level = levels[depth];
    if (level === undefined) return;
    for (let block = first; block < end; block++) {
      const from = level.from[block] ?? 0;
      const to = level.to[block] ?? 0;
      if (to < span.from || from >= span.to) continue;
      if (pixelOf(from, span) === pixelOf(to, span)) {
        visitor.block(from, to, level.worst[block] ?? 0, level.busyNs[block] ?? 0);
        continue;
      }
      const inLane = block - (level.first[lane] ?? 0);
      if (depth === 0) {
        const start = row.callFrom + inLane * level.size;
        visitor.calls(start, Math.min(row.callTo, start + level.size));
        continue;
      }
      const below = levels[depth - 1];
      const start = (below?.first[lane] ?? 0) + inLane * FAN_OUT;
      visitBlocks(depth - 1, start, Math.min(below?.first[lane + 1] ?? 0, start + FAN_OUT));
    }
  };
  const top = levels.length - 1;
  visitBlocks(top, levels[top]?.first[lane] ?? 0, levels[top]?.first[lane + 1] ?? 0);
}
