/** Ranks do not agree how many they are: NCCL's bootstrap says so, or they announce different sizes in one attempt. */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { commonPlace } from './support/ranks.ts';

export default defineRule({
  id: 'world-size-disagreement',
  title: 'Ranks disagree on the size of the job',
  needs: ['events', 'rankMap'],
  explain: `
All ranks of one attempt must be told the same world size. If they announce different ones ("rank 3 of 8" beside "rank 5 of 16"), or NCCL's bootstrap finds "mismatch in rank count", some were started with another
environment, or two jobs share one address. That they disagree is direct; who is right is not told: the ranks with the rarer size are the group, and with equal sides both are. Different sizes in different attempts of an elastic job are normal and do not fire.

How sure: *supported*; a *hypothesis* without known ranks. When it can be wrong: logs of two jobs in one bundle, each with its own size.`,
  remedy:
    'Compare WORLD_SIZE, nnodes and nproc-per-node of all Pods (kubectl get pods -o yaml | grep -A1 -E "WORLD_SIZE|PET_"), and check that no second job uses the same MASTER_ADDR and port: a Service name that two jobs share, or a fixed port with host networking.',
  run: ({ events, rankMap }) => [...announced(events, rankMap), ...bootstrap(events)],
});

function announced(events: readonly PlacedEvent[], rankMap: RankMapFact): Draft[] {
  const told = eventsOf(events, 'rank-announced').filter((placed) => placed.event.body.worldSize !== undefined);
  return attemptsOf(told).flatMap((attempt) => {
    const sizes = new Map<number, PlacedEvent[]>();
    for (const placed of inAttempt(told, attempt)) {
      const size = placed.event.body.worldSize ?? 0;
      sizes.set(size, [...(sizes.get(size) ?? []), placed]);
    }
    if (sizes.size < 2) return [];
    const sides = [...sizeSides(sizes)].sort((a, b) => b.ranks.length - a.ranks.length || a.size - b.size);
    const [largest, second] = sides;
    if (largest === undefined || second === undefined) return [];
    const tie = largest.ranks.length === second.ranks.length;
    const ranks = tie
      ? rankSet(sides.flatMap((side) => side.ranks))
      : without(
          sides.slice(1).flatMap((side) => side.ranks),
          largest.ranks,
        );
    return [
      draft({
        outcome: 'group',
        status: 'supported',
        stage: 'rendezvous',
        cause: 'world-size-disagreement',
        strength: 'direct',
        firstRanks: ranks,
        ...commonPlace(rankMap, ranks, attempt),
        attempt,
        summary: `Ranks announce different sizes of the job: ${sides.map((side) => `${side.size} (${nameRanks(side.ranks)})`).join(', ')}.`,
        because: sides
          .slice(0, 3)
          .flatMap((side) => (side.first ? [cite(side.first, quote(side.first.event.text, 120))] : [])),
        wouldChange: ['a restart between these lines, which would make them two attempts'],
        nextChecks: ['WORLD_SIZE, nnodes and nproc-per-node of all Pods', 'A second job on the same address and port'],
      }),
    ];
  });
}

function sizeSides(
  sizes: ReadonlyMap<number, readonly PlacedEvent[]>,
): { size: number; ranks: number[]; first: PlacedEvent | undefined }[] {
  return [...sizes].map(([size, placed]) => ({
    size,
    ranks: rankSet(
      placed.flatMap((one) => one.rank ?? (one.event.body.kind === 'rank-announced' ? [one.event.body.rank] : [])),
    ),
    first: placed[0],
  }));
}

function bootstrap(events: readonly PlacedEvent[]): Draft[] {
  const found = eventsOf(events, 'nccl-warning').filter((placed) => placed.event.body.class === 'bootstrap');
  return attemptsOf(found).map((attempt) => {
    const here = inAttempt(found, attempt);
    const ranks = rankSet(here.flatMap((placed) => placed.event.body.ranks));
    return draft({
      outcome: ranks.length > 0 ? 'group' : 'cannot-tell',
      status: ranks.length > 0 ? 'supported' : 'hypothesis',
      stage: 'rendezvous',
      cause: 'world-size-disagreement',
      strength: 'direct',
      firstRanks: ranks,
      attempt,
      at: momentOf(here[0]),
      summary: `NCCL's bootstrap found processes that do not belong together: ${quote(here[0]?.event.text ?? '', 120)}.`,
      because: here.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 200))),
      wouldChange: ['the environment of all Pods (WORLD_SIZE, MASTER_ADDR)'],
      nextChecks: ['Two jobs on one address, or a wrong WORLD_SIZE'],
    });
  });
}
