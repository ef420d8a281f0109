/** A stall has no moment: it lies between the last that its rank did and the first that it did not. */
import type { Report } from '#shared/report/schema.ts';
import type { TimelineCall, TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { boundOf, type LaneBasis, shiftOf } from '#shared/views/lanes/index.ts';
import type { RanksTime } from '#shared/views/ranks/types.ts';
import { escapeText } from './escape-text.ts';
import type { Fact } from './overview.ts';
import { calendarDay, formatBound, nsToIso, timeOfDay } from './times.ts';

export interface StallInterval {
  readonly fact: Fact;
  /** ISO 8601 UTC of its later end, on the basis. */
  readonly until: string;
}

interface StallParts {
  readonly report: Report;
  readonly index: TimelineIndex;
  readonly fault: NonNullable<RanksTime['fault']>;
  /** Newest call of the rank before the missed one; null = its recorder shows none. */
  readonly last: TimelineCall | null;
  readonly basis: LaneBasis;
}

/**
 * Null unless the rank never entered the call. Both ends carry their clock: the bound is the wider of the two, unknown where one
 * of them is unknown. An end without a record stays open and says so.
 */
export function stallInterval({ report, index, fault, last, basis }: StallParts): StallInterval | null {
  const divergence = report.collectives.firstDivergence;
  const [rank] = report.verdict.firstRanks;
  if (fault.kind !== 'call' || divergence === null || rank === undefined) return null;
  if (divergence.kind !== 'missing' || !divergence.ranks.includes(rank)) return null;
  const until = fault.at[basis];
  const from = last !== null && last.startNs <= until ? last : null;
  const iso = (at: number): string => nsToIso(BigInt(index.originNs) + BigInt(Math.round(at)));
  const bounds = [fault.boundNs, from === null ? fault.boundNs : boundAt(index, from, basis)];
  const known = bounds.flatMap((bound) => (bound === null ? [] : [bound]));
  const bound = known.length < bounds.length ? null : Math.max(...known);
  const after =
    from === null ? 'no record before it' : from.seq < 0 ? `after ${escapeText(from.op)}` : `after #${from.seq}`;
  const words = basis === 'raw' ? 'raw' : boundWords(bound);
  // Beside the times where it is short, else under them: it is never cut.
  const beside = words.length <= MOST_BESIDE;
  return {
    until: iso(until),
    fact: {
      label: `Stalled between, ${basis}, ${calendarDay(iso(until))}`,
      value: `${from === null ? 'unknown' : timeOfDay(iso(from.startNs))} – ${timeOfDay(iso(until))}`,
      note: beside ? words : '',
      detail: `${beside ? '' : `${words}; `}${after}, before #${divergence.seq} of its peers`,
    },
  };
}

const MOST_BESIDE = 8;

const boundWords = (ns: number | null): string =>
  ns === null ? 'bound unknown' : ns === 0 ? 'reference clock' : formatBound(ns / 1e6);

/** ns; null = not bounded. */
function boundAt(index: TimelineIndex, call: TimelineCall, basis: LaneBasis): number | null {
  const clock = index.lanes[call.lane]?.clock ?? -1;
  const bound = boundOf(index.clocks[clock], call.startNs + shiftOf(index, clock, basis));
  return bound === undefined || bound.low === null || bound.high === null ? null : Math.max(-bound.low, bound.high);
}
