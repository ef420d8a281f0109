/**
 * The first attempt that hung, judged by what it printed.
 *
 * A recorder is overwritten by the next attempt that writes one, and the comparison of calls is about the dumps that are there: where a
 * later attempt wrote them, or timed out last, the first one's stall would go unseen and a later failure be taken for the beginning. What
 * its watchdogs and programs printed still stands in the logs. So the first attempt whose ranks waited until a limit is read once more
 * without the dumps, and the rules that compare calls look at it alone.
 */
import type { Facts, Finding } from '../../model/finding.ts';
import { computeCollectives } from '../collectives/index.ts';
import { dumpAttempt } from '../rules/support/dump-attempt.ts';
import { consequenceOf } from '../rules/support/events.ts';

/** Undefined where the calls that are compared are already those of the first attempt that hung. */
export function firstAttemptAlone(facts: Facts): Facts | undefined {
  const first = firstHung(facts);
  if (first === undefined || first >= dumpAttempt(facts.events, facts.lifeLines)) return undefined;
  const events = facts.events.filter(({ attempt }) => attempt === first);
  return {
    ...facts,
    input: { ...facts.input, dumps: [] },
    events,
    lifeLines: facts.lifeLines.filter(({ attempt }) => attempt === first),
    collectives: computeCollectives({ dumps: [], events, worldSize: facts.rankMap.worldSize }),
  };
}

function firstHung({ events }: Facts): number | undefined {
  let first: number | undefined;
  for (const { attempt, event } of events)
    if ((first === undefined || attempt < first) && consequenceOf(event.body) === 'timeout') first = attempt;
  return first;
}

/** What the look at one attempt adds: nothing that the look at all of them found already. */
export function addedBy(alone: readonly Finding[], all: readonly Finding[], attempt: number): Finding[] {
  const keyOf = (finding: Finding): string =>
    `${finding.rule} ${finding.attempt ?? attempt} ${finding.outcome} ${finding.firstRanks.join()}`;
  const known = new Set(all.map(keyOf));
  return alone.filter((finding) => !known.has(keyOf(finding))).map((finding) => ({ ...finding, attempt }));
}
