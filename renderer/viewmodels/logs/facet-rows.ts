/** Facets beside the log list: severities worst first, ranks and Pods with most lines first, the rest as a sentence. */
import type { LogCase, SearchState } from '#shared/rpc/areas/logs.ts';
import { LEVELS, type Level } from '#shared/search/query.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { escapeText } from '../escape-text.ts';
import { LEVEL_WORD } from './line-rows.ts';
import type { FacetValue } from './query-edit.ts';

export interface FacetRow {
  readonly value: FacetValue;
  readonly label: string;
  readonly lines: number;
  /** The case names this rank first. */
  readonly first: boolean;
}

export interface FacetRows {
  readonly levels: readonly FacetRow[];
  readonly ranks: readonly FacetRow[];
  readonly moreRanks: string | null;
  readonly pods: readonly FacetRow[];
  readonly morePods: string | null;
}

/** The order of `SearchState.levels`. */
const LEVEL_ORDER: readonly (Level | null)[] = [null, ...LEVELS];
const MOST_RANKS = 6;
const MOST_PODS = 6;

export function facetRows(logCase: LogCase, state: SearchState | null, firstRanks: ReadonlySet<number>): FacetRows {
  const counts = state?.levels ?? [];
  const levels = LEVEL_ORDER.map(
    (level, slot): FacetRow => ({
      value: level,
      label: level === null ? 'None' : LEVEL_WORD[level],
      lines: counts[slot] ?? 0,
      first: false,
    }),
  ).reverse();
  const ranks = rankRows(state, firstRanks);
  const pods = podRows(logCase, state);
  const shownRanks = ranks.filter((row) => row.first || ranks.indexOf(row) < MOST_RANKS || row.value === null);
  return {
    levels,
    ranks: shownRanks,
    moreRanks: restWords(ranks.slice(shownRanks.length)),
    pods: pods.slice(0, MOST_PODS),
    morePods: restWords(pods.slice(MOST_PODS)),
  };
}

/** First ranks lead, lines of no known rank come last. */
function rankRows(state: SearchState | null, firstRanks: ReadonlySet<number>): readonly FacetRow[] {
  const rows = (state?.ranks ?? []).map(
    ({ rank, lines }): FacetRow => ({
      value: rank < 0 ? null : rank,
      label: rank < 0 ? 'no rank' : String(rank),
      lines,
      first: firstRanks.has(rank),
    }),
  );
  const known = rows.filter(({ value }) => value !== null);
  return [
    ...known.filter(({ first }) => first),
    ...known.filter(({ first }) => !first),
    ...rows.filter(({ value }) => value === null),
  ];
}

function podRows(logCase: LogCase, state: SearchState | null): readonly FacetRow[] {
  const pods = new Map<string | null, number>();
  for (const { file, lines } of state?.files ?? []) {
    const pod = logCase.files[file]?.pod ?? null;
    pods.set(pod, (pods.get(pod) ?? 0) + lines);
  }
  return [...pods]
    .sort(([a, x], [b, y]) => Number(a === null) - Number(b === null) || y - x)
    .map(([pod, lines]) => ({ value: pod, label: pod === null ? 'no Pod' : escapeText(pod), lines, first: false }));
}

/** `11 more, 196–201 each`. */
function restWords(rows: readonly FacetRow[]): string | null {
  if (rows.length === 0) return null;
  const counts = rows.map(({ lines }) => lines);
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  return `${plural(rows.length, 'more', 'more')}, ${least === most ? formatCount(least) : `${formatCount(least)}–${formatCount(most)}`} each`;
}
