/** How well the dumps, logs and launchers together bear out that a root is where its peers wait, and what is known of its own end. */
import { isWithin, rankSet, without } from '../../../lib/rank-set.ts';
import type { CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import type { Stage, Status } from '../../../model/finding.ts';
import { cite, citeSource, quote } from './draft.ts';
import { lifeOf, type RankReport, timedOut } from './ranks.ts';
import { silenceOf } from './silence.ts';
import { resistedStop, type Stall } from './stall.ts';
import { stopsOf } from './stops.ts';

export type Root = CollectivesFact['roots'][number];

export interface RootContext {
  readonly events: readonly PlacedEvent[];
  readonly rankMap: RankMapFact;
  readonly lifeLines: readonly LifeLine[];
  readonly collectives: CollectivesFact;
  readonly attempt: number;
  readonly reports: ReadonlyMap<number, RankReport>;
  /** False if other roots were set aside. */
  readonly alone: boolean;
}

export function statusOf(roots: readonly Root[], ranks: readonly number[], context: RootContext): Status {
  const { collectives, reports, lifeLines, attempt, rankMap, alone } = context;
  const expected = collectives.dumpsExpected ?? [];
  const missing = without(without(expected, collectives.dumpsPresent), ranks);
  if (isMajority(ranks, collectives)) return 'hypothesis';
  if (roots.every((root) => root.hasDump)) {
    const corroborated = timedOut(reports).some((rank) => !ranks.includes(rank));
    return ranks.length === 1 &&
      alone &&
      missing.length === 0 &&
      expected.length > 0 &&
      corroborated &&
      collectives.cycle.length === 0
      ? 'established'
      : 'supported';
  }
  if (ranks.length > 1) return 'hypothesis';
  const [rank = -1] = ranks;
  const life = lifeOf(lifeLines, rank, attempt);
  const known = new Set([...collectives.waits.map((wait) => wait.rank), ...reports.keys()]);
  const others = without(expected.length > 0 ? expected : rankSet(rankMap.places.map((place) => place.rank)), ranks);
  const covered = others.length > 0 && isWithin(others, known);
  const silent =
    life !== undefined &&
    life.log !== 'none' &&
    (life.endsInsideALine !== true || silenceOf(rank, context).kind === 'covered') &&
    !reports.has(rank) &&
    life.errors.length === 0 &&
    !endedByItself(life);
  return covered && silent ? 'supported' : 'hypothesis';
}

/** What ended by itself, without its launcher's doing, is no rank that stalls; why it ended is for other rules. */
const endedByItself = ({ exit }: LifeLine): boolean =>
  exit?.by === 'agent' && !exit.terminatedByAgent && ((exit.code ?? 0) !== 0 || exit.signal !== undefined);

/** More than those who wait for them: they may all wait in something that the recorder does not see, for one who went on. */
function isMajority(ranks: readonly number[], { waits }: CollectivesFact): boolean {
  const waiting = without(rankSet(waits.map((wait) => wait.rank)), ranks);
  return ranks.length > waiting.length;
}

/**
 * Its launcher lists all workers that failed and all that it told to stop, and this one is in neither: it had ended with success. Whoever
 * ended is not one that stands still.
 */
export function leftWithSuccess(life: LifeLine | undefined): (Stall & { readonly stage: Stage }) | undefined {
  if (life?.exit?.by !== 'agent' || life.exit.code !== 0 || life.exit.terminatedByAgent) return undefined;
  const { exit, finished } = life;
  const because = [
    citeSource(
      exit.source,
      `The launcher lists all its workers that failed: rank ${life.rank} is not among them and was not told to stop, so it had ended before, with success`,
      life.rank,
    ),
    ...(finished === undefined
      ? []
      : [cite(finished, `Rank ${life.rank} had finished: ${quote(finished.event.text, 140)}`)]),
  ];
  return finished === undefined
    ? { stage: 'exited-rank', cause: 'python-exception', words: 'had ended with success and gave no reason', because }
    : { stage: 'mismatched-collective', cause: 'uneven-inputs', words: 'had finished and ended', because };
}

export const UNSEEN = 'stood still or had ended, the bundle does not show which';
export const unseen = (stall: Stall): Stall => ({ ...stall, words: UNSEEN });

/** One of them wrote a dump while the others waited, or its launcher had to end it: it lived and stood still. */
export const isKnownToLive = (roots: readonly Root[], { lifeLines, events, rankMap, attempt }: RootContext): boolean =>
  roots.some(
    ({ rank, hasDump }) =>
      hasDump ||
      lifeOf(lifeLines, rank, attempt)?.exit?.terminatedByAgent === true ||
      stopsOf(events, rankMap).toldToStop(rank, attempt) !== undefined ||
      resistedStop(rank, attempt, events, rankMap) !== undefined,
  );

/** The rank enqueued a call that its peers finished: its own device did not do the work. Only where the recorder tells ends from failures. */
export function isStuckInOwnCall(rank: number, { groups }: CollectivesFact): boolean {
  return groups.some((group) => {
    const seq =
      group.backend === 'gloo' ? undefined : group.members.find((member) => member.rank === rank)?.waitsIn?.seq;
    return (
      seq !== undefined &&
      group.members.some(
        (member) => member.rank !== rank && member.lastCompleted !== undefined && member.lastCompleted >= seq,
      )
    );
  });
}
