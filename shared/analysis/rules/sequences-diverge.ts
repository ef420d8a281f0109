/**
 * Flight Recorder dumps show that members of a group issued unlike calls under one number.
 *
 *   default_pg #33: ranks 0–5, 7 call barrier, rank 6 calls all_reduce [[85002]] Float
 */
import { isWithin, nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { CollectivesFact, Divergence, GroupFact, LifeLine, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { type Cause, defineRule, type Evidence, type Status } from '../../model/finding.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import { causeOfUnlikeCalls } from './support/call-history.ts';
import { cite, citeSource, type Draft, draft, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf } from './support/events.ts';
import { commonPlace, consequenceReports } from './support/ranks.ts';

export default defineRule({
  id: 'sequences-diverge',
  title: 'Ranks issued different collectives under the same number',
  needs: ['input', 'events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
All members of a group must issue the same collectives in the same order. The recorders number them, so the dumps can be compared call by call where their windows overlap. At the first number where they differ in
operation, size or type, the side of the majority is what the program meant and the minority is named. A member without that call in a dump votes by its time-out line, which tells number, operation and element counts. It is *established* only if the majority of the dumps stands even when every other member voted against it. Without a majority both sides are named: nothing
says which is wrong, and that is *established* only where the dumps show every member's call.

How it came about is read from the deviant's own earlier calls: it left an operation out if what the others do here used to come right before what it does now; it issued one more (given as another order) if it used to be the other way round; it is past its loop (uneven inputs) if it stands in a barrier at a place in
the program where it never was before while the others are where they always are. Where operations without entries (gloo point to point) are numbered, a rank that issued fewer of them than its peers is named although another one *looks* behind: the one that waits for the missing message.

It can be wrong if a program legitimately runs different operations per rank in one group (it would not finish), or if two groups of one name were taken for one.

How sure: *established* or *supported*, by whether the members without a dump could turn the majority; *supported* where only lines tell.`,
  remedy:
    'Compare the stacks of the named rank and of a peer at that number: a branch that depends on rank, data or time; the length of the data; a metric or barrier that only some ranks reach.',
  run: ({ input, events, rankMap, lifeLines, collectives }) => {
    const { first } = collectives;
    if (first === undefined || first.kind === 'missing' || first.kind === 'state') return [];
    if (first.basis === 'log' && mixesGroups(first, events)) return [];
    return [divergenceDraft(first, input.dumps, events, rankMap, lifeLines, collectives)];
  },
});

function divergenceDraft(
  first: Divergence,
  dumps: readonly FlightRecorderDump[],
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  collectives: CollectivesFact,
): Draft {
  const attempt = dumpAttempt(events, lifeLines);
  const group = collectives.groups.find((candidate) => candidate.id === first.group);
  const decided = first.ranks.length > 0;
  const ranks = decided ? rankSet(first.ranks) : rankSet(first.sides.flat());
  const cause = causeOf(first, dumps);
  const groupName = nameOfGroup(group, first);
  const missing = without(group?.ranks ?? [], [...ranks, ...without(first.agreeing, first.voices ?? [])]);
  return draft({
    outcome: decided && ranks.length === 1 ? 'named' : decided && ranks.length <= 3 ? 'named' : 'group',
    status: statusOf(first, group, ranks),
    stage: 'mismatched-collective',
    cause,
    strength: 'recorder',
    firstRanks: ranks,
    candidates: decided
      ? []
      : first.sides.map((side) => ({ ranks: rankSet(side), why: 'one side of a disagreement without a majority' })),
    symptomRanks: without(
      [...first.agreeing, ...consequenceReports(events, attempt).keys(), ...collectives.waits.map((wait) => wait.rank)],
      ranks,
    ),
    ...commonPlace(rankMap, ranks, attempt),
    attempt,
    summary: decided
      ? `${nameRanksAtStart(ranks)} ${DID[cause] ?? 'diverged from the others'} at call #${first.seq} of ${groupName}: ${first.actual} where ${first.agreeing.length} ${first.agreeing.length === 1 ? 'rank has' : 'ranks have'} ${first.expected}.`
      : `${nameRanksAtStart(ranks)} disagree at call #${first.seq} of ${groupName}: ${first.expected} against ${first.actual}. No side has a majority.`,
    because: [
      ...first.calls
        .slice(0, 4)
        .map(
          (call): Evidence =>
            citeSource(
              call.source,
              `Rank ${call.rank} #${call.seq}: ${call.op}${call.inputSizes === undefined || call.inputSizes === '[]' ? '' : ` ${call.inputSizes}`}${call.dtypes === undefined ? '' : ` ${call.dtypes}`}${frameText(call.frames)}`,
              call.rank,
            ),
        ),
      ...whyEvidence(first),
      ...lineEvidence(first, ranks, events),
    ],
    wouldChange: missing.length > 0 ? [`the dumps of ${nameRanks(missing)}`] : [],
    nextChecks: [
      `Stacks of ${nameRanks(ranks)} and of rank ${first.agreeing[0] ?? 'another'} at call #${first.seq}`,
      cause === 'uneven-inputs'
        ? `Number of batches of ${nameRanks(ranks)} against its peers (use Join or drop_last)`
        : 'Branches that depend on rank, data or time and contain a collective',
    ],
  });
}

/** `0` is what c10d calls the group of all ranks. */
function nameOfGroup(group: GroupFact | undefined, first: Divergence): string {
  const name = group?.desc || group?.name || first.group;
  return name === '0' || name === '' ? 'the default group' : name;
}

const DID: Partial<Record<Cause, string>> = {
  'uneven-inputs': 'was past its loop while the others still trained',
  'collective-skipped': 'left out an operation',
  'collective-order': 'issued operations in another order',
  'collective-type': 'ran another operation',
  'collective-size': 'ran another size',
  'collective-dtype': 'ran another data type',
};

function causeOf(first: Divergence, dumps: readonly FlightRecorderDump[]): Cause {
  switch (first.kind) {
    case 'size':
      return 'collective-size';
    case 'dtype':
      return 'collective-dtype';
    case 'order':
      return /missing/.test(first.why) ? 'collective-skipped' : 'collective-order';
    default: {
      const [deviant] = first.calls;
      const usual = first.calls[first.calls.length - 1];
      return deviant !== undefined && usual !== undefined && deviant !== usual
        ? causeOfUnlikeCalls(deviant, usual, dumps)
        : 'collective-type';
    }
  }
}

/** Established only if no vote that is missing could turn the majority; what only a line tells counts as missing here. */
function statusOf(first: Divergence, group: GroupFact | undefined, ranks: readonly number[]): Status {
  if (first.basis !== 'dump' || first.kind === 'order' || group === undefined || !group.membersKnown)
    return 'supported';
  const voices = first.voices ?? [];
  if (!isWithin(ranks, group.ranks) || voices.some((rank) => ranks.includes(rank))) return 'supported';
  const agreeing = without(first.agreeing, voices);
  const unheard = without(group.ranks, [...ranks, ...agreeing]).length;
  // Two sides are sure to be all that can be said only if every member was asked.
  if (first.ranks.length === 0) return unheard === 0 ? 'established' : 'supported';
  return agreeing.length > ranks.length + unheard ? 'established' : 'supported';
}

function frameText(frames: readonly { readonly file: string; readonly line: number; readonly name: string }[]): string {
  const own = frames.find((frame) => !/(?:site-packages|dist-packages|\/torch\/)/.test(frame.file)) ?? frames[0];
  return own === undefined ? '' : `, from ${own.name} (${own.file}:${own.line})`;
}

function whyEvidence(first: Divergence): Evidence[] {
  const [call] = first.calls;
  return call === undefined
    ? []
    : [citeSource(call.source, `${first.why.charAt(0).toUpperCase()}${first.why.slice(1)}`, call.rank)];
}

/**
 * A time-out line does not name its group; the status line of the same rank and work number after it does. If these belong to different
 * groups, equal numbers are different calls and nothing was compared.
 */
function mixesGroups(first: Divergence, events: readonly PlacedEvent[]): boolean {
  const ranks = new Set([...first.ranks, ...first.agreeing, ...first.sides.flat()]);
  const groups = new Set<string>();
  for (const placed of eventsOf(events, 'work-status')) {
    const { work, group } = placed.event.body;
    if (placed.rank === undefined || !ranks.has(placed.rank) || work !== first.seq || group === undefined) continue;
    groups.add(group.guid ?? group.desc ?? group.id ?? '');
  }
  return groups.size > 1;
}

/** Where log lines tell: the time-outs (or counters) that deviating and agreeing ranks printed. */
function lineEvidence(first: Divergence, ranks: readonly number[], events: readonly PlacedEvent[]): Evidence[] {
  const voices = first.voices ?? [];
  if (first.calls.length > 0 && voices.length === 0) return [];
  const told = first.calls.length > 0 ? (rank: number) => voices.includes(rank) : () => true;
  const lines = [
    ...eventsOf(events, 'collective-timeout'),
    ...eventsOf(events, 'work-status'),
    ...eventsOf(events, 'collective-mismatch'),
  ];
  const speakers = [...ranks.filter(told).slice(0, 3), ...first.agreeing.filter(told).slice(0, 2)];
  return speakers.flatMap((rank) => {
    const placed = lines.find((candidate) => candidate.rank === rank);
    return placed ? [cite(placed, `Rank ${rank}: ${quote(placed.event.text, 200)}`)] : [];
  });
}
