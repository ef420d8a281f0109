/**
 * By their own tracebacks all ranks waited, and one of them at another place of the program than the others.
 *
 *   ranks 0–5, 7: save_checkpoint → barrier → Timed out waiting      rank 6: backward → Timed out waiting
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import type { CollectivesFact, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft } from './support/draft.ts';
import { attemptsOf, eventsOf } from './support/events.ts';
import { commonPlace, jobRanks } from './support/ranks.ts';
import { type WaitingPlace, waitingPlaces } from './support/waiting-places.ts';

/** With fewer ranks an odd one out means little. Chosen, not measured. */
const FEWEST_RANKS = 4;

export default defineRule({
  id: 'stacks-differ',
  title: 'One rank waited at another place of the program',
  needs: ['events', 'rankMap', 'collectives'],
  explain: `
A time-out or a lost connection raised in Python carries the stack of the waiting call. If **every** rank of a job of at least four says in this way where it waited, one of them until its limit, nobody was merely absent; if all but one waited at the same line of the program and that one at another, the sequences have drifted
apart: it left out or added a collective. In jobs with several groups a rank may wait elsewhere because of somebody else, so this names only where both calls are surely of all ranks: the source lines in the tracebacks name no group, or it is the backward pass of data-parallel training, no dump shows another group, and nobody can leave the odd one's call before everybody has entered it. A rank that stands in a broadcast, a gather or a scatter may be one that others have left behind there; but where all the others stand in one of these, none of them has, and only the odd one is missing there. A collective of all ranks is
matched by its number, so whoever runs another operation under that number than all its peers is the one that parted from the program. The same operation at another line is no such sign, for ranks may come to one barrier by two ways.

Else it is no more than a lead, and only where all ranks timed out; receives and sends of pipelines are ignored.

How sure: *supported* where both calls are of all ranks and are different operations, else a *hypothesis* without a name. When it can be wrong: a model that was given a group of its own.`,
  remedy:
    'Collect Flight Recorder dumps, or reproduce with TORCH_DISTRIBUTED_DEBUG=DETAIL; compare the two code places: which condition lets one rank take the other path?',
  run: ({ events, rankMap, collectives }) =>
    attemptsOf(eventsOf(events, 'exception')).flatMap((attempt) => oddOneOut(attempt, events, rankMap, collectives)),
});

function oddOneOut(
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  collectives: CollectivesFact,
): Draft[] {
  const all = jobRanks(rankMap);
  if (rankMap.worldSize === undefined || all.length < FEWEST_RANKS) return [];
  const places = waitingPlaces(events, attempt);
  if (places.size !== all.length) return [];
  const sides = new Map<string, number[]>();
  for (const [rank, { key }] of places) sides.set(key, [...(sides.get(key) ?? []), rank]);
  const [usual, odd, more] = [...sides.values()].sort((a, b) => b.length - a.length);
  const [rank = -1, second] = odd ?? [];
  const there = places.get(rank);
  const here = places.get(usual?.[0] ?? -1);
  if (usual === undefined || there === undefined || here === undefined || more !== undefined || second !== undefined)
    return [];
  const everyWait = [...places.values()];
  if (!everyWait.some(({ how }) => how === 'timeout')) return [];
  const sure =
    there.call !== here.call &&
    !there.oneSided &&
    everyWait.every((place) => place.ofAllRanks) &&
    collectives.groups.every((group) => group.ranks.length >= all.length);
  if (!sure && everyWait.some(({ how }) => how !== 'timeout')) return [];
  return [oddDraft({ rank, there, usual, here, sure, attempt, rankMap })];
}

interface Odd {
  readonly rank: number;
  readonly there: WaitingPlace;
  readonly usual: readonly number[];
  readonly here: WaitingPlace;
  /** Both calls are of all ranks, and different operations. */
  readonly sure: boolean;
  readonly attempt: number;
  readonly rankMap: RankMapFact;
}

function oddDraft({ rank, there, usual, here, sure, attempt, rankMap }: Odd): Draft {
  return draft({
    outcome: sure ? 'named' : 'cannot-tell',
    status: sure ? 'supported' : 'hypothesis',
    stage: 'mismatched-collective',
    cause: 'collective-type',
    strength: 'absence',
    firstRanks: sure ? [rank] : [],
    candidates: sure
      ? []
      : [{ ranks: [rank], why: `waited in ${there.shown} while the others waited in ${here.shown}` }],
    symptomRanks: rankSet(usual),
    ...(sure ? commonPlace(rankMap, [rank], attempt) : {}),
    attempt,
    summary: sure
      ? `Rank ${rank} waited in another collective of all ranks than the others: in ${there.shown}, ${nameRanks(rankSet(usual))} in ${here.shown}.`
      : `All ranks timed out; rank ${rank} waited in ${there.shown}, ${nameRanks(rankSet(usual))} in ${here.shown}: a sign that the sequences of collectives drifted apart.`,
    because: [there, here].map(({ placed, shown }) =>
      cite(placed, `${nameRanksAtStart(placed.rank === undefined ? [] : [placed.rank])} waited in ${shown}`),
    ),
    wouldChange: [`Flight Recorder dumps of ${formatRanks(jobRanks(rankMap))}`],
    nextChecks: [
      `Flight Recorder dumps, at least of rank ${rank} and one other`,
      'Reproduce with TORCH_DISTRIBUTED_DEBUG=DETAIL',
    ],
  });
}
