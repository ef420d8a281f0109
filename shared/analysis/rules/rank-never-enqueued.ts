/**
 * By the Flight Recorder dumps others wait for a rank that waits for nobody: it did not enqueue the call in which they stand.
 *
 *   5 of 6 dumps wait in all_reduce #31; the newest call of rank 4 is #30, ended
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { CollectivesFact, PlacedEvent } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf, isPrimaryClass } from './support/events.ts';
import { wentOnAfterDump } from './support/outdated.ts';
import { commonPlace, consequenceReports, lifeOf, timedOut } from './support/ranks.ts';
import {
  isKnownToLive,
  isStuckInOwnCall,
  leftWithSuccess,
  type Root,
  type RootContext,
  statusOf,
  UNSEEN,
  unseen,
} from './support/root-standing.ts';
import { stallChecks, stallOf } from './support/stall.ts';
import { type Beginnings, possibleBeginnings } from './support/unrecorded.ts';

/** More ranks than this that wait for nobody are a state of the job, not an accusation. Chosen, not measured. */
const MOST_NAMED = 3;

export default defineRule({
  id: 'rank-never-enqueued',
  title: 'A rank did not enqueue the collective in which the others wait',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
The recorder of each rank shows its last calls and which of them have ended. A rank whose newest call lies behind that of its peers in a group did not arrive where they wait; one that enqueued but did not finish what its peers
finished is stuck itself. Following who waits for whom through all groups leads to ranks that wait for nobody: the roots. Ranks that only wait are never named, and point-to-point calls of a pipeline count only where nothing else tells.

How sure:
- it is the only root, its own dump shows it, the other dumps are there, nobody waits in a circle, and other ranks report time-outs while it reports none: *established*;
- some dumps are missing, or nothing but the dumps speaks: *supported*;
- the root has **no** dump: a rank that is stopped, holds the interpreter lock or is stuck in the kernel cannot write one, so its absence fits, but a file can also just be missing. It is *supported* only if every other rank is known to wait, and the root's own log is there
  without an error or a time-out and it did not end by itself with an error; else it is only a lead. Whether such a rank stood still or had ended is told by its launcher: one that is not in the
  launcher's list of failures and was not told to stop had ended with success, and that is said instead of a stall. Where neither the launcher nor a dump tells, the words leave both open.

When it can be wrong: the root may itself wait in something the recorder does not see (a receive over gloo, a store, a file of another rank). A root that reports a time-out of its own was waiting, and is not named; one that raised an error of its own, or made another call than its peers, is for other rules. Up to three roots of which each has a dump are named together (*supported*); more of them, several without a dump, and more ranks than those who wait for them stay leads.
With gloo, which records no transfer between two ranks, several roots, or one root beside a wait that leads to none, are a group: a rank that is behind in its collectives may wait for another of them.
A recorder is also written in a slow moment that passes. Where all logs are there and no rank tells of a time-out or an end, nothing in the bundle can tell a stall from a pause, and that is said beside the name; where a rank that waits in its dump, or the root itself, is seen to go on afterwards (steps, a good end), the dumps show no failure, and this is only a lead.`,
  remedy:
    'Look at what that rank did after its newest recorded call: its log, its stack, open checkpoint, data or compile operations, its node.',
  run: ({ events, rankMap, lifeLines, collectives }) => {
    const roots = collectives.roots.filter((root) => !deviates(root, collectives));
    if (roots.length === 0) return [];
    const attempt = dumpAttempt(events, lifeLines);
    const reports = consequenceReports(events, attempt);
    const waitedItself = (root: Root) => reports.get(root.rank)?.how === 'timeout';
    const failedItself = (root: Root) =>
      eventsOf(events, 'exception').some(
        (placed) =>
          placed.rank === root.rank &&
          placed.attempt === attempt &&
          !placed.event.body.handled &&
          isPrimaryClass(placed.event.body.class),
      );
    const standing = roots.filter((root) => !waitedItself(root) && !failedItself(root));
    if (standing.length === 0) return waitedElsewhere(roots, events, attempt);
    const withDump = standing.filter((root) => root.hasDump);
    const shown = withDump.length > 0 ? withDump : standing;
    return [
      verdictOn(shown, {
        events,
        rankMap,
        lifeLines,
        collectives,
        attempt,
        reports,
        alone: shown.length === roots.length,
      }),
    ];
  },
});

/** Point-to-point calls over gloo leave no record. */
const UNRECORDED = /^(?:i?recv|i?send|batch_isend_irecv|(?:recv|send)_object_list)/;

/** One rank did not come to where the others wait, and waited itself in a call that is not recorded. A lead, for that may be another's fault. */
function waitedElsewhere(roots: readonly Root[], events: readonly PlacedEvent[], attempt: number): Draft[] {
  const [root] = roots;
  if (root === undefined || roots.length > 1 || !root.hasDump) return [];
  const raised = eventsOf(events, 'exception').find(
    ({ rank, attempt: other, event }) =>
      rank === root.rank && other === attempt && event.body.frames.some((frame) => UNRECORDED.test(frame.name)),
  );
  const call = raised?.event.body.frames.find((frame) => UNRECORDED.test(frame.name))?.name;
  if (raised === undefined || call === undefined) return [];
  return [
    draft({
      outcome: 'cannot-tell',
      status: 'hypothesis',
      stage: 'unknown',
      cause: 'none',
      strength: 'recorder',
      candidates: [{ ranks: [root.rank], why: `${root.why}; it waited in ${call}, which is not recorded` }],
      attempt,
      summary: `By the dumps the others wait for rank ${root.rank}. It did not come to where they stand, for it waited in ${call} itself until the time limit; whether that call was wrong or its other side never came is not shown.`,
      because: [
        ...rootEvidence(root),
        cite(raised, `Rank ${root.rank} raised out of ${call}: ${quote(raised.event.text, 140)}`),
      ],
      wouldChange: [`whom rank ${root.rank} waited for in ${call}, and whether that rank was to answer`],
      nextChecks: [
        `The traceback of rank ${root.rank}: should it have called ${call} there, and who should have answered?`,
      ],
    }),
  ];
}

/** A rank that made another call than the others is told by the rule for that. */
function deviates(root: Root, { first }: CollectivesFact): boolean {
  return first !== undefined && first.kind !== 'missing' && first.kind !== 'state' && first.ranks.includes(root.rank);
}

function verdictOn(roots: readonly Root[], context: RootContext): Draft {
  const { rankMap, collectives, attempt, reports, events, lifeLines } = context;
  const ranks = rankSet(roots.map((root) => root.rank));
  const wentOn = wentOnAfterDump(events, collectives, attempt);
  const status = wentOn === undefined ? statusOf(roots, ranks, context) : 'hypothesis';
  const beginnings = possibleBeginnings(roots, collectives, reports);
  if (beginnings !== undefined && status !== 'hypothesis') return openBeginning(roots, beginnings, context);
  const named = status !== 'hypothesis' && ranks.length <= MOST_NAMED;
  const waiting = without(rankSet(collectives.waits.map((wait) => wait.rank)), ranks);
  const [first] = roots;
  const stuck = ranks.every((rank) => isStuckInOwnCall(rank, collectives));
  const seen = stallOf(first?.rank ?? -1, attempt, events, lifeLines, rankMap, collectives.groups);
  const left = ranks.length === 1 ? leftWithSuccess(lifeOf(lifeLines, first?.rank ?? -1, attempt)) : undefined;
  const stall =
    stuck && seen.cause === 'stalled-unknown'
      ? { ...seen, cause: 'gpu-hang' as const, words: 'holds GPU work that never ended' }
      : (left ?? (seen.cause === 'stalled-unknown' && !isKnownToLive(roots, context) ? unseen(seen) : seen));
  const waited = without(timedOut(reports), ranks);
  const report = waited.map((rank) => reports.get(rank)?.placed).find((placed) => placed !== undefined);
  const missing = without(without(collectives.dumpsExpected ?? [], collectives.dumpsPresent), ranks);
  const open = named && isStillOpen(context);
  return draft({
    outcome: named ? 'named' : 'cannot-tell',
    status,
    stage: left === undefined || stuck ? 'straggler' : left.stage,
    cause: named ? stall.cause : 'none',
    strength: 'recorder',
    firstRanks: named ? ranks : [],
    candidates: named ? [] : roots.slice(0, 8).map((root) => ({ ranks: [root.rank], why: root.why })),
    symptomRanks: without([...waiting, ...reports.keys()], ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    summary: stuck
      ? `${nameRanksAtStart(ranks)} enqueued a collective that ${ranks.length === 1 ? 'its' : 'their'} peers finished and did not finish it; ${nameRanks(waiting)} wait.`
      : `${nameRanksAtStart(ranks)} did not join the collective in which ${waiting.length > 0 ? nameRanks(waiting) : 'the others'} wait${waiting.length === 1 ? 's' : ''}; ${ranks.length === 1 ? 'it' : 'the first of them'} ${stall.words}.${open ? ' No rank tells of a time-out or an end: it may also be a pause.' : ''}`,
    because: [
      ...roots.slice(0, 3).flatMap((root) => rootEvidence(root)),
      ...waitEvidence(context, ranks),
      ...(report
        ? [
            cite(
              report,
              `${nameRanksAtStart(waited)} waited until the time limit, ${nameRanks(ranks)} did not report that: ${quote(report.event.text, 100)}`,
            ),
          ]
        : []),
      ...stall.because,
    ],
    against:
      wentOn === undefined
        ? []
        : [cite(wentOn, `The job went on after the dumps were written: ${quote(wentOn.event.text, 120)}`)],
    wouldChange: [
      ...(missing.length > 0 ? [`the dumps of ${nameRanks(missing)}, which are not in the bundle`] : []),
      ...(open ? ['a later log or dump of the same job: a pause that ends looks the same while it lasts'] : []),
      ...(stall.words === UNSEEN ? [`how the process of ${nameRanks(ranks)} ended: its launcher's output`] : []),
    ],
    nextChecks:
      left === undefined || stuck
        ? stallChecks(stall.cause, nameRanks(ranks))
        : [
            'Exits without a message in the program and its libraries (os._exit, sys.exit)',
            `Number of batches of ${nameRanks(ranks)} against its peers`,
          ],
  });
}

/** True if nobody's wait had come to an end when the bundle was taken: no time-out, no lost peer, no process that ended. */
function isStillOpen({ reports, lifeLines, attempt }: RootContext): boolean {
  const here = lifeLines.filter((life) => life.attempt === attempt);
  return reports.size === 0 && here.length > 0 && here.every(({ log, exit }) => log !== 'none' && exit === undefined);
}

/** One of them is where the waiting begins, and which of them is not recorded. */
function openBeginning(roots: readonly Root[], { ranks, complete }: Beginnings, context: RootContext): Draft {
  const { rankMap, collectives, attempt, reports } = context;
  const waiting = without(rankSet(collectives.waits.map((wait) => wait.rank)), ranks);
  const isAnswer = complete && ranks.length <= MOST_NAMED;
  return draft({
    outcome: isAnswer ? 'group' : 'cannot-tell',
    status: isAnswer ? 'supported' : 'hypothesis',
    stage: isAnswer ? 'straggler' : 'unknown',
    cause: isAnswer ? 'stalled-unknown' : 'none',
    strength: 'recorder',
    firstRanks: isAnswer ? ranks : [],
    candidates: ranks.slice(0, 8).map((rank) => ({
      ranks: [rank],
      why: roots.find((root) => root.rank === rank)?.why ?? 'is not seen to wait, and others may wait for it',
    })),
    symptomRanks: without([...waiting, ...reports.keys()], ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    summary: `${nameRanksAtStart(waiting)} ${waiting.length === 1 ? 'waits' : 'wait'} for ${nameRanks(rankSet(roots.map((root) => root.rank)))} by the dumps. With gloo these may wait in turn, in a transfer that is not recorded: the first to stall is one of ${nameRanks(ranks)}${complete ? '' : ' or a rank that nothing tells of'}.`,
    because: [...roots.slice(0, 3).flatMap((root) => rootEvidence(root)), ...waitEvidence(context, ranks)],
    wouldChange: [
      `stacks of ${nameRanks(ranks)}: who waits in a receive or send, and for whom`,
      `the logs of ${nameRanks(ranks)} up to their time limit: who waited says so`,
    ],
    nextChecks: stallChecks('stalled-unknown', nameRanks(ranks)),
  });
}

function rootEvidence(root: Root): Evidence[] {
  const [source] = root.evidence;
  return source === undefined ? [] : [citeSource(source, root.why, root.rank)];
}

/** One waiting rank's open call, with how many dumps hold the same. */
function waitEvidence({ collectives }: RootContext, ranks: readonly number[]): Evidence[] {
  const group = collectives.groups.find(
    (candidate) =>
      candidate.members.some((member) => member.waitsIn !== undefined && !ranks.includes(member.rank)) &&
      candidate.ranks.some((rank) => ranks.includes(rank)),
  );
  const waiting = group?.members.filter((member) => member.waitsIn !== undefined && !ranks.includes(member.rank)) ?? [];
  const [one] = waiting;
  if (group === undefined || one?.waitsIn === undefined) return [];
  const same = waiting.filter((member) => member.waitsIn?.seq === one.waitsIn?.seq);
  return [
    citeSource(
      one.waitsIn.source,
      `${same.length} of ${group.ranks.length} members of ${group.desc || group.name || group.id} wait in ${one.waitsIn.op} #${one.waitsIn.seq} (${formatRanks(same.map((member) => member.rank))})`,
      one.rank,
    ),
  ];
}
