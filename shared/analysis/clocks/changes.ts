/** What alignment changed, in sentences: where raw stamps and corrected ones tell a different last or first. */
import type { ClocksFact, PlacedEvent } from '../../model/facts.ts';
import { type EpochNs, epochNs } from '../../model/time.ts';
import type { RankedDump } from '../collectives/index.ts';
import { firstTrouble } from './moments.ts';
import { offsetBetween } from './pair-bounds.ts';

export interface Moment {
  /** What a person calls it: "rank 3 on node-b". */
  readonly name: string;
  readonly clock: string;
  readonly rawNs: EpochNs;
}

/**
 * One sentence if the extreme of the raw stamps is not that of the corrected ones, else none. Moments of clocks that are not
 * related to the first one's are left out; fewer than two give no sentence. Where the likely bounds do not tell the two apart, the
 * sentence says that. `what` follows "first" or "last", as in " to enter all_reduce 41".
 */
export function whatAlignmentChanged(
  moments: readonly Moment[],
  extreme: 'first' | 'last',
  clocks: ClocksFact,
  what = '',
): readonly string[] {
  const [base] = moments;
  if (base === undefined) return [];
  const placed = moments.flatMap((moment) => {
    const offset = offsetBetween(clocks, moment.clock, base.clock);
    if (offset === undefined) return [];
    const rawMs = Number(moment.rawNs - base.rawNs) / 1e6;
    return [{ moment, rawMs, correctedMs: rawMs - offset.estimate }];
  });
  if (placed.length < 2) return [];
  const sign = extreme === 'first' ? 1 : -1;
  const best = (by: 'rawMs' | 'correctedMs') =>
    [...placed].sort((a, b) => sign * (a[by] - b[by]) || (a.moment.name < b.moment.name ? -1 : 1))[0]?.moment;
  const [raw, corrected] = [best('rawMs'), best('correctedMs')];
  if (raw === undefined || corrected === undefined || raw === corrected) return [];
  const looks = `With raw stamps ${raw.name} looks ${extreme}${what}`;
  return isSeparate(raw, corrected, sign, clocks)
    ? [`${looks}; aligned it is ${corrected.name}.`]
    : [`${looks}; aligned, the order of ${raw.name} and ${corrected.name} is open.`];
}

/** True if all likely differences of the two clocks leave `corrected` the extreme one. */
function isSeparate(raw: Moment, corrected: Moment, sign: number, clocks: ClocksFact): boolean {
  const offset = offsetBetween(clocks, corrected.clock, raw.clock);
  if (offset === undefined) return false;
  const apart = Number(corrected.rawNs - raw.rawNs) / 1e6;
  // First: later than the other by less than nothing, however the clocks stand; last: the same with the other sign.
  return sign === 1 ? apart - offset.likelyLow < 0 : apart - offset.likelyHigh > 0;
}

interface Comparison {
  readonly events: readonly PlacedEvent[];
  readonly dumps: readonly RankedDump[];
  readonly clockOf: (rank: number, dump: RankedDump['dump']) => string | undefined;
}

/** The two comparisons that people make by eye: whose log shows trouble first, and who entered the call last that many wait in. */
export function alignmentChanges({ events, dumps, clockOf }: Comparison, clocks: ClocksFact): readonly string[] {
  const trouble = [...firstTrouble(events)].sort(([a], [b]) => (a < b ? -1 : 1));
  const first = trouble.map(
    ([clock, ns]): Moment => ({ name: nameOf(rankAt(events, clock, ns), clock), clock, rawNs: epochNs(ns) }),
  );
  const open = mostWaitedFor(dumps, clockOf);
  return [
    ...whatAlignmentChanged(first, 'first', clocks, ' to show trouble'),
    ...(open === undefined ? [] : whatAlignmentChanged(open.moments, 'last', clocks, ` to enter ${open.call}`)),
  ];
}

const nameOf = (rank: number | undefined, clock: string): string =>
  rank === undefined ? clock : `rank ${rank} on ${clock}`;

const rankAt = (events: readonly PlacedEvent[], clock: string, ns: bigint): number | undefined =>
  events.find((placed) => placed.clock === clock && placed.event.stamp?.ns === ns && placed.rank !== undefined)?.rank;

/** Of the calls that are the oldest open one of some rank: the one that most ranks are in, on two clocks at least. */
function mostWaitedFor(
  dumps: readonly RankedDump[],
  clockOf: Comparison['clockOf'],
): { readonly call: string; readonly moments: readonly Moment[] } | undefined {
  const calls = new Map<string, { readonly call: string; readonly moments: Moment[] }>();
  for (const { rank, dump } of dumps) {
    const { columns, strings } = dump;
    const clock = rank === undefined ? undefined : clockOf(rank, dump);
    if (clock === undefined) continue;
    for (let i = 0; i < columns.length; i++) {
      if (columns.retired[i] === 1 || columns.isP2p[i] === 1 || (columns.completedNs[i] ?? 0n) > 0n) continue;
      const rawNs = columns.createdNs[i] ?? 0n;
      const op = strings[columns.op[i] ?? -1] ?? '';
      const seq = columns.collectiveSeq[i] ?? 0;
      if (rawNs <= 0n) continue;
      const key = `${strings[columns.groupName[i] ?? -1] ?? ''} ${strings[columns.groupDesc[i] ?? -1] ?? ''} ${seq} ${op}`;
      const found = calls.get(key) ?? { call: `${op.slice(op.indexOf(':') + 1)} ${seq}`, moments: [] };
      calls.set(key, found);
      found.moments.push({ name: nameOf(rank, clock), clock, rawNs: epochNs(rawNs) });
      break;
    }
  }
  const most = [...calls]
    .filter(([, { moments }]) => new Set(moments.map(({ clock }) => clock)).size > 1)
    .sort(([a, one], [b, other]) => other.moments.length - one.moments.length || (a < b ? -1 : 1))[0]?.[1];
  return most && { call: most.call, moments: [...most.moments].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
