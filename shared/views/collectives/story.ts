/**
 * The whole job in order of cause: which groups wait for whom, and the steps from the first call to the end of the job. Both retell the
 * wait graph, the verdict and log lines; the order of two steps is claimed only as far as their clocks allow.
 *
 *   tp_4      7 of 8 wait      for rank 37
 *     └ pp    24 of 32 wait    for ranks that stand in tp_4
 *         └ dp …
 */
import type { DumpView } from '../../analysis/collectives/dump-view.ts';
import { rankSet } from '../../lib/rank-set.ts';
import { CELL_STATES } from '../../model/divergence-table.ts';
import type { CollectivesFact, GroupFact } from '../../model/facts.ts';
import { epochNs } from '../../model/time.ts';
import type { ViewSource } from '../index.ts';
import { divergenceView } from './divergence-view.ts';
import { buildSteps, type OpenTransfer, type OpenTransfers } from './steps.ts';
import type { ChainLink, CollectiveGroup, GroupKind, JobStory } from './types.ts';

export interface StoryInput {
  readonly groups: readonly CollectiveGroup[];
  readonly kinds: readonly GroupKind[];
  readonly views: readonly DumpView[];
}

export function buildStory(source: ViewSource, given: StoryInput): JobStory {
  const fact = source.result.facts.collectives;
  const { verdict } = source.result;
  const chain = buildChain(fact, given.groups);
  // A group that holds everybody who contradicts each other (a ring, sides without a majority) sets nobody apart.
  const apart = fact.cycle.length === 0 && (fact.first === undefined || fact.first.ranks.length > 0);
  const named = verdict.outcome === 'named' || (verdict.outcome === 'group' && apart);
  return {
    chain,
    steps: buildSteps(source, chain, openTransfers(given)),
    roots: fact.roots.map(({ rank, why, how, hasDump }) => ({ rank, why: why.slice(0, 400), how, hasDump })),
    firstRanks: named ? verdict.firstRanks : [],
    cycle: fact.cycle,
    first: fact.first === undefined ? undefined : { group: fact.first.group, divergence: divergenceView(fact.first) },
    allJoined:
      fact.allJoined === undefined
        ? undefined
        : { group: fact.allJoined.group, seq: fact.allJoined.seq, op: fact.allJoined.op },
    dumpsPresent: fact.dumpsPresent.length,
    dumpsExpected: fact.dumpsExpected?.length,
    onlyActive: fact.onlyActive,
    versions: versionsOf(given.views),
  };
}

/** The earliest open transfer of each rank, by group and rank. */
function openTransfers({ groups, views }: StoryInput): OpenTransfers {
  const dumps = new Map(views.map((view) => [view.rank, view.dump]));
  const waiting = CELL_STATES.indexOf('waiting');
  const found = new Map<string, OpenTransfer>();
  for (const { id, members, p2p } of groups) {
    for (let i = 0; p2p !== undefined && i < p2p.member.length; i++) {
      const rank = members[p2p.member[i] ?? -1] ?? -1;
      const row = p2p.row[i] ?? -1;
      const dump = dumps.get(rank);
      const ns = dump?.columns.createdNs[row] ?? 0n;
      if (p2p.state[i] !== waiting || dump === undefined || ns === 0n) continue;
      const known = found.get(`${id}\n${rank}`);
      const op = p2p.send[i] === 1 ? 'send' : 'recv';
      if (known === undefined || ns < known.ns)
        found.set(`${id}\n${rank}`, { rank, op, ns: epochNs(ns), entry: dump.source.entry, record: row });
    }
  }
  return found;
}

function versionsOf(views: readonly DumpView[]): JobStory['versions'] {
  const counts = new Map<string, number>();
  for (const { dump } of views) {
    const text = `format ${dump.version ?? 'before 1.0'}${dump.library ? `, library ${dump.library.slice(0, 40)}` : ''}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, ranks]) => ({ text, ranks }))
    .sort((a, b) => b.ranks - a.ranks || (a.text < b.text ? -1 : 1));
}

interface Node {
  readonly group: string;
  readonly kind: number;
  readonly members: number;
  readonly waiting: readonly number[];
  readonly awaited: readonly number[];
  readonly seq: number | undefined;
  readonly basis: 'dump' | 'log';
}

function buildChain(fact: CollectivesFact, groups: readonly CollectiveGroup[]): ChainLink[] {
  const nodes = nodesOf(fact, groups);
  const home = new Map(fact.waits.map((edge) => [edge.rank, edge.group]));
  const { levels, rings } = levelsOf(nodes, home);
  const folded = new Map<string, Node[]>();
  const ordered = [...nodes].sort(
    (a, b) =>
      (levels.get(a.group) ?? 0) - (levels.get(b.group) ?? 0) ||
      Number(b.group === fact.first?.group) - Number(a.group === fact.first?.group) ||
      compareIds(a.group, b.group),
  );
  for (const node of ordered) {
    const level = levels.get(node.group) ?? 0;
    const standsIn = new Set(node.awaited.map((rank) => home.get(rank) ?? ''));
    // Beyond the cause it is the kind of group that tells, not which of them.
    const whom = level === 0 ? node.awaited.join() : [...standsIn].length === 0 ? '' : 'behind';
    const key = `${level} ${node.kind} ${node.basis} ${rings.has(node.group)} ${whom}`;
    const same = folded.get(key);
    if (same === undefined) folded.set(key, [node]);
    else same.push(node);
  }
  const list = [...folded.values()];
  const linkOf = new Map(list.flatMap((same, i) => same.map((node) => [node.group, i] as const)));
  return list.map((same): ChainLink => {
    const [first] = same;
    const all = rankSet(same.flatMap((node) => node.awaited));
    // At the cause those count that wait for nobody; the others are told by the links that they stand in.
    const free = all.filter((rank) => !home.has(rank));
    const awaited = levels.get(first?.group ?? '') === 0 && free.length > 0 ? free : all;
    const own = linkOf.get(first?.group ?? '');
    const seqs = same.flatMap((node) => node.seq ?? []);
    return {
      level: levels.get(first?.group ?? '') ?? 0,
      kind: first?.kind ?? 0,
      groups: same.map((node) => node.group),
      members: same.reduce((sum, node) => sum + node.members, 0),
      waiting: rankSet(same.flatMap((node) => node.waiting)),
      awaited,
      seq: seqs.length === 0 ? undefined : seqs.reduce((a, b) => Math.min(a, b)),
      behind: rankSet(awaited.flatMap((rank) => linkOf.get(home.get(rank) ?? '') ?? [])).filter((link) => link !== own),
      basis: first?.basis ?? 'dump',
      ring: rings.has(first?.group ?? ''),
    };
  });
}

function nodesOf(fact: CollectivesFact, groups: readonly CollectiveGroup[]): Node[] {
  const edges = new Map<string, CollectivesFact['waits'][number][]>();
  for (const edge of fact.waits) {
    const list = edges.get(edge.group);
    if (list === undefined) edges.set(edge.group, [edge]);
    else list.push(edge);
  }
  const facts = new Map(fact.groups.map((group) => [group.id, group]));
  return groups.flatMap((group): Node[] => {
    const own = edges.get(group.id) ?? [];
    const told = facts.get(group.id);
    const plain = { group: group.id, kind: group.kind, members: group.members.length };
    if (own.length > 0) {
      const seqs = own.map((edge) => edge.seq);
      return [
        {
          ...plain,
          waiting: rankSet(own.map((edge) => edge.rank)),
          awaited: rankSet(own.flatMap((edge) => edge.for)),
          seq:
            group.p2p !== undefined && group.rows.seq.length === 0 ? undefined : seqs.reduce((a, b) => Math.min(a, b)),
          basis: group.basis,
        },
      ];
    }
    return told === undefined ? [] : withoutEdges(plain, told, fact);
  });
}

/** Groups that only a divergence, or everybody's arrival, tells something of. */
function withoutEdges(plain: Pick<Node, 'group' | 'kind' | 'members'>, told: GroupFact, fact: CollectivesFact): Node[] {
  const one = told.id === fact.first?.group ? fact.first : told.divergence;
  if (one !== undefined) {
    const waiting = one.agreeing.length > 0 || one.ranks.length > 0 ? one.agreeing : one.sides.flat();
    return [{ ...plain, waiting: rankSet(waiting), awaited: one.ranks, seq: one.seq, basis: one.basis }];
  }
  if (fact.allJoined?.group === told.id)
    return [{ ...plain, waiting: fact.allJoined.ranks, awaited: [], seq: fact.allJoined.seq, basis: 'dump' }];
  return [];
}

/** Distance from the cause; groups that nothing leads out of are rings and stand at the cause themselves. */
function levelsOf(
  nodes: readonly Node[],
  home: ReadonlyMap<number, string>,
): { readonly levels: ReadonlyMap<string, number>; readonly rings: ReadonlySet<string> } {
  const levels = new Map<string, number>();
  const rings = new Set<string>();
  for (const node of nodes)
    if (node.awaited.length === 0 || node.awaited.some((rank) => !home.has(rank))) levels.set(node.group, 0);
  const spread = (): void => {
    for (let moved = true; moved; ) {
      moved = false;
      for (const node of nodes) {
        if (levels.has(node.group)) continue;
        const behind = node.awaited.flatMap((rank) => {
          const at = home.get(rank);
          return at === undefined || at === node.group ? [] : (levels.get(at) ?? []);
        });
        if (behind.length === 0) continue;
        // Levels are given in rounds, so that the nearest cause counts.
        pending.push([node.group, 1 + behind.reduce((a, b) => Math.min(a, b))]);
      }
      for (const [group, level] of pending.splice(0)) {
        levels.set(group, level);
        moved = true;
      }
    }
  };
  const pending: [string, number][] = [];
  spread();
  for (const node of nodes)
    if (!levels.has(node.group)) {
      rings.add(node.group);
      levels.set(node.group, 0);
    }
  return { levels, rings };
}

/** `tp_9` before `tp_10`: by the text before the number at the end, then by that number. No locale. */
function compareIds(a: string, b: string): number {
  const [x, y] = [splitId(a), splitId(b)];
  return (x.text < y.text ? -1 : x.text > y.text ? 1 : 0) || x.number - y.number || (a < b ? -1 : a > b ? 1 : 0);
}

function splitId(id: string): { readonly text: string; readonly number: number } {
  const digits = /\d{1,9}$/.exec(id)?.[0] ?? '';
  return { text: id.slice(0, id.length - digits.length), number: digits === '' ? -1 : Number(digits) };
}
