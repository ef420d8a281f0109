/**
 * A process aborted because gloo received more bytes than the operation it was in expects.
 *
 *   what():  [enforce fail at …/gloo/transport/tcp/pair.cc:456] op.preamble.length <= op.nbytes. 120 vs 80. Received data size doesn't match expected size. …
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { CallView, CollectivesFact, LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, citeSource, type Draft, draft, momentOf } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import {
  callOfBothNeighbours,
  callsAtTheEnd,
  NOT_A_RING,
  RING,
  ringNeighbours,
  wasInBackward,
} from './support/gloo-ring.ts';
import { commonPlace, consequenceReports, exitSignal, jobRanks, ranksOfPod } from './support/ranks.ts';
import { tellerOf } from './support/teller.ts';

const SIGABRT = 6;
const EACH_TO_EACH = /^(?:all_?to_?all|alltoall)/i;
/**
 * What a ring passes of gradients in one piece is a bucket divided among twice the ranks. Less than this in one piece would be a bucket of a few hundred
 * parameters, and no model of several processes is so small. Chosen, not measured.
 */
const LEAST_GRADIENT_BYTES = 256;

export default defineRule({
  id: 'gloo-size-check',
  title: 'Two neighbours in a gloo ring disagree about sizes',
  needs: ['input', 'events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
gloo passes data around a ring. The check fires in the process that **receives** more than its operation expects; it proves that this process and the one that sent disagree on the operation or on its size. It does
not prove which of the two is wrong: in measured runs the process that aborted was often the innocent neighbour of the one that took a different path. Which neighbour sent depends on the operation (all-gather passes to
the next rank, all-reduce to the one before) and is not printed. So the evidence narrows it to the aborting rank and its two neighbours in rank order, and no further; Flight Recorder dumps or DETAIL fingerprints can
decide. Where calls of the job's end are seen that pass no ring (all-to-all, scatter, gather), anybody may have sent it, and nobody is named; but if in an all-to-all every rank but one aborted so, at least three, that one is named: nobody else can have sent to all of them. Where only a backward pass is seen, in which peers lost the connection, and what was received is as large as a piece of gradients can be, the neighbours are no more than a *hypothesis*: the peers may have been a call further. A smaller piece came from another call, such as an all-to-all before it (seen in a real run): then nobody is named. Where nothing else is seen, nothing says who sends to whom, and nobody is named. In a ring that does not span the whole job (a subgroup) the neighbours may be others: then the group can be wrong, which is why it is *supported*, never *established*.

Where the dumps of both neighbours are there and agree, and the one that aborted left none, it is named: gloo matches what it receives by the number of the collective, and under that number its neighbours ran the same.

How sure: *supported* where a call that passes a ring is seen, else a *hypothesis* or nobody.`,
  remedy:
    'Reproduce with TORCH_DISTRIBUTED_DEBUG=DETAIL, which names the ranks that differ before data is exchanged, or collect Flight Recorder dumps of the named ranks. Look for a metric, gather or batch that one rank computes differently: what are the two byte counts of the message, divided by the size of an element?',
  run: ({ input, events, rankMap, lifeLines, collectives }) => {
    const all = eventsOf(events, 'gloo-size-mismatch');
    const sent = attemptsOf(all).flatMap((attempt) =>
      sentToAll(inAttempt(all, attempt), attempt, callsAtTheEnd(attempt, events, input.dumps), rankMap, lifeLines),
    );
    const single = all
      .filter(({ attempt }) => !sent.some((draft) => draft.attempt === attempt))
      .filter(
        (placed, index, all) =>
          all.findIndex((other) => other.rank === placed.rank && other.attempt === placed.attempt) === index,
      )
      .map((placed) =>
        check(placed, events, rankMap, lifeLines, callsAtTheEnd(placed.attempt, events, input.dumps), collectives),
      );
    return [...sent, ...single];
  },
});

/** With fewer that aborted, two ranks may just as well have disagreed with each other. Chosen, not measured. */
const FEWEST_ABORTED = 3;

/**
 * In a call in which each sends to each, every rank but one got more than it expects: that one alone can have sent to all of them. One that is
 * behind, or whose own size is smaller, would have aborted itself.
 */
function sentToAll(
  checks: readonly PlacedOf<'gloo-size-mismatch'>[],
  attempt: number,
  calls: readonly string[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): Draft[] {
  const direct = calls.find((name) => EACH_TO_EACH.test(name));
  const ended = lifeLines.filter((life) => life.attempt === attempt && exitSignal(life) === SIGABRT);
  const told = checks.every(({ rank }) => rank !== undefined);
  const aborted = rankSet(told ? checks.flatMap(({ rank }) => rank ?? []) : ended.map(({ rank }) => rank));
  const [left, ...more] = without(jobRanks(rankMap), aborted);
  const [first] = checks;
  if (rankMap.worldSize === undefined || direct === undefined || first === undefined) return [];
  if (left === undefined || more.length > 0 || aborted.length < FEWEST_ABORTED) return [];
  if (!told && checks.length < aborted.length) return [];
  return [
    draft({
      outcome: 'named',
      status: 'supported',
      stage: 'mismatched-collective',
      cause: 'collective-size',
      strength: 'direct',
      firstRanks: [left],
      symptomRanks: aborted,
      ...commonPlace(rankMap, [left], attempt),
      attempt,
      at: momentOf(first),
      summary: `Every rank but ${left} aborted because it received more bytes than its operation expects, in calls of ${direct}, where each sends to each: only rank ${left} can have sent that to all of them, from another operation or with another size.`,
      because: checks
        .slice(0, 4)
        .map((placed) =>
          cite(
            placed,
            `${placed.rank === undefined ? 'A rank' : `Rank ${placed.rank}`} received ${placed.event.body.got} bytes where its operation expects ${placed.event.body.expected}`,
          ),
        ),
      wouldChange: ['Flight Recorder dumps of all ranks: they show which of them runs another operation or size'],
      nextChecks: [
        `Which call did rank ${left} leave out or add before ${direct}? (TORCH_DISTRIBUTED_DEBUG=DETAIL tells)`,
      ],
    }),
  ];
}

function check(
  placed: PlacedOf<'gloo-size-mismatch'>,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  calls: readonly string[],
  collectives: CollectivesFact,
): Draft {
  const { got, expected } = placed.event.body;
  const { attempt } = placed;
  const printer = printerOf(placed, rankMap, lifeLines);
  const reports = consequenceReports(events, attempt);
  const sizes = `received ${got} bytes where its operation expects ${expected}`;
  const passesRing = calls.some((name) => RING.test(name));
  if (printer.rank === undefined) return unknownPrinter(placed, sizes, rankMap, reports, passesRing);
  const direct = calls.find((name) => NOT_A_RING.test(name));
  if (direct !== undefined) return anybodySent(placed, printer.rank, sizes, direct, reports);
  const ranks = ringNeighbours(printer.rank, rankMap);
  const call = passesRing ? callOfBothNeighbours(printer.rank, ranks, collectives) : undefined;
  if (call !== undefined)
    return betweenAgreeing({ placed, rank: printer.rank, ring: ranks, sizes, call, reports, rankMap });
  const inBackward = wasInBackward(placed.attempt, events);
  if (!passesRing && !(inBackward && got >= LEAST_GRADIENT_BYTES))
    return noCallSeen(placed, printer.rank, ranks, sizes, reports, inBackward);
  return draft({
    outcome: 'group',
    status: passesRing ? 'supported' : 'hypothesis',
    stage: 'mismatched-collective',
    cause: 'collective-size',
    strength: 'direct',
    firstRanks: ranks,
    candidates: ranks.map((rank) => ({
      ranks: [rank],
      why:
        rank === printer.rank
          ? `aborted: ${sizes}`
          : 'neighbour in the ring: may have sent what the other did not expect',
    })),
    symptomRanks: without(reports.keys(), ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    at: momentOf(placed),
    summary: `Rank ${printer.rank} aborted because it ${sizes}: it or one of its ring neighbours (${nameRanks(without(ranks, [printer.rank]))}) ran a different operation or size. The one that aborts is often the innocent neighbour.`,
    because: [
      cite(placed, `Rank ${printer.rank} ${sizes}`),
      ...(printer.life?.exit
        ? [
            citeSource(
              printer.life.exit.source,
              `${tellerOf(printer.life.exit)} rank ${printer.rank} ended by SIGABRT, as this check does`,
              printer.rank,
            ),
          ]
        : []),
    ],
    wouldChange: [`Flight Recorder dumps of ${nameRanks(ranks)}: they show which of them runs another operation`],
    nextChecks: [
      `Dumps or DETAIL fingerprints of ${nameRanks(ranks)}`,
      `What does an operation of ${expected} bytes and one of ${got} bytes stand for in the program?`,
    ],
  });
}

/** The printer by its line, else the one worker of that Pod that ended by SIGABRT. */
function printerOf(
  placed: PlacedOf<'gloo-size-mismatch'>,
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): { rank: number | undefined; life: LifeLine | undefined } {
  const aborted = lifeLines.filter((life) => life.attempt === placed.attempt && exitSignal(life) === SIGABRT);
  if (placed.rank !== undefined) return { rank: placed.rank, life: aborted.find((life) => life.rank === placed.rank) };
  const inPod =
    placed.pod === undefined
      ? aborted
      : aborted.filter((life) => ranksOfPod(rankMap, placed.pod ?? '').includes(life.rank));
  return inPod.length === 1 ? { rank: inPod[0]?.rank, life: inPod[0] } : { rank: undefined, life: undefined };
}

interface Between {
  readonly placed: PlacedOf<'gloo-size-mismatch'>;
  readonly rank: number;
  readonly ring: readonly number[];
  readonly sizes: string;
  readonly call: CallView;
  readonly reports: ReadonlyMap<number, unknown>;
  readonly rankMap: RankMapFact;
}

/** Its neighbours' dumps agree with each other, so the one between them ran something else. */
function betweenAgreeing({ placed, rank, ring, sizes, call, reports, rankMap }: Between): Draft {
  const neighbours = nameRanks(without(ring, [rank]));
  return draft({
    outcome: 'named',
    status: 'supported',
    stage: 'mismatched-collective',
    cause: 'collective-size',
    strength: 'direct',
    firstRanks: [rank],
    symptomRanks: without([...reports.keys(), ...ring], [rank]),
    ...commonPlace(rankMap, [rank], placed.attempt),
    attempt: placed.attempt,
    at: momentOf(placed),
    summary: `Rank ${rank} aborted because it ${sizes}; both ranks that may have sent that, ${neighbours}, were in one and the same ${call.op} #${call.seq}, so rank ${rank} ran another operation or size.`,
    because: [
      cite(placed, `Rank ${rank} ${sizes}`),
      citeSource(
        call.source,
        `By their dumps the last call of ${neighbours} is ${call.op} #${call.seq}, and no call of theirs differs`,
        call.rank,
      ),
    ],
    wouldChange: [`the Flight Recorder dump of rank ${rank}`, 'a ring that does not pass the ranks in their order'],
    nextChecks: [
      `Which operation does rank ${rank} run where the others run ${call.op}? (TORCH_DISTRIBUTED_DEBUG=DETAIL tells)`,
    ],
  });
}

function anybodySent(
  placed: PlacedOf<'gloo-size-mismatch'>,
  rank: number,
  sizes: string,
  operation: string,
  reports: ReadonlyMap<number, unknown>,
): Draft {
  return draft({
    outcome: 'cannot-tell',
    status: 'hypothesis',
    stage: 'mismatched-collective',
    cause: 'none',
    strength: 'direct',
    firstRanks: [],
    candidates: [{ ranks: [rank], why: `aborted: ${sizes}; it or whoever sent to it ran another operation or size` }],
    symptomRanks: without(reports.keys(), [rank]),
    attempt: placed.attempt,
    at: momentOf(placed),
    summary: `Rank ${rank} aborted because it ${sizes}. Calls of ${operation} are seen at that time, in which every rank may send to it: who disagreed cannot be told.`,
    because: [cite(placed, `Rank ${rank} ${sizes}`)],
    wouldChange: ['Flight Recorder dumps of all ranks: they show which of them runs another operation or size'],
    nextChecks: ['TORCH_DISTRIBUTED_DEBUG=DETAIL, which names the ranks that differ before data is exchanged'],
  });
}

/** Who sends to whom depends on the call, and none is seen. */
function noCallSeen(
  placed: PlacedOf<'gloo-size-mismatch'>,
  rank: number,
  ring: readonly number[],
  sizes: string,
  reports: ReadonlyMap<number, unknown>,
  inBackward: boolean,
): Draft {
  const neighbours = without(ring, [rank]);
  const seen = inBackward
    ? 'Peers lost it in a backward pass, whose gradients pass a ring; but they may have been a call further than it'
    : 'No call of that time is seen';
  return draft({
    outcome: 'cannot-tell',
    status: 'hypothesis',
    stage: 'mismatched-collective',
    cause: 'none',
    strength: 'direct',
    candidates: [
      { ranks: [rank], why: `aborted: ${sizes}; it or whoever sent to it ran another operation or size` },
      ...neighbours.map((one) => ({ ranks: [one], why: `sent it, if the call of rank ${rank} passes a ring` })),
    ],
    symptomRanks: without(reports.keys(), [rank]),
    attempt: placed.attempt,
    at: momentOf(placed),
    summary: `Rank ${rank} aborted because it ${sizes}: it or the rank that sent to it ran a different operation or size. ${seen}, so who sent to it cannot be told.`,
    because: [cite(placed, `Rank ${rank} ${sizes}`)],
    wouldChange: [
      'Flight Recorder dumps of all ranks, or the tracebacks of its peers: they show in which call each was at that time',
    ],
    nextChecks: [
      `In which call was rank ${rank}, and which ranks send to it there? (its stack, its dump, TORCH_DISTRIBUTED_DEBUG=DETAIL)`,
    ],
  });
}

function unknownPrinter(
  placed: PlacedOf<'gloo-size-mismatch'>,
  sizes: string,
  rankMap: RankMapFact,
  reports: ReadonlyMap<number, unknown>,
  passesRing: boolean,
): Draft {
  const podRanks = placed.pod === undefined ? [] : ranksOfPod(rankMap, placed.pod);
  const ranks = rankSet(podRanks.flatMap((rank) => ringNeighbours(rank, rankMap)));
  const named = ranks.length > 0 && passesRing;
  return draft({
    outcome: named ? 'group' : 'cannot-tell',
    status: 'hypothesis',
    stage: 'mismatched-collective',
    cause: named ? 'collective-size' : 'none',
    strength: 'direct',
    firstRanks: named ? ranks : [],
    candidates: named || ranks.length === 0 ? [] : [{ ranks, why: `one of them aborted: ${sizes}` }],
    symptomRanks: without(reports.keys(), ranks),
    pod: placed.pod,
    attempt: placed.attempt,
    at: momentOf(placed),
    summary: `A process of unknown rank${placed.pod === undefined ? '' : ` in Pod ${placed.pod}`} aborted because it ${sizes}${ranks.length > 0 ? `; ${nameRanksAtStart(ranks).toLowerCase()} remain possible` : ''}.`,
    because: [cite(placed, `A process ${sizes}`)],
    wouldChange: ['the launcher output of that Pod: it tells which worker ended by SIGABRT'],
    nextChecks: ['Launcher output with exit codes', 'Flight Recorder dumps of all ranks'],
  });
}
