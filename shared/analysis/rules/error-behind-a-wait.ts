/**
 * A rank failed by itself, and what it printed last is about its peers: the clean-up ran into them.
 *
 *   KeyError: 'class_17'
 *   During handling of the above exception, another exception occurred:
 *   RuntimeError: [/…/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 30000ms for recv operation to complete
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { beginningOf, isAboutOthers, type Link } from './support/chain.ts';
import { cite, type Draft, draft, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass, type PlacedOf } from './support/events.ts';
import { quotedCause } from './support/quoted-cause.ts';
import { commonPlace, consequenceReports, jobRanks } from './support/ranks.ts';
import { stopsOf } from './support/stops.ts';

type Raised = PlacedOf<'exception'>;

/** How Python programs end loops and look things up: being handled when something else happens means nothing. */
const CONTROL_FLOW =
  /(?:^|\.)(?:StopIteration|StopAsyncIteration|GeneratorExit|Empty|Full|KeyboardInterrupt|SystemExit)$/;
const LIBRARY = /(?:site-packages|dist-packages|\/torch\/|<frozen|\/lib\/python)/;

interface Chained {
  readonly placed: Raised;
  readonly rank: number;
  readonly beginning: Link;
}

export default defineRule({
  id: 'error-behind-a-wait',
  title: "A rank's own error is behind the time-out or lost peer that it printed last",
  needs: ['events', 'rankMap'],
  explain: `
Python tells what was being handled when an exception was raised. A rank that fails in its step and then, in a \`finally\` or \`except\`, calls a barrier or destroys its groups waits there for peers that are still in the step: its last line is a time-out like everybody's,
and its own error stands in the link before. The link that came first is the beginning.

It is weaker than an uncaught exception, because a program may also wait for its peers in an \`except\` branch on purpose (a cache that is missing and built together). So it does not fire when all ranks did so,
when the rank waited at the same line of the program as a rank without such an error, for the exceptions with which Python ends loops, or after the launcher's signal; stronger evidence about somebody else goes first; and it is at most *supported*.

How sure: *supported* at most. When it can be wrong: a program that waits for its peers in an \`except\` branch on purpose, at a line where no other rank is seen to wait.`,
  remedy:
    'Read the first part of the chained traceback and fix that error. Take collectives and barriers out of finally and except branches: a rank that failed cannot keep its place in the sequence.',
  run: ({ events, rankMap }) =>
    attemptsOf(eventsOf(events, 'exception')).flatMap((attempt) => behindIn(attempt, events, rankMap)),
});

function behindIn(attempt: number, events: readonly PlacedEvent[], rankMap: RankMapFact): Draft[] {
  const raised = inAttempt(eventsOf(events, 'exception'), attempt).filter((placed) => !placed.event.body.handled);
  const stops = stopsOf(events, rankMap);
  const chained = raised.flatMap((placed) => chainedOf(placed) ?? []).filter(({ placed }) => !stops.afterStop(placed));
  const ranks = new Set(chained.map((one) => one.rank));
  const usual = new Set(raised.flatMap((placed) => (ranks.has(placed.rank ?? -1) ? [] : (waitingPlace(placed) ?? []))));
  const odd = chained.filter(({ placed }) => !usual.has(waitingPlace(placed) ?? ''));
  if (odd.length === 0 || without(jobRanks(rankMap), ranks).length === 0) return [];
  return [...bySignature(odd).values()].map((alike) => behindDraft(alike, attempt, events, rankMap));
}

function chainedOf(placed: Raised): Chained | undefined {
  const beginning = beginningOf(placed);
  if (placed.rank === undefined || beginning === undefined || isPrimaryClass(placed.event.body.class)) return undefined;
  if (isAboutOthers(beginning) || CONTROL_FLOW.test(beginning.type)) return undefined;
  return { placed, rank: placed.rank, beginning };
}

/** The line of the program in which the last exception was raised. */
function waitingPlace(placed: Raised): string | undefined {
  const own = placed.event.body.frames.find((frame) => !LIBRARY.test(frame.file));
  return own === undefined ? undefined : `${own.file}:${own.line}`;
}

function bySignature(chained: readonly Chained[]): Map<string, Chained[]> {
  const groups = new Map<string, Chained[]>();
  for (const one of chained) {
    const key = `${one.beginning.type}: ${one.beginning.message.replace(/\d+/g, '#')}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

function behindDraft(
  alike: readonly Chained[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const ranks = rankSet(alike.map((one) => one.rank));
  const { type = '', message = '' } = alike[0]?.beginning ?? {};
  const error = message === '' ? type : `${type}: ${message}`;
  return draft({
    outcome: ranks.length === 1 ? 'named' : 'group',
    status: 'supported',
    stage: 'exited-rank',
    cause: quotedCause(error),
    strength: 'absence',
    firstRanks: ranks,
    symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    summary: `${nameRanksAtStart(ranks)} failed with ${quote(error, 120)} and ran into the waiting peers while dealing with it.`,
    because: alike
      .slice(0, 4)
      .map(({ placed, rank, beginning }) =>
        cite(
          placed,
          `Rank ${rank} was handling ${quote(`${beginning.type}: ${beginning.message}`, 120)} when it got ${quote(`${placed.event.body.type}: ${placed.event.body.message}`, 100)}`,
        ),
      ),
    wouldChange: ['a program that waits for its peers in an except branch on purpose'],
    nextChecks: [
      'Read the first part of the chained traceback at the cited line',
      `Flight Recorder dumps: ${nameRanks(ranks)} should wait in another call than the peers`,
    ],
  });
}
