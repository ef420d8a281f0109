/**
 * How the comparison of collectives came to its result, folded so that it can be read at thousands of ranks: where the members of each
 * group stand, who is behind and by which rule, who waits for whom, and which ranks all the waiting leads to.
 *
 * A plain retelling of the facts: nothing is concluded here. Bounded in every list. O(members of all groups).
 */
import { formatRanks } from '../lib/rank-set.ts';
import type { CallView, CollectivesFact, Divergence, GroupFact, MemberState, RootRule } from '../model/facts.ts';
import type { Report } from './schema.ts';

type Explanation = NonNullable<Report['collectives']['explanation']>;
type ExplainedGroup = Explanation['groups'][number];
type Place = ExplainedGroup['places'][number];
type MatchState = ExplainedGroup['matchState'];

const MAX_GROUPS = 40;
const MAX_PLACES = 10;
const MAX_WAITS = 40;
const MAX_ROOTS = 20;
/** Longer lists of ranks are cut, in characters. */
const MAX_RANKS_TEXT = 160;

export function explainCollectives(fact: CollectivesFact): Explanation {
  const waiting = new Set(fact.waits.map((edge) => edge.group));
  const roots = new Map(fact.roots.map((root) => [root.rank, root.how]));
  const telling = (group: GroupFact): number =>
    group.id === fact.first?.group ? 0 : group.divergence !== undefined ? 1 : waiting.has(group.id) ? 2 : 3;
  const groups = [...fact.groups].sort(
    (a, b) => telling(a) - telling(b) || b.ranks.length - a.ranks.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  const waits = foldWaits(fact);
  const shownRoots = foldRoots(fact);
  return {
    groups: groups.slice(0, MAX_GROUPS).map((group) => explainGroup(group, roots, fact)),
    moreGroups: Math.max(0, groups.length - MAX_GROUPS),
    waits: waits.slice(0, MAX_WAITS),
    moreWaits: Math.max(0, waits.length - MAX_WAITS),
    roots: shownRoots.slice(0, MAX_ROOTS),
    moreRoots: Math.max(0, shownRoots.length - MAX_ROOTS),
    cycle: fact.cycle.length === 0 ? '' : ranksText(fact.cycle),
    onlyActive: fact.onlyActive,
    dumpsPresent: fact.dumpsPresent.length === 0 ? '' : ranksText(fact.dumpsPresent),
    dumpsExpected: fact.dumpsExpected?.length ?? null,
    conclusion: conclusionOf(fact),
  };
}

function ranksText(ranks: Iterable<number>): string {
  const text = formatRanks(ranks);
  if (text.length <= MAX_RANKS_TEXT) return text;
  const end = text.lastIndexOf(',', MAX_RANKS_TEXT);
  return `${text.slice(0, end < 0 ? MAX_RANKS_TEXT : end)}, …`;
}

function explainGroup(
  group: GroupFact,
  roots: ReadonlyMap<number, RootRule | undefined>,
  fact: CollectivesFact,
): ExplainedGroup {
  const places = foldPlaces(group.members);
  const divergence = group.id === fact.first?.group ? fact.first : group.divergence;
  const left = places.slice(MAX_PLACES);
  return {
    group: group.id,
    desc: group.desc,
    backend: group.backend ?? null,
    size: group.ranks.length,
    ranks: ranksText(group.ranks),
    membersKnown: group.membersKnown,
    dumps: Math.max(0, group.ranks.length - group.withoutDump.length),
    withoutDump: group.withoutDump.length === 0 ? '' : ranksText(group.withoutDump),
    p2p: group.p2p,
    window: group.window === undefined ? null : { from: group.window.from, to: group.window.to },
    places: places.slice(0, MAX_PLACES),
    moreMembers: left.reduce((sum, place) => sum + place.count, 0),
    matchState: matchStateOf(group, divergence),
    matchSeq: divergence?.seq ?? null,
    behind: behindIn(group, divergence, roots, fact),
  };
}

function foldPlaces(members: readonly MemberState[]): Place[] {
  const folded = new Map<string, MemberState[]>();
  for (const member of members) {
    const key = JSON.stringify([
      member.basis,
      member.lastEnqueued,
      member.lastCompleted,
      member.waitsIn === undefined ? null : [member.waitsIn.seq, member.waitsIn.op, member.waitsIn.state],
    ]);
    const same = folded.get(key);
    if (same === undefined) folded.set(key, [member]);
    else same.push(member);
  }
  return [...folded.values()]
    .sort((a, b) => b.length - a.length || (a[0]?.rank ?? 0) - (b[0]?.rank ?? 0))
    .flatMap((same): Place[] => {
      const [one] = same;
      return one === undefined ? [] : [placeOf(one, same)];
    });
}

function placeOf(one: MemberState, same: readonly MemberState[]): Place {
  let from: number | undefined;
  let to: number | undefined;
  for (const { oldestSeq, newestSeq } of same) {
    if (oldestSeq === undefined || newestSeq === undefined) continue;
    from = Math.min(from ?? oldestSeq, oldestSeq);
    to = Math.max(to ?? newestSeq, newestSeq);
  }
  return {
    ranks: ranksText(same.map((member) => member.rank)),
    count: same.length,
    basis: one.basis,
    lastEnqueued: one.lastEnqueued ?? null,
    lastCompleted: one.lastCompleted ?? null,
    held: from === undefined || to === undefined ? null : { from, to },
    waitsIn: one.waitsIn === undefined ? null : waitText(one.waitsIn),
  };
}

const waitText = (call: CallView): string =>
  `${call.op}${call.inputSizes === undefined || call.inputSizes.length > 40 ? '' : ` ${call.inputSizes}`} #${call.seq}, ${call.state}`;

/** The word of PyTorch's analyser; null where it has none. */
function matchStateOf(group: GroupFact, divergence: Divergence | undefined): MatchState {
  switch (divergence?.kind) {
    case 'op':
      return 'COLLECTIVE_TYPE_MISMATCH';
    case 'size':
      return 'SIZE_OR_SYNTAX_MISMATCH';
    case 'dtype':
      return 'COLLECTIVE_DTYPE_MISMATCH';
    case 'state':
      return 'COLLECTIVE_STATE_MISMATCH';
    case 'missing':
    case 'order':
      return null;
    case undefined: {
      if (laggards(group).ranks.length > 0) return null;
      const compared = group.members.filter((member) => member.oldestSeq !== undefined).length;
      const split = group.members.some(({ newest }) => /^_?all_?to_?all/.test(newest?.op ?? ''));
      return group.window === undefined || compared < 2 || split ? 'UNDECIDED' : 'FULLY_MATCHED';
    }
  }
}

/** Members whose counters show that they never enqueued the call in which another member of the group waits. */
function laggards(group: GroupFact): { readonly seq: number; readonly ranks: readonly number[] } {
  const waiting = group.members.flatMap((member) => member.waitsIn?.seq ?? []);
  if (group.p2p || group.backend === 'gloo' || waiting.length === 0) return { seq: 0, ranks: [] };
  const seq = waiting.reduce((least, one) => Math.min(least, one));
  const behind = group.members.filter(({ lastEnqueued }) => lastEnqueued !== undefined && lastEnqueued < seq);
  return { seq, ranks: behind.map((member) => member.rank) };
}

const RULE_TEXT: Readonly<Record<RootRule, string>> = {
  deviant: 'made another call than the majority of the group',
  order: 'left out or added an operation between two calls that the majority made alike',
  stuck: 'enqueued the call and did not complete it, while peers completed the same number',
  behind: 'never enqueued the call in which the others wait, and waits for nobody',
  'no-dump': 'left no dump, while every member with one stands in the call',
};

const KIND_RULE: Readonly<Record<Divergence['kind'], string>> = {
  op: 'another operation than the majority',
  size: 'other sizes than the majority',
  dtype: 'another type than the majority',
  order: 'one operation fewer or more than the majority between two calls',
  state: 'enqueued and not completed, while peers completed the same number',
  missing: 'never enqueued the call in which other members wait',
};

const BASIS_TEXT: Readonly<Record<MemberState['basis'], string>> = {
  'dump-status': 'by the counters of the dump (pg_status)',
  'dump-entries': 'by the entries of the dump',
  log: 'by lines of the log alone',
};

/** The deviating members: those that are roots, then those that wait for others themselves. */
function behindIn(
  group: GroupFact,
  divergence: Divergence | undefined,
  roots: ReadonlyMap<number, RootRule | undefined>,
  fact: CollectivesFact,
): ExplainedGroup['behind'] {
  const silent = group.withoutDump.filter((rank) => roots.get(rank) === 'no-dump');
  if (divergence === undefined) {
    const { seq, ranks } = laggards(group);
    return [
      ...(silent.length === 0 ? [] : [{ ranks: ranksText(silent), rule: RULE_TEXT['no-dump'] }]),
      ...(ranks.length === 0
        ? []
        : [
            {
              ranks: ranksText(ranks),
              rule: `#${seq}: never enqueued; the members that will need it wait elsewhere first`,
            },
          ]),
    ];
  }
  const transfer = /^(?:send|recv) /.test(divergence.expected);
  const rule = transfer
    ? `transfer #${divergence.seq}: the other end of it is not there`
    : `#${divergence.seq}: ${KIND_RULE[divergence.kind]}`;
  if (divergence.ranks.length === 0)
    return divergence.sides.map((side) => ({
      ranks: ranksText(side),
      rule: `#${divergence.seq}: one of ${divergence.sides.length} sides, none of them a majority`,
    }));
  const all = new Set([
    ...divergence.ranks,
    ...(group.divergence?.seq === divergence.seq ? group.divergence.ranks : []),
  ]);
  const named = [...all].filter((rank) => roots.has(rank));
  const dragged = [...all].filter((rank) => !roots.has(rank));
  const waiting = new Set(fact.waits.map((edge) => edge.rank));
  const bases = new Map(group.members.map((member) => [member.rank, member.basis]));
  const basisOf = (ranks: readonly number[]): string => {
    const words = new Set(ranks.map((rank) => bases.get(rank)));
    const [only] = words;
    return words.size === 1 && only !== undefined ? `, ${BASIS_TEXT[only]}` : '';
  };
  const rows = [
    { ranks: named, text: `${rule}${basisOf(named)}; waits for nobody itself` },
    {
      ranks: dragged.filter((rank) => waiting.has(rank)),
      text: `${rule}; a consequence: it waits elsewhere itself`,
    },
    {
      ranks: dragged.filter((rank) => !waiting.has(rank)),
      text: `${rule}; not named: it may be waiting itself`,
    },
  ];
  return rows.filter((row) => row.ranks.length > 0).map((row) => ({ ranks: ranksText(row.ranks), rule: row.text }));
}

function foldWaits(fact: CollectivesFact): Explanation['waits'] {
  const folded = new Map<string, { ranks: number[]; group: string; seq: number; for: readonly number[] }>();
  for (const edge of fact.waits) {
    const key = `${edge.group}\n${edge.seq}\n${edge.for.join()}`;
    const same = folded.get(key);
    if (same === undefined) folded.set(key, { ...edge, ranks: [edge.rank] });
    else same.ranks.push(edge.rank);
  }
  return [...folded.values()]
    .sort((a, b) => b.ranks.length - a.ranks.length || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0) || a.seq - b.seq)
    .map((one) => ({
      ranks: ranksText(one.ranks),
      count: one.ranks.length,
      group: one.group,
      seq: one.seq,
      for: ranksText(one.for),
    }));
}

function foldRoots(fact: CollectivesFact): Explanation['roots'] {
  const folded = new Map<string, { ranks: number[]; root: CollectivesFact['roots'][number] }>();
  for (const root of fact.roots) {
    const key = JSON.stringify([root.how, root.why, root.hasDump]);
    const same = folded.get(key);
    if (same === undefined) folded.set(key, { ranks: [root.rank], root });
    else same.ranks.push(root.rank);
  }
  return [...folded.values()].map(({ ranks, root }) => ({
    ranks: ranksText(ranks),
    rule: root.how === undefined ? 'behind by lines of the log' : RULE_TEXT[root.how],
    why: root.why,
    hasDump: root.hasDump,
  }));
}

const rankWord = (count: number): string => (count === 1 ? 'rank' : 'ranks');

function conclusionOf(fact: CollectivesFact): string {
  if (fact.roots.length > 0)
    return `all waiting leads to ${rankWord(fact.roots.length)} ${ranksText(fact.roots.map((root) => root.rank))}`;
  if (fact.cycle.length > 0) return `ranks ${ranksText(fact.cycle)} wait for each other: nobody can be named`;
  if (fact.allJoined !== undefined)
    return `every member has joined ${fact.allJoined.op} #${fact.allJoined.seq} of group ${fact.allJoined.group}: nobody is missing`;
  if (fact.first !== undefined) return 'the members differ, and none of the sides is a majority: nobody can be named';
  if (fact.groups.length === 0) return 'no process group could be compared';
  return fact.waits.length > 0
    ? 'some ranks wait, and it cannot be said for whom in the end'
    : 'no divergence in what could be compared';
}
