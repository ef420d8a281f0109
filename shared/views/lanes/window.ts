/**
 * The span of time that the lanes stand on. A stamp is kept if it lies within 50 days of the middle of what the files cover: relative ns
 * stay exact in a double (2^53 ns are 104 days), and one wrong stamp does not stretch the axis to decades.
 */
import type { DumpColumns } from '../../model/flight-recorder.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { isYearUnknown, NS_PER_S, type Stamp } from '../../model/time.ts';

const REACH_NS = 50n * 86_400n * NS_PER_S;
/** Kubernetes keeps events for an hour; older ones tell nothing of this job's run. */
const EVENTS_REACH_NS = 2n * 3600n * NS_PER_S;

export interface TimeWindow {
  readonly originNs: bigint;
  readonly endNs: number;
  /** ns relative to the origin; NaN if outside of the window or not a wall-clock time. */
  readonly ofStamp: (stamp: Stamp | undefined) => number;
  readonly ofEpoch: (ns: bigint | undefined) => number;
  /** The same for whole columns: 0 (absent) becomes NaN. `into`: memory to be used again if it is of the same length. */
  readonly ofColumn: (column: BigInt64Array, into?: Float64Array) => Float64Array;
  readonly outside: () => number;
}

const isWall = (stamp: Stamp | undefined): stamp is Stamp =>
  stamp !== undefined && stamp.kind !== 'boot' && !isYearUnknown(stamp);

/** Undefined if nothing in the case carries a time. */
export function timeWindow(input: IncidentInput): TimeWindow | undefined {
  const spans = [...streamSpans(input), ...dumpSpans(input)];
  const ends = spans.length > 0 ? spans.flatMap(({ from, to }) => [from, to]) : looseStamps(input);
  if (ends.length === 0) return undefined;
  ends.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = ends[ends.length >> 1] ?? 0n;
  const [least, most] = [middle - REACH_NS, middle + REACH_NS];
  const fits = (ns: bigint): boolean => ns >= least && ns <= most;
  const kept = ends.filter(fits);
  let origin = kept[0] ?? middle;
  let end = kept.at(-1) ?? middle;
  const widen = (ns: bigint | undefined, reach: bigint): void => {
    if (ns === undefined || !fits(ns)) return;
    if (ns < origin && ns >= origin - reach) origin = ns;
    if (ns > end && ns <= end + reach) end = ns;
  };
  for (const { stamp } of input.events) if (isWall(stamp)) widen(stamp.ns, REACH_NS);
  const [first, last] = [origin - EVENTS_REACH_NS, end + EVENTS_REACH_NS];
  for (const event of input.kubeEvents) {
    const at = event.last ?? event.first ?? event.created;
    if (at !== undefined && at >= first && at <= last) widen(at, REACH_NS);
  }
  return makeWindow(origin, Number(end - origin), fits);
}

interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

function streamSpans(input: IncidentInput): Span[] {
  return input.streams.flatMap(({ first, last }) =>
    first !== undefined && last !== undefined && isWall(first.stamp) && isWall(last.stamp)
      ? [
          first.stamp.ns <= last.stamp.ns
            ? { from: first.stamp.ns, to: last.stamp.ns }
            : { from: last.stamp.ns, to: first.stamp.ns },
        ]
      : [],
  );
}

/** Records stand in the order of their creation: the ends of a column hold its first and last moments. */
const LOOK = 64;

const dumpSpans = (input: IncidentInput): Span[] => input.dumps.flatMap(({ columns }) => spanOfDump(columns) ?? []);

/** First and last moment of a dump's records, epoch ns; undefined if none has a time. */
export function spanOfDump(columns: Pick<DumpColumns, 'createdNs' | 'completedNs'>): Span | undefined {
  let from = 0n;
  let to = 0n;
  for (const column of [columns.createdNs, columns.completedNs]) {
    for (let i = 0; i < column.length; i++) {
      if (i === LOOK && column.length > 2 * LOOK) i = column.length - LOOK;
      const ns = column[i] ?? 0n;
      if (ns <= 0n) continue;
      if (from === 0n || ns < from) from = ns;
      if (ns > to) to = ns;
    }
  }
  return from === 0n ? undefined : { from, to };
}

function looseStamps(input: IncidentInput): bigint[] {
  const logged = input.events.flatMap(({ stamp }) => (isWall(stamp) ? [stamp.ns as bigint] : []));
  if (logged.length > 0) return logged;
  return input.kubeEvents.flatMap((event): bigint[] => {
    const at = event.last ?? event.first ?? event.created;
    return at === undefined ? [] : [at];
  });
}

function makeWindow(originNs: bigint, endNs: number, fits: (ns: bigint) => boolean): TimeWindow {
  let outside = 0;
  const ofEpoch = (ns: bigint | undefined): number => {
    if (ns === undefined) return Number.NaN;
    if (fits(ns)) return Number(ns - originNs);
    outside += 1;
    return Number.NaN;
  };
  // Two halves of 32 bits: a bigint a value costs ten times as much over millions of records.
  const originHigh = Number(originNs >> 32n);
  const originLow = Number(originNs & 0xffff_ffffn);
  const limit = Number(REACH_NS) * 2;
  return {
    originNs,
    endNs,
    ofEpoch,
    ofStamp: (stamp) => (isWall(stamp) ? ofEpoch(stamp.ns) : Number.NaN),
    ofColumn(column, into) {
      const halves = new Int32Array(column.buffer, column.byteOffset, column.length * 2);
      const out = (into?.length === column.length ? into : new Float64Array(column.length)).fill(Number.NaN);
      for (let i = 0; i < column.length; i++) {
        const low = (halves[2 * i] ?? 0) >>> 0;
        const high = halves[2 * i + 1] ?? 0;
        if (high < 0 || (high === 0 && low === 0)) continue;
        const at = (high - originHigh) * 4_294_967_296 + (low - originLow);
        if (at > -limit && at < limit) out[i] = at;
        else outside += 1;
      }
      return out;
    },
    outside: () => outside,
  };
}
