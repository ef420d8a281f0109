/** The evidence list: one row a file of the bundle, with who cites it. */
import { ENTRY_STATUSES, type EntryStatus } from '#shared/model/entry.ts';
import type { Report } from '#shared/report/schema.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatBytes, plural, shortenHash } from '#shared/text/format.ts';
import { escapeText } from './escape-text.ts';
import { placeOf, type RawPlace } from './evidence-rows.ts';
import { timeOfDayShort } from './times.ts';

export const FILE_COLUMNS = ['path', 'kind', 'size', 'sha', 'covers', 'status', 'cited'] as const;
export type FileColumn = (typeof FILE_COLUMNS)[number];

export interface FileSort {
  readonly column: FileColumn;
  readonly descending: boolean;
}

export interface FileFilter {
  readonly find: string;
  readonly kind: string | 'all';
  readonly status: EntryStatus | 'all';
}

export interface FileRow {
  readonly entry: EntryRow;
  readonly path: string;
  readonly size: string;
  readonly sha: string;
  readonly covers: string;
  readonly detail: string;
  readonly cited: number;
  readonly citedText: string;
}

export interface Citation {
  readonly text: string;
  readonly target: RawPlace;
}

/** Every place of a file that a finding names, each once, in the order of the findings. */
export function citationsByEntry(report: Report): ReadonlyMap<number, readonly Citation[]> {
  const map = new Map<number, Citation[]>();
  const seen = new Set<string>();
  for (const finding of [report.verdict, ...report.findings]) {
    for (const item of [...finding.because, ...finding.against]) {
      const key = JSON.stringify([item.entryId, item.line, item.byte, item.record, item.text]);
      if (seen.has(key)) continue;
      seen.add(key);
      const list = map.get(item.entryId) ?? [];
      map.set(item.entryId, list);
      list.push({ text: escapeText(item.text), target: placeOf(item) });
    }
  }
  return map;
}

export function fileRows(
  entries: readonly EntryRow[],
  citations: ReadonlyMap<number, readonly Citation[]>,
  options: { readonly filter: FileFilter; readonly sort: FileSort },
): readonly FileRow[] {
  const find = options.filter.find.trim().toLowerCase();
  const { kind, status } = options.filter;
  return entries
    .filter((entry) => kind === 'all' || entry.kind === kind)
    .filter((entry) => status === 'all' || entry.status === status)
    .filter((entry) => find === '' || entry.path.toLowerCase().includes(find))
    .map((entry) => fileRow(entry, citations.get(entry.id)?.length ?? 0))
    .sort((a, b) => compareFiles(a, b, options.sort));
}

function fileRow(entry: EntryRow, cited: number): FileRow {
  return {
    entry,
    path: escapeText(entry.path),
    size: formatBytes(entry.bytes),
    sha: entry.sha256 === null ? '–' : shortenHash(entry.sha256),
    covers:
      entry.first === null || entry.last === null
        ? ''
        : `${timeOfDayShort(entry.first)} – ${timeOfDayShort(entry.last)}`,
    detail: escapeText(entry.detail),
    cited,
    citedText: cited === 0 ? '' : plural(cited, 'place'),
  };
}

function compareFiles(a: FileRow, b: FileRow, sort: FileSort): number {
  const sign = sort.descending ? -1 : 1;
  const x = sortValue(a, sort.column);
  const y = sortValue(b, sort.column);
  if (x !== y) return (x < y ? -1 : 1) * sign;
  return a.entry.path < b.entry.path ? -1 : a.entry.path > b.entry.path ? 1 : 0;
}

function sortValue(row: FileRow, column: FileColumn): string | number {
  switch (column) {
    case 'path':
      return row.entry.path;
    case 'kind':
      return row.entry.kind;
    case 'size':
      return row.entry.bytes;
    case 'sha':
      return row.entry.sha256 ?? '';
    case 'covers':
      return row.entry.first ?? '\uffff';
    case 'status':
      return ENTRY_STATUSES.indexOf(row.entry.status);
    case 'cited':
      return -row.cited;
  }
}

/** `58 files: 52 read, 1 warned, 1 refused`: every status that occurs, read first. */
export function fileSummary(
  entries: readonly EntryRow[],
): readonly { readonly status: EntryStatus; readonly count: number }[] {
  return [...ENTRY_STATUSES]
    .reverse()
    .map((status) => ({ status, count: entries.filter((entry) => entry.status === status).length }))
    .filter(({ count }) => count > 0);
}

export function fileKinds(entries: readonly EntryRow[]): readonly string[] {
  return [...new Set(entries.map((entry) => entry.kind))].sort();
}
