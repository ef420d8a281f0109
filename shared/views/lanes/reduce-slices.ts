/** Lanes as slices clipped to a span: single calls, and runs of calls that are too narrow to be told apart. */
import { type LaneBasis, shiftOf } from './clock-correction.ts';
import { spanIndex, visitSpan } from './span-index.ts';
import { type LanesView, STATE } from './types.ts';

export interface SliceRequest {
  readonly basis: LaneBasis;
  readonly from: number;
  readonly to: number;
  /** Width of the span in pixels: what is narrower than one is merged with its neighbours. */
  readonly columns: number;
  readonly lanes: readonly number[];
  readonly maxSlices: number;
}

export interface SliceColumns {
  readonly length: number;
  /** Index into the request's `lanes`. */
  readonly lane: Int32Array;
  /** In the basis, relative to the origin; not clipped, except that an open end is +Infinity. */
  readonly startNs: Float64Array;
  /** Where the drawing ends. Equal to the start for calls that ended at an unknown moment. */
  readonly endNs: Float64Array;
  readonly state: Uint8Array;
  /** Index of the call in the view; -1 = a run of several. */
  readonly call: Int32Array;
  /** Calls in it. */
  readonly count: Int32Array;
  /** 1: no end is recorded. */
  readonly open: Uint8Array;
}

/** Undefined if there would be more than `maxSlices`: ask for cells then. */
export function reduceSlices(view: LanesView, request: SliceRequest): SliceColumns | undefined {
  const out = new SliceWriter(request.maxSlices);
  const index = spanIndex(view);
  const { calls } = view;
  for (let i = 0; i < request.lanes.length; i++) {
    const lane = request.lanes[i] ?? -1;
    const shift = shiftOf(view, view.lanes[lane]?.clock ?? -1, request.basis);
    const pixelNs = (request.to - request.from) / request.columns;
    const span = { from: request.from + shift, to: request.to + shift, pixelNs };
    out.lane(i, shift, pixelNs);
    visitSpan(index, lane, span, {
      block: (from, to, worst) => out.add(from, to, worst, -1, false),
      calls: (first, end) => {
        for (let call = first; call < end; call++) {
          const from = calls.startNs[call] ?? 0;
          const to = index.drawnEndNs[call] ?? 0;
          if (to < span.from || from >= span.to) continue;
          out.add(from, to, calls.state[call] ?? 0, call, Number.isNaN(calls.endNs[call] ?? 0));
        }
      },
    });
    if (out.full) return undefined;
  }
  return out.columns();
}

class SliceWriter {
  readonly #max: number;
  readonly #lane: number[] = [];
  readonly #start: number[] = [];
  readonly #end: number[] = [];
  readonly #state: number[] = [];
  readonly #call: number[] = [];
  readonly #count: number[] = [];
  readonly #open: number[] = [];
  #i = 0;
  #shift = 0;
  #pixelNs = 1;
  #laneStart = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get full(): boolean {
    return this.#start.length > this.#max;
  }

  lane(i: number, shift: number, pixelNs: number): void {
    this.#i = i;
    this.#shift = shift;
    this.#pixelNs = pixelNs;
    this.#laneStart = this.#start.length;
  }

  add(from: number, to: number, state: number, call: number, open: boolean): void {
    const [start, end] = [from - this.#shift, to - this.#shift];
    const last = this.#start.length - 1;
    // Of a call that ended at an unknown moment only the start is drawn: many of them merge like narrow ones.
    const narrow = end - start < this.#pixelNs && (!open || state <= STATE.ended);
    const lastEnd = this.#end[last] ?? 0;
    const lastStart = this.#start[last] ?? 0;
    if (
      narrow &&
      last >= this.#laneStart &&
      this.#state[last] === state &&
      (this.#open[last] === 0 || state <= STATE.ended) &&
      start - lastEnd < this.#pixelNs &&
      (this.#call[last] === -1 || lastEnd - lastStart < this.#pixelNs)
    ) {
      this.#end[last] = Math.max(lastEnd, end);
      this.#call[last] = -1;
      this.#count[last] = (this.#count[last] ?? 1) + 1;
      return;
    }
    if (this.full) return;
    this.#lane.push(this.#i);
    this.#start.push(start);
    this.#end.push(end);
    this.#state.push(state);
    this.#call.push(call);
    this.#count.push(1);
    this.#open.push(open ? 1 : 0);
  }

  columns(): SliceColumns {
    return {
      length: this.#start.length,
      lane: Int32Array.from(this.#lane),
      startNs: Float64Array.from(this.#start),
      endNs: Float64Array.from(this.#end),
      state: Uint8Array.from(this.#state),
      call: Int32Array.from(this.#call),
      count: Int32Array.from(this.#count),
      open: Uint8Array.from(this.#open),
    };
  }
}
