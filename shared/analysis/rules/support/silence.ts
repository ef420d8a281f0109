/** Whether a rank that printed nothing could have printed something: what makes silence evidence. */
import type { LifeLine, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import type { PodObject } from '../../../model/kubernetes.ts';
import { ranksWithoutBeginning } from './begins-late.ts';
import { eventsOf, inAttempt } from './events.ts';
import { msBetween, precedesInFile } from './order.ts';
import { isInFirstLife, isOver } from './pod-life.ts';
import { jobRanks, lifeOf, placeOf, podByName, type RankReport } from './ranks.ts';
import { resistedStop } from './stall.ts';
import { stopsOf } from './stops.ts';
import { waitingPlaces } from './waiting-places.ts';

/**
 * A rank that waits with its peers reaches its limit with them, within the spread of their arrival. It must have lived this much
 * longer than the first report on its node for its silence to count. Chosen from real runs: victims of one node report within 0.1 s
 * of each other, and launchers notice the first exit 2 to 6 s later.
 */
const SILENCE_COUNTS_AFTER_MS = 500;

export interface SilenceContext {
  readonly attempt: number;
  readonly events: readonly PlacedEvent[];
  readonly rankMap: RankMapFact;
  readonly lifeLines: readonly LifeLine[];
  readonly reports: ReadonlyMap<number, RankReport>;
}

/**
 * - `covered`  it lived on clearly after the others had reported: `stop` is the launcher's signal that ended it, `running` its Pod that still
 *              ran when all others had ended
 * - `short`    it was ended within a moment of the first report: it may have had no time
 * - `unknown`  nothing orders its end and the reports
 */
export type Silence =
  | { readonly kind: 'covered'; readonly stop: PlacedEvent }
  | { readonly kind: 'covered'; readonly stop?: never; readonly running: PodObject }
  | { readonly kind: 'short' }
  | { readonly kind: 'unknown' };

export function silenceOf(rank: number, context: SilenceContext): Silence {
  const { attempt, events, rankMap, lifeLines, reports } = context;
  const life = lifeOf(lifeLines, rank, attempt);
  if (life === undefined || life.log === 'none' || ranksWithoutBeginning(lifeLines, attempt).includes(rank))
    return { kind: 'unknown' };
  // Its Pod's file reaches at least to the signal that it was sent; its own may end anywhere before.
  if (life.log === 'own' && life.endsInsideALine === true) return { kind: 'unknown' };
  const stop = stopsOf(events, rankMap).toldToStop(rank, attempt);
  if (stop === undefined) {
    const running = life.endsInsideALine === true ? undefined : stillRunning(rank, context);
    return running === undefined ? { kind: 'unknown' } : { kind: 'covered', running };
  }
  const timeouts = [...reports.values()].filter((report) => report.how === 'timeout');
  const gaps = timeouts.flatMap((report) => msBetween(report.placed, stop) ?? []);
  if (gaps.some((ms) => ms >= SILENCE_COUNTS_AFTER_MS)) return { kind: 'covered', stop };
  if (gaps.some((ms) => ms >= 0)) return { kind: 'short' };
  const after =
    timeouts.some((report) => precedesInFile(report.placed, stop)) || neighbourEndedFirst(rank, life, context);
  return after && isCorroborated(rank, context) ? { kind: 'covered', stop } : { kind: 'unknown' };
}

/**
 * The Pod of this rank, if it ran while every other Pod of the job, among them those of all who reported, was over. A rank that waits with
 * its peers reaches its limit with them, and one whose peers are gone loses its connections; both end their launcher.
 */
function stillRunning(rank: number, { attempt, rankMap, reports }: SilenceContext): PodObject | undefined {
  const own = placeOf(rankMap, rank, attempt)?.pod;
  const object = podByName(rankMap, own)?.object;
  if (object === undefined || !isInFirstLife(object)) return undefined;
  const others = rankMap.pods.filter(({ pod }) => pod !== own);
  const isElsewhere = [...reports.keys()].every((other) => {
    const pod = placeOf(rankMap, other, attempt)?.pod;
    return pod !== undefined && pod !== own;
  });
  return isElsewhere && others.every((place) => isOver(place.object)) ? object : undefined;
}

/** The launcher ended this rank because a neighbour that had timed out was gone: cause before effect, without any stamp. */
function neighbourEndedFirst(
  rank: number,
  life: LifeLine,
  { attempt, rankMap, lifeLines, reports }: SilenceContext,
): boolean {
  const pod = placeOf(rankMap, rank, attempt)?.pod;
  if (pod === undefined || life.exit?.terminatedByAgent !== true) return false;
  return lifeLines.some(
    (other) =>
      other.attempt === attempt &&
      other.rank !== rank &&
      placeOf(rankMap, other.rank, attempt)?.pod === pod &&
      reports.get(other.rank)?.how === 'timeout' &&
      (other.exit?.code ?? 0) > 0,
  );
}

/**
 * Where the gap is not known, something else must tell the silent rank from a victim that was ended too soon: all others waited until
 * their limit (a culprit that wakes up late sees closed connections instead), or by their tracebacks all others waited in one and the same call (so that
 * none of them parted from the rest), or all others wrote a dump on their own and it did not, or it did
 * not even react to the launcher's signal.
 */
function isCorroborated(rank: number, { attempt, events, rankMap, reports }: SilenceContext): boolean {
  if (resistedStop(rank, attempt, events, rankMap) !== undefined) return true;
  if ([...reports.values()].every((report) => report.how === 'timeout')) return true;
  if (allElseInOneCall(attempt, events, rankMap)) return true;
  const writers = new Set(inAttempt(eventsOf(events, 'dump-written'), attempt).flatMap((placed) => placed.rank ?? []));
  return !writers.has(rank) && [...reports.keys()].every((other) => writers.has(other));
}

function allElseInOneCall(attempt: number, events: readonly PlacedEvent[], rankMap: RankMapFact): boolean {
  const places = [...waitingPlaces(events, attempt).values()];
  return places.length === jobRanks(rankMap).length - 1 && places.every(({ key }) => key === places[0]?.key);
}
