import { err, ok, type Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { MAX_CELLS, type TimelineIndex, type TimelinePicture } from '#shared/rpc/areas/timeline.ts';
import type { Methods, RpcError } from '#shared/rpc/contract.ts';
import {
  buildMetrics,
  caseSpan,
  countEvents,
  countWaiting,
  findCall,
  LANES_VIEW,
  type LanesView,
  type MetricStore,
  metricCurve,
  type ProgressLine,
  pickCall,
  reduceCells,
  reduceInstants,
  reduceSlices,
  shiftOf,
  stepCall,
  summariseLanes,
} from '#shared/views/lanes/index.ts';
import { asLanesView } from '#shared/views/stored.ts';
import type { EngineContext } from '../engine.ts';
import type { CaseReader } from '../store/case-reader.ts';
import { askCase } from './case-question.ts';
import { gpuSeries } from './gpu-series.ts';
import type { HandlerTable } from './handler-table.ts';

const MAX_INSTANTS = 4000;

export const timelineHandlers: HandlerTable<'timeline'> = {
  'timeline.index': async ({ caseId }, ctx) => askCase(ctx, caseId, (reader) => ok(indexOf(lanesOf(reader)))),

  'timeline.lanes': async (params, ctx) =>
    withView(ctx, params.caseId, (view) => {
      const rows = Math.ceil(params.lanes.length / params.lanesPerRow);
      if (rows * params.columns > MAX_CELLS || !(params.to > params.from))
        return err({ code: 'invalid-params', detail: 'the picture is too large, or its span is empty' });
      return ok(pictureOf(view, params));
    }),

  'timeline.strips': async ({ caseId, ...columns }, ctx) =>
    withView(ctx, caseId, (view, reader) => {
      const { warnings, errors } = countEvents(view, columns);
      const waiting = countWaiting(view, columns);
      return ok({ columns: columns.columns, lines: countLines(view, reader, columns), warnings, errors, waiting });
    }),

  'timeline.metrics': async ({ caseId }, ctx) =>
    withView(ctx, caseId, (view, reader) => {
      const { infos, leftOut } = metricsOf(view, reader);
      return ok({ metrics: infos, leftOut });
    }),

  'timeline.curves': async ({ caseId, ids, ...request }, ctx) =>
    withView(ctx, caseId, (view, reader) => {
      if (!(request.to > request.from)) return err({ code: 'invalid-params', detail: 'the span is empty' });
      const store = metricsOf(view, reader);
      return ok({ curves: ids.flatMap((id) => metricCurve(store, id, request) ?? []) });
    }),

  'timeline.pick': async ({ caseId, lanes, ...span }, ctx) =>
    withView(ctx, caseId, (view) => ok(pickCall(view, lanes, span))),

  'timeline.step': async ({ caseId, lane, ...from }, ctx) =>
    withView(ctx, caseId, (view) => ok(stepCall(view, lane, from))),

  'timeline.find': async ({ caseId, basis, rank, group, seq }, ctx) =>
    withView(ctx, caseId, (view) => ok(findCall(view, rank, group, seq, basis))),

  'timeline.rows': async ({ caseId, lanes, ...span }, ctx) =>
    withView(ctx, caseId, (view) => ok({ rows: summariseLanes(view, lanes, span) })),
};

/** More lines than these tell nothing more at any width. */
const MAX_PROGRESS = 500_000;
const metricStores = new WeakMap<LanesView, MetricStore>();

/** Read once a case: it is a look at every event. */
function metricsOf(view: LanesView, reader: CaseReader): MetricStore {
  const known = metricStores.get(view);
  if (known !== undefined) return known;
  const origin = BigInt(view.originNs);
  const lines = reader.progressEvents(MAX_PROGRESS).map(({ entry, rank, ns, json }): ProgressLine => {
    const { step, text } = progressOf(JSON.parse(json));
    return { entry: Number(entry), rank: rank === null ? null : Number(rank), step, rawNs: Number(ns - origin), text };
  });
  const store = buildMetrics(view, lines, gpuSeries(view, reader));
  metricStores.set(view, store);
  return store;
}

/** Of an event as this program stored it. */
function progressOf(event: unknown): { readonly step: number | null; readonly text: string } {
  if (typeof event !== 'object' || event === null || !('body' in event)) return { step: null, text: '' };
  const { body } = event;
  const step = typeof body === 'object' && body !== null && 'step' in body ? body.step : undefined;
  const text = 'text' in event && typeof event.text === 'string' ? event.text : '';
  return { step: typeof step === 'number' ? step : null, text };
}

function withView<T>(
  ctx: EngineContext,
  caseId: CaseId,
  query: (view: LanesView, reader: CaseReader) => Result<T, RpcError>,
): Result<T, RpcError> {
  return askCase(ctx, caseId, (reader) => {
    const view = lanesOf(reader);
    return view === undefined
      ? err({ code: 'record-not-found', detail: 'the case holds no lanes' })
      : query(view, reader);
  });
}

const lanesOf = (reader: CaseReader): LanesView | undefined => asLanesView(reader.view(LANES_VIEW));

function indexOf(view: LanesView | undefined): TimelineIndex | null {
  if (view === undefined) return null;
  const { originNs, endNs, clocks, groups, sections, lanes, marks, files, kinds, outside, instantsLeftOut } = view;
  const counts = { calls: view.calls.length, instants: view.instants.length, outside, instantsLeftOut };
  const spans = { raw: caseSpan(view, 'raw'), corrected: caseSpan(view, 'corrected') };
  return { originNs, endNs, spans, clocks, groups, sections, lanes, marks, files, kinds, ...counts };
}

function pictureOf(view: LanesView, params: Methods['timeline.lanes']['params']): TimelinePicture {
  const { basis, from, to, columns, lanes } = params;
  const slices =
    params.tier === 'slices'
      ? reduceSlices(view, { basis, from, to, columns, lanes, maxSlices: params.maxSlices })
      : undefined;
  if (slices === undefined) return { kind: 'cells', columns, cells: reduceCells(view, params) };
  const texts = new Texts(view);
  const { calls } = view;
  const of = (column: ArrayLike<number>): Int32Array =>
    slices.call.map((call) => (call < 0 ? -1 : (column[call] ?? -1)));
  const instants = reduceInstants(view, { basis, from, to, columns, lanes, maxInstants: MAX_INSTANTS });
  const picked = <T>(column: ArrayLike<T>) => instants.map(({ row }) => column[row] as T);
  return {
    kind: 'slices',
    slices: { ...slices, group: of(calls.group), seq: of(calls.seq), op: of(calls.op).map((op) => texts.of(op)) },
    instants: {
      length: instants.length,
      lane: Int32Array.from(instants, ({ lane }) => lane),
      atNs: Float64Array.from(instants, ({ at }) => at),
      count: Int32Array.from(instants, ({ count }) => count),
      kind: Uint16Array.from(picked(view.instants.kind)),
      severity: Uint8Array.from(picked(view.instants.severity)),
      clock: Int16Array.from(picked(view.instants.clock)),
      entry: Int32Array.from(picked(view.instants.entry)),
      line: Int32Array.from(picked(view.instants.line)),
      text: Int32Array.from(picked(view.instants.text), (text) => texts.of(text)),
    },
    texts: texts.list,
  };
}

/** The texts of one answer. */
class Texts {
  readonly list: string[] = [];
  readonly #strings: readonly string[];
  readonly #known = new Map<number, number>();

  constructor(view: LanesView) {
    this.#strings = view.strings;
  }

  of(index: number): number {
    if (index < 0) return -1;
    const known = this.#known.get(index);
    if (known !== undefined) return known;
    const at = this.list.push(this.#strings[index] ?? '') - 1;
    this.#known.set(index, at);
    return at;
  }
}

interface LineColumns {
  readonly basis: 'raw' | 'corrected';
  readonly from: number;
  readonly to: number;
  readonly columns: number;
}

interface FileSeconds {
  readonly clock: number;
  readonly widthNs: number;
  readonly atNs: Float64Array;
  readonly lines: Uint32Array;
}

const SECONDS = new WeakMap<LanesView, readonly FileSeconds[]>();

/** Lines a column; a second wider than a column spreads its lines over its columns. */
function countLines(
  view: LanesView,
  reader: CaseReader,
  { basis, from, to, columns }: LineColumns,
): Float64Array | null {
  const files = secondsOf(view, reader);
  if (files.length === 0) return null;
  const out = new Float64Array(columns);
  const perColumn = (to - from) / columns;
  for (const { clock, widthNs, atNs, lines } of files) {
    const shift = shiftOf(view, clock, basis);
    for (let i = 0; i < atNs.length; i++) {
      const start = (atNs[i] ?? 0) - shift;
      if (start + widthNs <= from || start >= to) continue;
      const [a, b] = [(start - from) / perColumn, (start + widthNs - from) / perColumn];
      spread(out, a, b, lines[i] ?? 0);
    }
  }
  return out;
}

/** `a`, `b` in columns. */
function spread(out: Float64Array, a: number, b: number, lines: number): void {
  const first = Math.floor(a);
  const last = Math.ceil(b) - 1;
  if (first >= last || b - a <= 1) {
    const at = Math.max(0, Math.min(out.length - 1, first));
    out[at] = (out[at] ?? 0) + lines;
    return;
  }
  for (let x = Math.max(0, first); x <= Math.min(out.length - 1, last); x++) {
    const share = (Math.min(b, x + 1) - Math.max(a, x)) / (b - a);
    out[x] = (out[x] ?? 0) + lines * share;
  }
}

function secondsOf(view: LanesView, reader: CaseReader): readonly FileSeconds[] {
  const known = SECONDS.get(view);
  if (known !== undefined) return known;
  const originNs = BigInt(view.originNs);
  const clockOf = new Map(view.files.map(({ entry, clock }) => [entry, clock]));
  const files: FileSeconds[] = [];
  for (const { entry, widthS, pairs } of reader.secondCounts()) {
    const length = pairs.length >> 1;
    const atNs = new Float64Array(length);
    const lines = new Uint32Array(length);
    // Seconds are exact in a double; the origin's remainder is taken off after.
    const originS = Number(originNs / 1_000_000_000n);
    const rest = Number(originNs % 1_000_000_000n);
    for (let i = 0; i < length; i++) {
      atNs[i] = ((pairs[2 * i] ?? 0) * widthS - originS) * 1e9 - rest;
      lines[i] = pairs[2 * i + 1] ?? 0;
    }
    files.push({ clock: clockOf.get(entry) ?? -1, widthNs: widthS * 1e9, atNs, lines });
  }
  SECONDS.set(view, files);
  return files;
}
