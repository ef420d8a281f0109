/**
 * The DETAIL wrapper compared what every rank was about to run, before it ran, and found a difference.
 *
 *   RuntimeError: Detected mismatch between collectives on ranks. Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=485, OpType=ALLREDUCE, …),
 *   but Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=485, OpType=BROADCAST, …)
 *
 * Not covered: 1.10–1.12, which print no second rank, give one fingerprint per line; they are grouped in the same way.
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { CollectiveFingerprint } from '../../model/events.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { type Cause, defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks } from './support/ranks.ts';

type Mismatch = PlacedOf<'collective-mismatch'>;

export default defineRule({
  id: 'fingerprints-differ',
  title: 'Ranks were about to run different collectives',
  needs: ['events', 'rankMap'],
  explain: `
With TORCH_DISTRIBUTED_DEBUG=DETAIL every rank compares the fingerprint of its next collective (number, operation, shapes, types) with the others before it runs. A printed mismatch is therefore direct: at this
number these ranks did disagree. Each rank prints its own fingerprint and that of the first rank that differs, so all printed pairs together give the fingerprint of many ranks; only the earliest disagreement counts. Equal
fingerprints are put together: the side of the **majority of the job** is what the program meant, the minority is named. What a rank prints of itself comes before what another read of it, and a fingerprint of another that torch could not read (number 0, without tensors, because one side's call has tensors and the other's has none) tells only that they differ. Ranks of which no fingerprint was printed do not vote. If even all of them together could not turn the majority, it is sure; else the larger side still decides where it has at least two ranks and more than twice as many as all others that are known, but less surely; else, and with two ranks
always, both sides are named: which of them is wrong is not in the evidence. Where the numbers themselves differ, one side has issued more calls than the other.

The launcher's "root cause" is only who printed first.

How sure: *established* for a majority that no silent rank could turn, and for two sides that are both named; *supported* where the larger side decides although silent ranks could turn it. When it can be wrong: if most ranks took the wrong branch, the minority is the one that did right.`,
  remedy: `Look at the stack of the named rank(s) and of one other: what made the code paths or shapes differ (a rank-dependent branch, a time-based checkpoint, an uneven last batch, an unused module)?`,
  run: ({ events, rankMap }) => {
    const mismatches = eventsOf(events, 'collective-mismatch');
    return attemptsOf(mismatches).map((attempt) => compare(inAttempt(mismatches, attempt), attempt, events, rankMap));
  },
});

function key(print: CollectiveFingerprint, bySeq: boolean): string {
  return `${bySeq ? print.seq : ''} ${print.op} ${print.shape ?? ''} ${print.dtypes ?? ''}`;
}

const UNREAD = 'a call that is not told';

/**
 * The fingerprint of the other rank, unless torch could not read it: fingerprints with and without tensors differ in length, and what is
 * printed of one that does not fit is number 0, no tensors and an operation that nobody ran.
 */
function readable({ a, b }: Mismatch['event']['body']): CollectiveFingerprint[] {
  const isGarbled = b?.seq === 0 && b.shape === undefined && (a.seq ?? 0) > 1;
  return b === undefined || isGarbled ? [] : [b];
}

function compare(
  mismatches: readonly Mismatch[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const prints = new Map<number, CollectiveFingerprint>();
  const witness = new Map<number, Mismatch>();
  const seqsOf = ({ event: { body } }: Mismatch) => [body.a, ...readable(body)].flatMap((print) => print.seq ?? []);
  const firstSeq = Math.min(...mismatches.flatMap(seqsOf));
  // A later disagreement is another one.
  const told = mismatches.filter((placed) => seqsOf(placed).length === 0 || Math.min(...seqsOf(placed)) <= firstSeq);
  const put = (print: CollectiveFingerprint, placed: Mismatch) => {
    if (prints.has(print.rank)) return;
    prints.set(print.rank, print);
    witness.set(print.rank, placed);
  };
  // What a rank says of itself comes before what others read of it.
  for (const placed of told) put(placed.event.body.a, placed);
  for (const placed of told) for (const print of readable(placed.event.body)) put(print, placed);
  for (const placed of told) {
    const { b } = placed.event.body;
    if (b !== undefined) put({ ...b, seq: undefined, op: UNREAD }, placed);
  }
  // Within one disagreement the numbers themselves may be what differs: one side issued more calls than the other.
  const bySeq = new Set([...prints.values()].flatMap((print) => print.seq ?? [])).size > 1;
  const sides = new Map<string, number[]>();
  for (const [rank, print] of prints) {
    const side = sides.get(key(print, bySeq));
    if (side) side.push(rank);
    else sides.set(key(print, bySeq), [rank]);
  }
  const ordered = [...sides.values()]
    .map((side) => rankSet(side))
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  const [largest = [], ...rest] = ordered;
  const unheard = without(jobRanks(rankMap), prints.keys()).length;
  const minority = rankSet(rest.flat());
  const majority = rest.length > 0 && largest.length > minority.length + unheard;
  const plurality = rest.length > 0 && !majority && largest.length > 1 && largest.length > 2 * minority.length;
  const decided = majority || plurality;
  const ranks = decided ? minority : rankSet(prints.keys());
  const shown = decided
    ? [...minority.slice(0, 3), ...largest.slice(0, 1)]
    : ordered.flatMap((side) => side.slice(0, 1));
  const cause = bySeq ? 'collective-skipped' : causeOf(prints, largest, minority);
  const describe = (print: CollectiveFingerprint | undefined) => describePrint(print, bySeq);
  const first = mismatches[0];
  const sidesText = ordered.map((side) => `${nameRanks(side)} ran ${describe(prints.get(side[0] ?? -1))}`).join('; ');
  return draft({
    outcome: decided && ranks.length === 1 ? 'named' : 'group',
    status: decided && !majority ? 'supported' : 'established',
    stage: 'mismatched-collective',
    cause,
    strength: 'direct',
    firstRanks: ranks,
    candidates: decided
      ? []
      : ordered.map((side) => ({ ranks: side, why: `ran ${describe(prints.get(side[0] ?? -1))}` })),
    symptomRanks: without([...largest, ...consequenceReports(events, attempt).keys()], ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    at: momentOf(first),
    summary: decided
      ? `${nameRanksAtStart(ranks)} ran ${describe(prints.get(ranks[0] ?? -1))} where ${largest.length} ${largest.length === 1 ? 'rank' : 'ranks'} ran ${describe(prints.get(largest[0] ?? -1))}${seqText(bySeq ? Number.NaN : firstSeq)}.`
      : `${nameRanksAtStart(ranks)} disagree on the collective${seqText(bySeq ? Number.NaN : firstSeq)}: ${sidesText}. No side has a majority, so it cannot be said which is wrong.`,
    because: rankSet(shown).flatMap((rank) => {
      const placed = witness.get(rank);
      return placed
        ? [
            cite(
              placed,
              `Rank ${rank} was about to run ${describe(prints.get(rank))} (printed by ${placed.rank === undefined ? 'a rank' : `rank ${placed.rank}`})`,
            ),
          ]
        : [];
    }),
    wouldChange:
      unheard > 0
        ? [`fingerprints of ${formatRanks(without(jobRanks(rankMap), prints.keys()))}, which printed none`]
        : [],
    nextChecks: [
      'Compare the stacks at the cited lines: which branch did each side take?',
      'Look for code that depends on rank, time or data and contains a collective',
    ],
  });
}

function seqText(seq: number): string {
  return Number.isFinite(seq) ? ` at number ${seq}` : '';
}

function describePrint(print: CollectiveFingerprint | undefined, withSeq: boolean): string {
  if (print === undefined) return 'another collective';
  return quote(
    `${withSeq ? `#${print.seq} ` : ''}${print.op}${print.shape === undefined ? '' : ` ${print.shape}`}${print.dtypes === undefined ? '' : ` ${print.dtypes}`}`,
    80,
  );
}

function causeOf(
  prints: ReadonlyMap<number, CollectiveFingerprint>,
  largest: readonly number[],
  others: readonly number[],
): Cause {
  const a = prints.get(largest[0] ?? -1);
  const differing = others.flatMap((rank) => prints.get(rank) ?? []);
  if (differing.some((b) => a !== undefined && b.op !== a.op)) return 'collective-type';
  if (differing.some((b) => a !== undefined && b.shape !== a.shape)) return 'collective-size';
  if (differing.some((b) => a !== undefined && b.dtypes !== a.dtypes)) return 'collective-dtype';
  return 'collective-order';
}
