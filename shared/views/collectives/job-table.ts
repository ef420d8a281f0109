/**
 * The whole job as one table: a section a kind of group, and all ranks folded into the few sets that behave alike in the rows shown.
 *
 * A rank is in one group of each kind as a rule, so a row `tp #731402` asks each rank for its own tp group. Rows of a kind lie around
 * the call in which somebody of that kind waits or parts; what only some sets went on to do folds into one row `+238`.
 * O(ranks × kinds × rows).
 */
import type { AgreeingKind, GroupHead, JobAnswer, RankSetColumn } from './answers.ts';
import { isByLog, STATE_CODE } from './cells.ts';
import { CellTable, type Foldable, foldRanks } from './fold.ts';
import { type Plan, plansOf } from './job-plan.ts';
import { sectionsOf } from './job-sections.ts';
import { clockQuality, headOf, isTold, lookOf, namedRanks, openTransfers, waitsHere, withClocks } from './members.ts';
import type { CollectivesView } from './types.ts';

const MAX_SECTIONS = 12;
const MAX_GROUPS = 2000;

export function jobTable(view: CollectivesView, split: readonly number[]): JobAnswer {
  const plans = plansOf(view);
  const folded = foldRanks(foldables(view, plans), split, view);
  const table = new CellTable();
  const ranks = view.ranks.map((one) => one.rank);
  const sections = plans
    .slice(0, MAX_SECTIONS)
    .flatMap((plan) => sectionsOf(view, plan, folded.members, { table, ranks }));
  const heads = view.groups.map((group) => headOf(group, STATE_CODE.waiting));
  return {
    story: view.job,
    kinds: view.kinds,
    originNs: view.originNs,
    clocks: view.clocks,
    ranks: view.ranks.length,
    groups: ordered(heads, view).slice(0, MAX_GROUPS),
    groupsTotal: heads.length,
    agreeing: agreeingOf(view, heads),
    blind: blindOf(view, heads),
    sets: folded.sets satisfies readonly RankSetColumn[],
    moreRanks: folded.moreRanks,
    moreSets: folded.moreSets,
    sections: sections.map((section) => ({ ...section, rows: withClocks(view, section.rows) })),
    contents: table.contents().flatMap((id) => view.contents[id] ?? []),
    ...clockQuality(view, ranks),
  };
}

function foldables(view: CollectivesView, plans: readonly Plan[]): Foldable[] {
  const named = namedRanks(view, undefined);
  const waiting = new Map(view.groups.map((group) => [group, openTransfers(group, STATE_CODE.waiting)]));
  const none: ReadonlySet<number> = new Set();
  return view.ranks.map(({ rank, entry }): Foldable => {
    let key = '';
    let told = false;
    let waits = false;
    let byLog = true;
    let oldest = Number.NaN;
    let newest = Number.NaN;
    for (const [i, plan] of plans.entries()) {
      const seat = plan.seats.get(rank);
      if (seat === undefined || !isTold(seat.group, seat.member)) {
        key += ' –';
        continue;
      }
      const { group, reader, member } = seat;
      told = true;
      byLog &&= isByLog(group, member);
      const open = waiting.get(group) ?? none;
      waits ||= waitsHere(group, member, open);
      key += open.has(member) ? ' t' : ' ';
      for (const seq of plan.seqs) {
        const record = reader.record(member, seq, 0);
        key += `,${reader.state(member, seq, record)}:${reader.content(record)}`;
      }
      if (i === 0) {
        oldest = group.places.oldest[member] ?? Number.NaN;
        newest = group.places.enqueued[member] ?? Number.NaN;
      }
    }
    const look = lookOf(rank, told, waits, named);
    return {
      rank,
      key: `${look}${told ? key : ''}`,
      look,
      told,
      held: entry !== undefined,
      oldest,
      newest,
      byLog: told && byLog,
    };
  });
}

/** Groups in the order of the chain, then those with a divergence, then by size. */
function ordered(heads: readonly GroupHead[], view: CollectivesView): GroupHead[] {
  const place = new Map<string, number>();
  for (const [i, link] of view.job.chain.entries()) for (const group of link.groups) place.set(group, i);
  const first = view.job.first?.group;
  const rank = (head: GroupHead): number => (head.id === first ? -1 : (place.get(head.id) ?? 1000));
  return [...heads].sort((a, b) => rank(a) - rank(b) || b.size - a.size || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function agreeingOf(view: CollectivesView, heads: readonly GroupHead[]): AgreeingKind[] {
  const inChain = new Set(view.job.chain.flatMap((link) => link.groups));
  return view.kinds.flatMap((_, kind): AgreeingKind[] => {
    const own = heads.filter((head) => head.kind === kind && !inChain.has(head.id) && head.dumps > 0);
    const [first] = own;
    if (first === undefined) return [];
    const ids = new Set(own.map((head) => head.id));
    const tops = new Set<number>();
    for (const group of view.groups)
      if (ids.has(group.id)) for (const seq of group.places.enqueued) if (!Number.isNaN(seq)) tops.add(seq);
    const [at] = tops;
    return [
      {
        kind,
        groups: own.length,
        dumps: own.reduce((sum, head) => sum + head.dumps, 0),
        at: tops.size === 1 ? at : undefined,
        opens: first.id,
      },
    ];
  });
}

function blindOf(view: CollectivesView, heads: readonly GroupHead[]): JobAnswer['blind'] {
  const nodes = new Map(view.ranks.map((one) => [one.rank, one.node]));
  return heads.flatMap((head, i) => {
    const group = view.groups[i];
    if (group === undefined || head.dumps > 0 || head.basis === 'log' || head.waiting > 0) return [];
    const places = new Set(Array.from(group.members, (rank) => nodes.get(rank)));
    const [node] = places;
    return [{ group: group.id, size: group.ranks.length, node: places.size === 1 ? node : undefined }];
  });
}
