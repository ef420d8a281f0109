/** Which ranks a typed filter means, and how a set of ranks is named in the context bar. */
import { parseRanks, rankRuns } from '#shared/lib/rank-text.ts';
import type { Report } from '#shared/report/schema.ts';
import { escapeText } from './escape-text.ts';

/** A name of the case that stands for ranks: a node, a Pod or a group. */
export interface NamedScope {
  readonly kind: 'node' | 'pod' | 'group';
  /** As the bundle wrote it; escape before showing. */
  readonly name: string;
  readonly ranks: readonly number[];
}

function namedScopes(report: Report): readonly NamedScope[] {
  const scopes = new Map<
    string,
    { readonly kind: NamedScope['kind']; readonly name: string; readonly ranks: Set<number> }
  >();
  const add = (kind: NamedScope['kind'], name: string | null, ranks: Iterable<number>) => {
    if (name === null) return;
    const key = `${kind} ${name}`;
    const known = scopes.get(key) ?? { kind, name, ranks: new Set<number>() };
    for (const rank of ranks) known.ranks.add(rank);
    scopes.set(key, known);
  };
  for (const row of report.ranks) {
    add('node', row.node, [row.rank]);
    add('pod', row.pod, [row.rank]);
  }
  for (const group of report.collectives.groups) {
    add('group', group.group, group.ranks);
    if (group.desc !== '' && group.desc !== group.group) add('group', group.desc, group.ranks);
  }
  return [...scopes.values()].map(({ kind, name, ranks }) => ({ kind, name, ranks: [...ranks].sort((a, b) => a - b) }));
}

export type ScopeAnswer =
  | { readonly ok: true; readonly ranks: readonly number[] }
  | { readonly ok: false; readonly why: string };

const MAX_NAMED = 40;

/** `37, 40-47`, a node, Pod or group by name, or several of them: `gpu-a17, 3`. A part of a name is enough if only one has it. */
export function parseScope(text: string, report: Report): ScopeAnswer {
  const plain = parseRanks(text);
  if (plain !== null) return checked(plain, report);
  const scopes = namedScopes(report);
  const ranks = new Set<number>();
  for (const part of text.split(',').map((item) => item.trim())) {
    if (part === '') continue;
    const numbers = parseRanks(part.replace(/^ranks?\s+/i, ''));
    const found = numbers ?? rankOfName(part, scopes);
    if (typeof found === 'string') return { ok: false, why: found };
    for (const rank of found) ranks.add(rank);
  }
  return checked(
    [...ranks].sort((a, b) => a - b),
    report,
  );
}

/** Ranks, or why there are none. */
function rankOfName(part: string, scopes: readonly NamedScope[]): readonly number[] | string {
  const wanted = part.replace(/^(?:node|pod|group)\s+/i, '').toLowerCase();
  const exact = scopes.find((scope) => scope.name.toLowerCase() === wanted);
  if (exact) return exact.ranks;
  const shown = escapeText(part.slice(0, MAX_NAMED));
  const hits = scopes.filter((scope) => scope.name.toLowerCase().includes(wanted));
  const sets = new Set(hits.map((scope) => scope.ranks.join()));
  if (sets.size === 1 && hits[0]) return hits[0].ranks;
  return hits.length === 0
    ? `Nothing here is called “${shown}”.`
    : `“${shown}” names ${hits.length} nodes, Pods or groups.`;
}

function checked(ranks: readonly number[], report: Report): ScopeAnswer {
  const { worldSize } = report.incident;
  const known = new Set(report.ranks.map((row) => row.rank));
  const strange = ranks.find((rank) => (worldSize === null ? known.size > 0 && !known.has(rank) : rank >= worldSize));
  if (strange !== undefined)
    return {
      ok: false,
      why:
        worldSize === null
          ? `Rank ${strange} is not in this case.`
          : `Rank ${strange} is not in this job of ${worldSize} ranks.`,
    };
  return { ok: true, ranks };
}

export interface ScopeChip {
  readonly key: string;
  readonly label: string;
  /** What remains when this chip is removed. */
  readonly rest: readonly number[];
}

const MAX_CHIPS = 4;

/** Chips of a set of ranks: one with its name if a node, Pod or group is exactly this set, else one a run. */
export function scopeChips(ranks: readonly number[], report: Report): readonly ScopeChip[] {
  if (ranks.length === 0) return [];
  const all = ranks.join();
  const named = namedScopes(report).find((scope) => scope.ranks.join() === all && scope.ranks.length > 1);
  if (named)
    return [{ key: all, label: `${named.kind === 'pod' ? 'Pod' : named.kind} ${escapeText(named.name)}`, rest: [] }];
  const runs = rankRuns(ranks);
  const shown = runs.slice(0, runs.length > MAX_CHIPS ? MAX_CHIPS - 1 : MAX_CHIPS);
  const chips = shown.map(([from, to], index) => ({
    key: `${from}`,
    label: `${index === 0 ? (ranks.length === 1 ? 'rank ' : 'ranks ') : ''}${from === to ? from : `${from}–${to}`}`,
    rest: ranks.filter((rank) => rank < from || rank > to),
  }));
  const rest = runs.slice(shown.length);
  if (rest.length === 0) return chips;
  const hidden = new Set(rest.flatMap(([from, to]) => ranks.filter((rank) => rank >= from && rank <= to)));
  return [...chips, { key: 'more', label: `and ${hidden.size} more`, rest: ranks.filter((rank) => !hidden.has(rank)) }];
}
