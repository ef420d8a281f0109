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
  /** Below the folder that all files are in. */
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
  const folder = commonFolder(entries);
  return filterFiles(entries, options.filter)
    .map((entry) => fileRow(entry, citations.get(entry.id)?.length ?? 0, folder))
    .sort((a, b) => compareFiles(a, b, options.sort));
}

export function filterFiles(entries: readonly EntryRow[], filter: FileFilter): readonly EntryRow[] {
  const find = filter.find.trim().toLowerCase();
  const { kind, status } = filter;
  return entries.filter(
    (entry) =>
      (kind === 'all' || entry.kind === kind) &&
      (status === 'all' || entry.status === status) &&
      (find === '' || entry.path.toLowerCase().includes(find)),
  );
}

function fileRow(entry: EntryRow, cited: number, folder: string): FileRow {
  return {
    entry,
    path: escapeText(entry.path.slice(folder.length)),
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
  // What is not known of a file stands last in either direction.
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  if (x !== null && y !== null && x !== y && sort.column !== 'path') return (x < y ? -1 : 1) * sign;
  // Among equals what a finding rests on comes first.
  if (sort.column === 'status' && a.cited !== b.cited) return b.cited - a.cited;
  return comparePaths(a.entry.path, b.entry.path) * (sort.column === 'path' ? sign : 1);
}

/** Numbers by their value, so that rank 2 stands before rank 10; the rest by code unit: no locale plays a part. */
export function comparePaths(a: string, b: string): number {
  const [x, y] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [p = '', q = ''] = [x[i], y[i]];
    if (p === q) continue;
    const numbers = /^\d/.test(p) && /^\d/.test(q);
    if (numbers && Number(p) !== Number(q)) return Number(p) - Number(q);
    return p < q ? -1 : 1;
  }
  return x.length - y.length;
}

const partsOf = (path: string): readonly string[] => path.match(/\d{1,15}|\D+/g) ?? [];

/** `bundle-7/` where every file is below one folder, up to the last such; empty = none. */
export function commonFolder(entries: readonly { readonly path: string }[]): string {
  const [first, ...rest] = entries.map(({ path }) => path);
  if (first === undefined || rest.length === 0) return '';
  let length = first.lastIndexOf('/') + 1;
  for (const path of rest)
    while (length > 0 && !path.startsWith(first.slice(0, length))) length = first.lastIndexOf('/', length - 2) + 1;
  return first.slice(0, length);
}

function sortValue(row: FileRow, column: FileColumn): string | number | null {
  switch (column) {
    case 'path':
      return '';
    case 'kind':
      return row.entry.kind;
    case 'size':
      return row.entry.bytes;
    case 'sha':
      return row.entry.sha256;
    case 'covers':
      return row.entry.first;
    case 'status':
      return ENTRY_STATUSES.indexOf(row.entry.status);
    case 'cited':
      return -row.cited;
  }
}

/** `58 files: 1 refused, 1 warned, 52 read`: every status that occurs, the worst first. */
export function fileSummary(
  entries: readonly EntryRow[],
): readonly { readonly status: EntryStatus; readonly count: number }[] {
  return [...ENTRY_STATUSES]
    .map((status) => ({ status, count: entries.filter((entry) => entry.status === status).length }))
    .filter(({ count }) => count > 0);
}

export function fileKinds(entries: readonly EntryRow[]): readonly string[] {
  return [...new Set(entries.map((entry) => entry.kind))].sort();
}
