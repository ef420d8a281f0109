/**
 * Whether what a later attempt shows can be the beginning.
 *
 * The first failure is in the first attempt that failed. So where an earlier attempt is seen to have failed and nothing says why, what a
 * later one says is about its own end, and nobody is named for the beginning. Where the earlier attempt is lost, the same holds for a job
 * that failed again before it made progress: a torn checkpoint, a port that is still taken, an address of a process that is gone are what
 * a first failure leaves behind, and they show at the start. A job that trained on had left all that behind; its failure has a first rank of
 * its own, which may be named, never established.
 */

import { isWithin, rankSet } from '../../lib/rank-set.ts';
import type { Facts, Finding } from '../../model/finding.ts';
import { type EpochNs, NS_PER_MS } from '../../model/time.ts';
import { consequenceOf, eventsOf } from '../rules/support/events.ts';
import { wallNs } from '../rules/support/order.ts';
import type { Coverage } from './coverage.ts';

/** Chosen, not measured: loading a model and a checkpoint takes less, and failures of the start have shown by then. */
const START_MS = 10 * 60_000;

/** `all`: what else was found. */
export function beganEarlier(finding: Finding, all: readonly Finding[], facts: Facts, coverage: Coverage): boolean {
  const { attempt, outcome } = finding;
  if (attempt === undefined || outcome === 'no-failure' || outcome === 'cannot-tell') return false;
  if (failedBefore(attempt, facts)) return !isRepeated(finding, attempt, all);
  // Before the first attempt there is none. Where nothing numbers the attempts, a Pod that lost one may have more of them than are seen.
  const lost = coverage.lostAttempts.some(({ pod }) => attempt > 0 || pod === '' || pod === finding.pod);
  return lost && !outlivedItsStart(finding, attempt, facts);
}

/** A lead in an earlier attempt, too weak to be said alone, points to the very ranks. */
function isRepeated(finding: Finding, attempt: number, all: readonly Finding[]): boolean {
  return all.some((other) => {
    if (other.attempt === undefined || other.attempt >= attempt || other.status === 'ruled-out') return false;
    const ranks = rankSet([...other.firstRanks, ...other.candidates.flatMap((candidate) => candidate.ranks)]);
    return ranks.length > 0 && isWithin(ranks, finding.firstRanks);
  });
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

function outlivedItsStart({ at }: Finding, attempt: number, { events, lifeLines }: Facts): boolean {
  if (eventsOf(events, 'progress').some((placed) => placed.attempt === attempt)) return true;
  if (at === undefined) return false;
  return lifeLines.some((life) => {
    if (life.attempt !== attempt || life.started === undefined || life.started.clock !== at.clock) return false;
    const began: EpochNs | bigint | undefined = wallNs(life.started);
    return began !== undefined && Number((at.rawNs - began) / NS_PER_MS) > START_MS;
  });
}
