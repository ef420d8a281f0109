/** Roots as facts: why each is one, and the records that show it. */

import { nameRanks, nameRanksAtStart } from '../../lib/rank-set.ts';
import type { CollectivesFact, Divergence } from '../../model/facts.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { callText } from './calls.ts';
import type { Comparison } from './compare.ts';
import { newestCall, openCall } from './divergences.ts';
import type { GroupPositions } from './positions.ts';
import type { RootRank, Roots } from './roots.ts';

type RootFact = CollectivesFact['roots'][number];
/** Records of victims shown beside a root's own. */
const MAX_WITNESSES = 3;

export function describeRoots(
  compared: Comparison,
  roots: Roots,
  missing: readonly number[],
  divergences: ReadonlyMap<GroupPositions, readonly Divergence[]>,
): RootFact[] {
  const facts = roots.roots.map((root) => describe(compared, root, divergences));
  for (const rank of missing) facts.push(withoutDump(compared, rank));
  return facts.sort((a, b) => a.rank - b.rank);
}

function describe(
  compared: Comparison,
  root: RootRank,
  divergences: ReadonlyMap<GroupPositions, readonly Divergence[]>,
): RootFact {
  const kinds: readonly Divergence['kind'][] =
    root.how === 'deviant'
      ? ['op', 'size', 'dtype']
      : root.how === 'order'
        ? ['order']
        : root.how === 'stuck'
          ? ['state']
          : ['missing', 'state'];
  const hasDump = compared.views.some((view) => view.rank === root.rank && !view.blank);
  const own = [...divergences.entries()]
    .flatMap(([where, list]) => list.map((divergence) => ({ where, divergence })))
    .filter(({ divergence }) => kinds.includes(divergence.kind) && divergence.ranks.includes(root.rank))
    .sort(
      (a, b) =>
        Number(isTransfer(a.divergence)) - Number(isTransfer(b.divergence)) ||
        a.divergence.ranks.length - b.divergence.ranks.length ||
        b.where.group.ranks.length - a.where.group.ranks.length ||
        (a.where.group.id < b.where.group.id ? -1 : 1),
    );
  const [best] = own;
  if (best === undefined)
    return {
      rank: root.rank,
      why: 'others wait for it, and it waits for nobody',
      evidence: entrySource(compared, root.rank),
      hasDump,
      how: root.how,
    };
  return {
    rank: root.rank,
    why: whyOf(root, best.where, best.divergence),
    evidence: evidenceOf(compared, root.rank, best.where, best.divergence),
    hasDump,
    how: root.how,
  };
}

/** Transfers come last: a collective says more. */
const isTransfer = (divergence: Divergence): boolean => /^(?:send|recv) /.test(divergence.expected);

function whyOf(root: RootRank, where: GroupPositions, divergence: Divergence): string {
  const group =
    where.group.desc === '' || where.group.desc === where.group.id
      ? where.group.id
      : `${where.group.id} (${where.group.desc})`;
  if (root.how !== 'behind') return `group ${group}: ${divergence.why}`;
  const caution =
    where.endsOnly && where.group.ranks.length > where.positions.length ? '; dumps of other members are missing' : '';
  return `group ${group}: ${divergence.why}; rank ${root.rank} waits for nobody itself${caution}`;
}

function evidenceOf(compared: Comparison, rank: number, where: GroupPositions, divergence: Divergence): SourceRef[] {
  const at = where.byRank.get(rank);
  const i = at?.member.local?.seqs.indexOf(divergence.seq) ?? -1;
  const row = at?.member.local?.rows[i];
  const own: SourceRef[] =
    at === undefined
      ? entrySource(compared, rank)
      : row !== undefined
        ? [{ kind: 'record', entry: at.member.view.dump.source.entry, record: row }]
        : [newestCall(where, at)?.source ?? at.member.view.dump.source];
  const witnesses = divergence.agreeing.slice(0, MAX_WITNESSES).flatMap((other) => {
    const position = where.byRank.get(other);
    return position === undefined
      ? []
      : (openCall(where, position)?.source ?? newestCall(where, position)?.source ?? []);
  });
  return [...own, ...witnesses];
}

const entrySource = (compared: Comparison, rank: number): SourceRef[] =>
  compared.views.filter((view) => view.rank === rank).map((view) => view.dump.source);

function withoutDump(compared: Comparison, rank: number): RootFact {
  const calls = compared.waits.standing.filter((one) => one.unknown.includes(rank));
  const [first] = calls;
  const at = first?.where.byRank.get(first.rank);
  const call = first === undefined || at === undefined ? undefined : openCall(first.where, at);
  const waiting = calls.filter((one) => one.where === first?.where && one.seq === first.seq).map((one) => one.rank);
  const others = first === undefined ? [] : first.unknown.filter((other) => other !== rank);
  const alone = others.length === 0 ? 'it is the only member without one' : `${nameRanks(others)} left none either`;
  const evidence = calls.slice(0, MAX_WITNESSES).flatMap((one) => {
    const position = one.where.byRank.get(one.rank);
    return position === undefined ? [] : (openCall(one.where, position)?.source ?? []);
  });
  return {
    rank,
    why: `${nameRanksAtStart(waiting)} ${waiting.length === 1 ? 'waits' : 'wait'} in ${call === undefined ? 'a call' : `${callText(call)} #${call.seq}`} of group ${first?.where.group.id ?? '?'}, which no member with a dump has missed; rank ${rank} left no dump (${alone})`,
    evidence,
    hasDump: false,
    how: 'no-dump',
  };
}
