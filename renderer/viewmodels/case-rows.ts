/** Rows of the case list. */
import type { CaseSummary } from '#shared/model/case.ts';
import { formatBytes, formatCount } from '#shared/text/format.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { escapeText } from './escape-text.ts';
import type { VerdictGlyph } from './overview.ts';
import { rankLabel } from './ranks-text.ts';
import { firstClause, splitStatement } from './statement.ts';
import { calendarDay } from './times.ts';

export interface CaseRow {
  readonly caseId: CaseSummary['caseId'];
  readonly name: string;
  readonly day: string;
  /** True if the day is that of the import because the bundle names none. */
  readonly dayOfImport: boolean;
  readonly ranks: string;
  readonly size: string;
  readonly files: string;
  readonly glyph: VerdictGlyph;
  readonly word: string;
  readonly chip: string | null;
  readonly clause: string;
  readonly gaps: number;
  readonly marks: readonly string[];
  readonly pinned: boolean;
}

export const CASE_SORTS = ['imported', 'incident', 'name', 'ranks'] as const;
export type CaseSort = (typeof CASE_SORTS)[number];
export const CASE_SORT_WORDS: Readonly<Record<CaseSort, string>> = {
  imported: 'last imported',
  incident: 'date of incident',
  name: 'name',
  ranks: 'ranks',
};

export interface CaseListOptions {
  readonly find: string;
  readonly status: VerdictGlyph | 'all';
  readonly sort: CaseSort;
}

/**
 * Filtered by name or statement (case ignored) and by status, sorted, pinned ones first; ties by case id, so the order never
 * wobbles. `version`: that of this program, to mark cases that an older one made.
 */
export function caseRows(cases: readonly CaseSummary[], options: CaseListOptions, version = ''): readonly CaseRow[] {
  const wanted = options.find.trim().toLowerCase();
  return [...cases]
    .filter((item) => options.status === 'all' || glyphOf(item) === options.status)
    .filter((item) => wanted === '' || `${item.name}\n${item.summary}`.toLowerCase().includes(wanted))
    .sort(
      (a, b) =>
        Number(b.pinned ?? false) - Number(a.pinned ?? false) ||
        compareCases(a, b, options.sort) ||
        (a.caseId < b.caseId ? -1 : 1),
    )
    .map((item) => caseRow(item, version));
}

function compareCases(a: CaseSummary, b: CaseSummary, sort: CaseSort): number {
  switch (sort) {
    case 'imported':
      return compareText(b.importedAt, a.importedAt);
    case 'incident':
      return compareText(b.incidentStart ?? '', a.incidentStart ?? '');
    case 'name':
      return compareText(a.name.toLowerCase(), b.name.toLowerCase());
    case 'ranks':
      return (b.ranks ?? -1) - (a.ranks ?? -1);
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const glyphOf = (item: CaseSummary): VerdictGlyph => (item.outcome === 'no-failure' ? 'no-failure' : item.status);
export const glyphWord = (glyph: VerdictGlyph): string => (glyph === 'no-failure' ? 'No failure' : STATUS_WORD[glyph]);

/** `0.9.1` before `0.10.0`; an unknown version is not older. */
export function isOlder(made: string, present: string): boolean {
  const parts = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [a, b] = [parts(made), parts(present)];
  for (let i = 0; i < 3; i += 1) {
    const [x, y] = [a[i] ?? Number.NaN, b[i] ?? Number.NaN];
    if (Number.isNaN(x) || Number.isNaN(y)) return false;
    if (x !== y) return x < y;
  }
  return false;
}

function caseRow(item: CaseSummary, version: string): CaseRow {
  const { text } = splitStatement(escapeText(item.summary), item.firstRanks);
  return {
    caseId: item.caseId,
    name: escapeText(item.name),
    day: calendarDay(item.incidentStart ?? item.importedAt),
    dayOfImport: item.incidentStart === null,
    ranks: item.ranks === null ? '?' : formatCount(item.ranks),
    size: formatBytes(item.bytes),
    files: formatCount(item.files),
    glyph: glyphOf(item),
    word: glyphWord(glyphOf(item)),
    chip: item.firstRanks.length === 0 ? null : rankLabel(item.firstRanks),
    clause: firstClause(text),
    gaps: item.gaps,
    marks: [
      item.example ? 'example' : '',
      item.partial ? 'partial' : '',
      isOlder(item.toolVersion, version) ? 'older' : '',
    ].filter((mark) => mark !== ''),
    pinned: item.pinned ?? false,
  };
}
