/**
 * Exceptions that answer a failure of somebody else: a time-out turned into an error of the program (`except RuntimeError: raise StepFailed from None`),
 * or a comparison with the peers. Only for the class that says nothing of its origin.
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../../lib/rank-set.ts';
import type { CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from '../../../model/facts.ts';
import type { Evidence } from '../../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './draft.ts';
import { eventsOf, inAttempt, isPrimaryClass, type PlacedOf } from './events.ts';
import { msBetween, precedes } from './order.ts';
import { commonPlace, eventsOfRank, jobRanks, placeOf, type RankReport } from './ranks.ts';
import { pauseBefore } from './stood-still.ts';
import { stopsOf } from './stops.ts';

export type Raised = PlacedOf<'exception'>;

export interface ReactionContext {
  readonly attempt: number;
  readonly events: readonly PlacedEvent[];
  readonly rankMap: RankMapFact;
  readonly symptoms: readonly number[];
  readonly lifeLines: readonly LifeLine[];
  readonly reports: ReadonlyMap<number, RankReport>;
  readonly collectives: CollectivesFact;
}

/** What shows that the printers had been waiting. */
export interface Wait {
  /** Completes "raised it …". */
  readonly words: string;
  readonly evidence: readonly Evidence[];
  /** For whom, where dumps tell; undefined where it is not told. */
  readonly forRanks: readonly number[] | undefined;
}

/** Undefined unless every printer had surely waited before. */
export function waitBefore(cluster: readonly Raised[], context: ReactionContext): Wait | undefined {
  const [first] = cluster;
  if (first?.event.body.class !== 'python') return undefined;
  return inDumps(cluster, context) ?? byPauses(cluster, context) ?? byTimeOuts(cluster, context);
}

/** The printers' dumps that are there, written before and with no step since, show each in a collective for ranks that did not raise this. */
function inDumps(cluster: readonly Raised[], { events, collectives, attempt }: ReactionContext): Wait | undefined {
  const ranks = rankSet(cluster.flatMap((placed) => placed.rank ?? []));
  const evidence: Evidence[] = [];
  const forRanks: number[] = [];
  for (const placed of cluster) {
    if (placed.rank === undefined || !collectives.dumpsPresent.includes(placed.rank)) continue;
    const waits = collectives.waits.filter((wait) => wait.rank === placed.rank);
    const own = eventsOfRank(events, placed.rank).filter((event) => event.attempt === attempt);
    const written = own.findLast((event) => event.event.body.kind === 'dump-written' && precedes(event, placed));
    const wentOn = own.some((event) => event.event.body.kind === 'progress' && written && precedes(written, event));
    if (waits.length === 0 || written === undefined || wentOn) return undefined;
    forRanks.push(...waits.flatMap((wait) => wait.for));
    evidence.push(
      cite(
        written,
        `Rank ${placed.rank} wrote its dump before it raised this, and there it waits for ${nameRanks(rankSet(waits.flatMap((wait) => wait.for)))}`,
      ),
    );
  }
  const others = without(rankSet(forRanks), ranks);
  if (others.length === 0) return undefined;
  return {
    words: `while waiting for ${nameRanks(others)} by their dumps,`,
    evidence: evidence.slice(0, 3),
    forRanks: others,
  };
}

function byPauses(cluster: readonly Raised[], { events }: ReactionContext): Wait | undefined {
  const pauses = cluster.flatMap((placed) => pauseBefore(placed, events) ?? []);
  const [pause] = pauses;
  if (pause === undefined || pauses.length < cluster.length) return undefined;
  const seconds = Math.round(pause.ms / 1000);
  return {
    words: `after standing still for ${seconds} s,`,
    forRanks: undefined,
    evidence: [
      cite(
        pause.since,
        `Rank ${pause.since.rank} had told of its last step ${seconds} s before, far longer than any pause before: it may have been waiting, and the exception its answer to that`,
      ),
    ],
  };
}

/** Peers are a step apart at most: a wait that began this much before an exception did not begin with it. Chosen, not measured. */
const EARLIER_MS = 5_000;

/** A peer on the same clock waited until its limit, and that wait had begun well before the first of them raised it. */
function byTimeOuts(cluster: readonly Raised[], { events, attempt }: ReactionContext): Wait | undefined {
  const ranks = cluster.map((placed) => placed.rank);
  const waits = inAttempt(eventsOf(events, 'gloo-timeout'), attempt).filter(({ rank }) => !ranks.includes(rank));
  for (const peer of waits) {
    const limit = peer.event.body.ms;
    const begun = cluster.flatMap((placed) => msBetween(placed, peer) ?? []).map((ms) => (limit ?? 0) - ms);
    if (limit === undefined || begun.length === 0 || begun.some((ms) => ms < EARLIER_MS)) continue;
    const seconds = Math.round(Math.min(...begun) / 1000);
    return {
      words: `when rank ${peer.rank} had waited for ${seconds} s already,`,
      forRanks: undefined,
      evidence: [
        cite(peer, `The wait of rank ${peer.rank} that ran out had begun ${seconds} s before this was raised`),
      ],
    };
  }
  return undefined;
}

/**
 * Ranks that may be what the printers answered to. Only for exceptions whose class says nothing of their origin:
 * - the printers had waited before, and these neither failed nor waited by their own word (a time-out turned into another error);
 * - most ranks of the job raised the same, and these, beside them in a Pod, came past that place: they lost their peers later (a comparison with them), or lived
 *   on and raised nothing until their launcher ended them.
 */
export function behindTheRaised(
  cluster: readonly Raised[],
  ranks: readonly number[],
  wait: Wait | undefined,
  context: ReactionContext,
): readonly number[] {
  const { events, rankMap, reports, lifeLines, attempt } = context;
  if (cluster[0]?.event.body.class !== 'python' || rankMap.worldSize === undefined) return [];
  const failed = eventsOf(events, 'exception').flatMap((placed) =>
    placed.attempt === attempt && !placed.event.body.handled && isPrimaryClass(placed.event.body.class)
      ? (placed.rank ?? [])
      : [],
  );
  const done = lifeLines.filter((life) => life.attempt === attempt && life.finished !== undefined);
  const rest = without(jobRanks(rankMap), [...ranks, ...failed, ...done.map((life) => life.rank)]);
  if (wait !== undefined) {
    const quiet = without(rest, reports.keys());
    return wait.forRanks === undefined ? quiet : quiet.filter((rank) => wait.forRanks?.includes(rank));
  }
  if (ranks.length * 2 <= jobRanks(rankMap).length) return [];
  const pods = new Set(ranks.map((rank) => placeOf(rankMap, rank, attempt)?.pod));
  const passed = rest.filter((rank) => reports.has(rank) || outlived(rank, cluster, context));
  return passed.some((rank) => pods.has(placeOf(rankMap, rank, attempt)?.pod)) ? passed : [];
}

/** Ranks that fail alike do so within moments; launchers notice the first of them after some seconds. Chosen, not measured. */
const ALIKE_MS = 2_000;

/** Its launcher ended it long after a neighbour had raised this, so it did not fail in the same way. */
function outlived(rank: number, cluster: readonly Raised[], { events, rankMap, attempt }: ReactionContext): boolean {
  const stop = stopsOf(events, rankMap).toldToStop(rank, attempt);
  return stop !== undefined && cluster.some((placed) => (msBetween(placed, stop) ?? 0) >= ALIKE_MS);
}

/** Two stories fit: the printers failed by themselves, or they gave up on somebody. */
export function reactionDraft(
  cluster: readonly Raised[],
  ranks: readonly number[],
  behind: readonly number[],
  wait: Wait | undefined,
  { attempt, symptoms, rankMap }: ReactionContext,
): Draft {
  const [first] = cluster;
  const text = first === undefined ? '' : quote(`${first.event.body.type}: ${first.event.body.message}`);
  const both = rankSet([...ranks, ...behind]);
  // A few that hold the guilty one are an answer; most of the job is none. Where dumps tell for whom they waited, that is told by them.
  const isAnswer = both.length * 2 <= jobRanks(rankMap).length && wait?.forRanks === undefined;
  return draft({
    outcome: isAnswer ? 'group' : 'cannot-tell',
    status: isAnswer ? 'supported' : 'hypothesis',
    stage: isAnswer ? 'exited-rank' : 'unknown',
    cause: isAnswer ? 'python-exception' : 'none',
    strength: isAnswer ? 'direct' : 'context',
    firstRanks: isAnswer ? both : [],
    ...(isAnswer ? { at: momentOf(first), ...commonPlace(rankMap, both, attempt) } : {}),
    candidates: [
      {
        ranks: behind,
        why: `did not raise it while ${nameRanks(ranks)} did; they may be what it was about`,
      },
      { ranks, why: `raised ${text}` },
    ],
    symptomRanks: without(symptoms, both),
    attempt,
    summary: `${nameRanksAtStart(ranks)} raised ${text}, ${wait?.words ?? 'alike,'} and ${nameRanks(behind)} did not: either the first failed by themselves, or they gave up on the others.`,
    because: [
      ...cluster
        .slice(0, 3)
        .map((placed) => cite(placed, `Rank ${placed.rank} printed ${quote(placed.event.text, 200)}`)),
      ...(wait?.evidence ?? []),
    ],
    wouldChange: [`Flight Recorder dumps or stacks of ${nameRanks(behind)}`],
    nextChecks: [
      'Read the code that raises it: does it answer a time-out, or a comparison with other ranks?',
      `What the log of ${nameRanks(behind)} says at its end`,
    ],
  });
}
