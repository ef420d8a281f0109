/**
 * Which dumps are of the newest attempt. The next attempt overwrites a dump only where its process writes one: a rank that was killed in it leaves
 * the dump of the attempt before, beside the others' new ones. Their calls bear the same numbers and were never made together.
 *
 * A process makes its records after its start, when those of the attempt before are gone. So a dump whose newest record is older than something that
 * an earlier attempt did on the same clock is of an earlier attempt, and one with a record that is younger than something that the newest attempt did
 * there is of the newest. That the newest attempt's log begins later proves nothing: its head may be lost. Only where both kinds are at hand are the
 * earlier ones left out: alone they are compared with one another as before. Where lines of two attempts overlap, one is taken for the other's, and
 * nothing there is called earlier.
 */
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import { containerExit } from '../life-lines/exits.ts';
import { clocksOfDumps } from './dump-clocks.ts';
import { type DumpRankConflict, type DumpRanks, newestNs, resolveDumpRanks } from './dump-ranks.ts';
import type { RankedDump } from './input.ts';

/** Gives every dump its rank, and keeps those of earlier attempts out of the comparison; the order is that of `resolveDumpRanks`. */
export function rankDumps(
  dumps: readonly FlightRecorderDump[],
  rankMap: RankMapFact,
  events: readonly PlacedEvent[],
): DumpRanks {
  const { ranked, conflicts } = resolveDumpRanks(dumps, rankMap.worldSize);
  const newest = rankMap.attempts - 1;
  if (newest < 1) return { ranked, conflicts };
  const clockOf = clocksOfDumps(rankMap, events);
  const borders = attemptBorders(rankMap, events, newest);
  const kinds = new Map(
    ranked.map((one) => [one.dump, kindOf(one, borders.get(clockOf(one.rank ?? -1, one.dump) ?? ''))]),
  );
  const both = [...kinds.values()].includes('earlier') && [...kinds.values()].includes('newest');
  const told: DumpRankConflict[] = [];
  const kept = ranked.map((one): RankedDump => {
    const kind = kinds.get(one.dump);
    if (kind === undefined) return { ...one, attemptUntold: true };
    if (!both || kind === 'newest' || !one.current) return one;
    told.push({
      code: 'dump-of-earlier-attempt',
      source: one.dump.source,
      detail: `its newest record is older than the end of attempt ${newest - 1} on that node; dumps of attempt ${newest} are here, so it was not compared`,
    });
    return { ...one, current: false };
  });
  return { ranked: kept, conflicts: [...conflicts, ...told] };
}

/** Undefined if nothing on the dump's clock tells. */
function kindOf({ rank, dump }: RankedDump, border: Border | undefined): 'earlier' | 'newest' | undefined {
  if (rank === undefined || border === undefined) return undefined;
  const last = newestNs(dump);
  if (last >= border.began) return 'newest';
  return last > 0n && border.ended !== undefined && last < border.ended ? 'earlier' : undefined;
}

/** ns since 1970: an earlier attempt was still there at `ended`, the newest already at `began`. */
interface Border {
  readonly ended: bigint | undefined;
  readonly began: bigint;
}

/** By clock that tells of an earlier attempt. */
function attemptBorders(
  rankMap: RankMapFact,
  events: readonly PlacedEvent[],
  newest: number,
): ReadonlyMap<string, Border> {
  const last = new Map<string, bigint>();
  const first = new Map<string, bigint>();
  const hear = (clock: string, attempt: number, ns: bigint): void => {
    const known = attempt < newest ? last.get(clock) : first.get(clock);
    if (attempt < newest && (known === undefined || ns > known)) last.set(clock, ns);
    if (attempt >= newest && (known === undefined || ns < known)) first.set(clock, ns);
  };
  for (const { clock, attempt, event } of events) {
    const { stamp } = event;
    if (clock === undefined || stamp === undefined || stamp.zoneAssumed) continue;
    if (stamp.kind !== 'boot' && stamp.kind !== 'api') hear(clock, attempt, stamp.ns);
  }
  for (const pod of rankMap.pods) {
    const previous = pod.containerAttempts?.previous;
    if (pod.node === undefined || pod.containerAttempts?.current !== newest || previous === undefined) continue;
    // Whole seconds, cut off: the container did not end before that.
    const ended = containerExit(pod, previous)?.at;
    if (ended !== undefined) hear(pod.node, previous, ended.ns);
  }
  return new Map(
    [...last].map(([clock, ended]) => {
      const began = first.get(clock) ?? ended;
      return [clock, { ended: began < ended ? undefined : ended, began }];
    }),
  );
}
