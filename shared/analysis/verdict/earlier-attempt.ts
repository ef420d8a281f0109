/**
 * Whether what a later attempt shows can be the beginning.
 *
 * The first failure is in the first attempt that failed. Where an earlier attempt failed and nothing says why, or where its files are lost,
 * what a later one says is about its own end: a torn checkpoint, a port still taken, a sick GPU, another fault altogether. Nobody is named
 * for the beginning then, and who was first in the later attempt is a lead. It is more than a lead where
 *
 * - a weaker lead of an earlier attempt points to the very ranks;
 * - the earlier attempt is only lost, and two later ones that made progress had the same first ranks: the failure repeats, and no remains
 *   of a first one, which show at the start, are what repeats;
 * - the earlier attempt is only lost, and the later one ran for so long that its failure is one of its own.
 *
 * Even then it is named for that attempt, and never established.
 */

import { isWithin, rankSet } from '../../lib/rank-set.ts';
import type { Facts, Finding } from '../../model/finding.ts';
import { NS_PER_MS } from '../../model/time.ts';
import { consequenceOf, eventsOf } from '../rules/support/events.ts';
import { msBetween, wallNs } from '../rules/support/order.ts';
import type { Coverage } from './coverage.ts';

/** The kubelet forgets what it knows of a container's crashes once it ran this long: by the cluster's own measure it had recovered. */
const RECOVERED_MS = 10 * 60_000;

/** Of the earlier attempt: its files are lost, or it is seen to have failed and nothing says why. */
export type EarlierAttempt = 'lost' | 'unexplained';

/** Undefined where nothing speaks against this being the beginning. `all`: what else was found. */
export function beganEarlier(
  finding: Finding,
  all: readonly Finding[],
  facts: Facts,
  coverage: Coverage,
): EarlierAttempt | undefined {
  const { attempt, outcome } = finding;
  if (attempt === undefined || outcome === 'no-failure' || outcome === 'cannot-tell') return undefined;
  const earlier = (other: number): boolean => other < attempt;
  if (failedBefore(attempt, facts)) return isRepeated(finding, all, earlier) ? undefined : 'unexplained';
  // Before the first attempt there is none.
  const lost = coverage.lostAttempts.some(
    ({ pod, numbered }) => attempt > 0 || (!numbered && (pod === '' || pod === finding.pod)),
  );
  if (!lost || hadRecovered(finding, attempt, facts)) return undefined;
  const progressed = (other: number): boolean => other !== attempt && madeProgress(other, facts);
  return madeProgress(attempt, facts) && isRepeated(finding, all, progressed) ? undefined : 'lost';
}

/** A finding of another attempt, maybe one too weak to be said alone, points to the very ranks. */
function isRepeated(finding: Finding, all: readonly Finding[], inAttempt: (other: number) => boolean): boolean {
  return all.some((other) => {
    if (other.attempt === undefined || other.status === 'ruled-out' || !inAttempt(other.attempt)) return false;
    const ranks = rankSet([...other.firstRanks, ...other.candidates.flatMap((candidate) => candidate.ranks)]);
    return ranks.length > 0 && isWithin(ranks, finding.firstRanks);
  });
}

function madeProgress(attempt: number, { events }: Facts): boolean {
  return eventsOf(events, 'progress').some((placed) => placed.attempt === attempt);
}

/** Ranks that live in this attempt felt a failure in an earlier one. */
function failedBefore(attempt: number, { events, lifeLines }: Facts): boolean {
  const here = new Set(lifeLines.filter((life) => life.attempt === attempt).map(({ rank }) => rank));
  return (
    events.some(
      (placed) =>
        placed.attempt < attempt &&
        placed.rank !== undefined &&
        here.has(placed.rank) &&
        consequenceOf(placed.event.body) !== undefined,
    ) ||
    lifeLines.some(
      ({ rank, attempt: own, exit }) =>
        own < attempt &&
        here.has(rank) &&
        exit !== undefined &&
        exit.terminatedByAgent !== true &&
        (exit.code ?? 0) !== 0,
    )
  );
}

function hadRecovered({ at }: Finding, attempt: number, { events, lifeLines }: Facts): boolean {
  const alive = eventsOf(events, 'progress').filter((placed) => placed.attempt === attempt);
  return lifeLines.some(({ attempt: own, started }) => {
    const began = own === attempt && started !== undefined ? wallNs(started) : undefined;
    if (started === undefined || began === undefined) return false;
    const lasted = (ns: bigint): boolean => Number((ns - began) / NS_PER_MS) > RECOVERED_MS;
    return (
      (at !== undefined && at.clock === started.clock && lasted(at.rawNs)) ||
      alive.some((placed) => (msBetween(started, placed) ?? 0) > RECOVERED_MS)
    );
  });
}
