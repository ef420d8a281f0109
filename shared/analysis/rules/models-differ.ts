/**
 * DistributedDataParallel compared the models of all ranks when it was built, and one differs.
 *
 *   RuntimeError: DDP expects same model across all ranks, but Rank 3 has 12 params, while rank 0 has inconsistent 10 params.
 *   RuntimeError: [3]: params[0] in this process with sizes [64, 20] appears not to match sizes of the same param in process 0.
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { commonPlace, consequenceReports, jobRanks } from './support/ranks.ts';

const COUNTS = /but Rank (\d{1,6}) has (\d{1,9}) params, while rank (\d{1,6}) has inconsistent (\d{1,9}) params/;
const SIZES =
  /\[(?:Rank )?(\d{1,6})\]: ?params\[(\d{1,9})\] in this process with (?:sizes|strides) (\[[^\]]{0,200}\]) appears not to match/;

type Raised = PlacedOf<'exception'>;

export default defineRule({
  id: 'models-differ',
  title: 'Ranks built different models',
  needs: ['events', 'rankMap'],
  explain: `
When DistributedDataParallel is built, all ranks compare the number and the shapes of their parameters. The message gives the printer's own value and that of one other rank, so the messages of all ranks together give many values. **Every** rank that
finds a difference prints it, the innocent ones too: the printer is not the culprit. Equal values are put together, and the minority is named if it stays one even when all ranks of which nothing is known voted with it; else both sides are named.
Shapes are compared with process 0, whose own are not printed: if all others print the same, rank 0 is the odd one; if few print, the silent ones are not counted for rank 0, and the printers are named together with it.

How sure: *established* where the size of the job is known: that they differ is told by those that compared, and a side is named only if no silent rank could turn it. *Supported* where the size is not known. When it can be wrong: if most ranks built the wrong model, the minority is the one that did right.`,
  remedy:
    'Compare the configuration, arguments and model code of the named rank with a peer: hidden sizes, vocabulary, conditional layers, a stale checkout.',
  run: ({ events, rankMap }) => {
    const raised = eventsOf(events, 'exception').filter(
      (placed) =>
        !placed.event.body.handled && (COUNTS.test(placed.event.body.message) || SIZES.test(placed.event.body.message)),
    );
    return attemptsOf(raised).flatMap((attempt) => compare(inAttempt(raised, attempt), attempt, events, rankMap));
  },
});

function compare(
  raised: readonly Raised[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft[] {
  const values = new Map<number, string>();
  for (const { event } of raised) {
    const counts = COUNTS.exec(event.body.message);
    if (counts !== null) {
      values.set(Number(counts[1]), `${counts[2]} parameters`);
      if (!values.has(Number(counts[3]))) values.set(Number(counts[3]), `${counts[4]} parameters`);
    }
  }
  if (values.size === 0) {
    for (const { event } of raised) {
      const sizes = SIZES.exec(event.body.message);
      if (sizes !== null) values.set(Number(sizes[1]), `params[${sizes[2]}] of ${sizes[3]}`);
    }
    values.set(0, 'what rank 0 has');
  }
  const sides = new Map<string, number[]>();
  for (const rank of rankSet(values.keys())) {
    const value = values.get(rank) ?? '';
    const side = sides.get(value);
    if (side) side.push(rank);
    else sides.set(value, [rank]);
  }
  if (sides.size < 2) return [];
  return [differing(sides, raised, attempt, events, rankMap)];
}

function differing(
  sides: ReadonlyMap<string, readonly number[]>,
  raised: readonly Raised[],
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const ordered = [...sides].sort(([, a], [, b]) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  const known = rankSet([...sides.values()].flat());
  const largest = ordered[0]?.[1] ?? [];
  const minority = without(known, largest);
  const unheard = without(jobRanks(rankMap), known);
  const decided = largest.length > minority.length + unheard.length;
  const ranks = decided ? minority : known;
  const [first] = raised;
  return draft({
    outcome: decided && ranks.length === 1 ? 'named' : 'group',
    status: rankMap.worldSize === undefined ? 'supported' : 'established',
    stage: 'exited-rank',
    cause: 'configuration',
    strength: 'direct',
    firstRanks: ranks,
    candidates: decided ? [] : ordered.map(([value, side]) => ({ ranks: side, why: `has ${value}` })),
    symptomRanks: without([...largest, ...consequenceReports(events, attempt).keys()], ranks),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    at: momentOf(first),
    summary: decided
      ? `${nameRanksAtStart(ranks)} built another model than the others: ${ordered.map(([value, side]) => `${nameRanks(side)} has ${value}`).join(', ')}.`
      : `Ranks built different models and no side has a majority: ${ordered.map(([value, side]) => `${nameRanks(side)} has ${value}`).join(', ')}.`,
    because: raised
      .slice(0, 6)
      .map((placed) =>
        cite(
          placed,
          `Printed by ${placed.rank === undefined ? 'a rank' : `rank ${placed.rank}`}: ${quote(placed.event.body.message, 200)}`,
        ),
      ),
    wouldChange: unheard.length > 0 ? [`the models of ${formatRanks(unheard)}, of which nothing is printed`] : [],
    nextChecks: [`Arguments, configuration and code version of ${nameRanks(ranks)} against a peer`],
  });
}
