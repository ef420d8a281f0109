/**
 * All ranks timed out, and by their own tracebacks one of them waited at another place of the program than the others.
 *
 *   ranks 0–5, 7: save_checkpoint → barrier → Timed out waiting      rank 6: backward → Timed out waiting
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft } from './support/draft.ts';
import { attemptsOf, consequenceOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { jobRanks } from './support/ranks.ts';

type Raised = PlacedOf<'exception'>;

const LIBRARY = /(?:site-packages|dist-packages|\/torch\/|<frozen|\/lib\/python)/;
const POINT_TO_POINT = /\b(?:i?recv|i?send|batch_isend_irecv)\b/;
/** With fewer ranks an odd one out means little. Chosen, not measured. */
const FEWEST_RANKS = 4;

export default defineRule({
  id: 'stacks-differ',
  title: 'One rank waited at another place of the program',
  needs: ['events', 'rankMap'],
  explain: `
A time-out raised in Python carries the stack of the waiting call. If **all** ranks of the job timed out, nobody was merely absent; if all but one waited at the same line of the program and that one at another, the sequences have drifted
apart, and the odd one is a lead: it left out or added a collective. It is no more than a lead: in jobs with several groups a rank may wait elsewhere because of somebody else, so the rule never names by itself, keeps silent when any
rank did not time out, and ignores receives and sends of pipelines. Flight Recorder dumps or DETAIL fingerprints decide.

How sure: a *hypothesis*, never a name. When it can be wrong: as told, in jobs with several groups.`,
  remedy:
    'Collect Flight Recorder dumps, or reproduce with TORCH_DISTRIBUTED_DEBUG=DETAIL; compare the two code places: which condition lets one rank take the other path?',
  run: ({ events, rankMap }) =>
    attemptsOf(eventsOf(events, 'exception')).flatMap((attempt) => oddOneOut(attempt, events, rankMap)),
});

function oddOneOut(attempt: number, events: readonly PlacedEvent[], rankMap: RankMapFact): Draft[] {
  const all = jobRanks(rankMap);
  if (rankMap.worldSize === undefined || all.length < FEWEST_RANKS) return [];
  const placeOf = new Map<number, { place: string; placed: Raised }>();
  for (const placed of inAttempt(eventsOf(events, 'exception'), attempt)) {
    if (placed.rank === undefined || placeOf.has(placed.rank) || consequenceOf(placed.event.body) !== 'timeout')
      continue;
    const { frames } = placed.event.body;
    const own = frames.find((frame) => !LIBRARY.test(frame.file));
    if (own === undefined || frames.some((frame) => POINT_TO_POINT.test(frame.name))) continue;
    placeOf.set(placed.rank, { place: `${own.name} (${own.file}:${own.line})`, placed });
  }
  if (placeOf.size !== all.length) return [];
  const sides = new Map<string, number[]>();
  for (const [rank, { place }] of placeOf) sides.set(place, [...(sides.get(place) ?? []), rank]);
  const [usual, odd, more] = [...sides].sort(([, a], [, b]) => b.length - a.length);
  const [rank, second] = odd?.[1] ?? [];
  if (usual === undefined || odd === undefined || more !== undefined || rank === undefined || second !== undefined)
    return [];
  const cited = [rank, Math.min(...usual[1])].flatMap((one) => placeOf.get(one) ?? []);
  return [
    draft({
      outcome: 'cannot-tell',
      status: 'hypothesis',
      stage: 'mismatched-collective',
      cause: 'collective-type',
      strength: 'absence',
      candidates: [{ ranks: [rank], why: `waited in ${odd[0]} while the others waited in ${usual[0]}` }],
      symptomRanks: rankSet(usual[1]),
      attempt,
      summary: `All ranks timed out; rank ${rank} waited in ${odd[0]}, ${nameRanks(usual[1])} in ${usual[0]}: a sign that the sequences of collectives drifted apart.`,
      because: cited.map(({ place, placed }) =>
        cite(placed, `${nameRanksAtStart(placed.rank === undefined ? [] : [placed.rank])} waited in ${place}`),
      ),
      wouldChange: [`Flight Recorder dumps of ${formatRanks(all)}`],
      nextChecks: [
        `Flight Recorder dumps, at least of rank ${rank} and one other`,
        'Reproduce with TORCH_DISTRIBUTED_DEBUG=DETAIL',
      ],
    }),
  ];
}
