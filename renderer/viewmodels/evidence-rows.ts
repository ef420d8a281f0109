/** Evidence and counter-evidence as rows: statement, time with its clock, source, place in it. */

import { type NoteSubject, noteKey } from '#shared/model/note.ts';
import type { Report, ReportEvidence } from '#shared/report/schema.ts';
import { formatCount } from '#shared/text/format.ts';
import { escapeText } from './escape-text.ts';
import { evidenceMoment, type Moment } from './moment.ts';
import { isoToNs } from './times.ts';

/** Where a source opens in the raw viewer. `whole` = the file itself. */
export type RawPlace =
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'record'; readonly record: number }
  | { readonly kind: 'whole' };

export interface EvidenceRow {
  readonly key: string;
  readonly text: string;
  readonly moment: Moment | null;
  /** Last part of the path, escaped; the full path is in `path`. */
  readonly source: string;
  readonly path: string;
  readonly place: string;
  readonly entryId: number;
  readonly target: RawPlace;
  readonly rank: number | null;
  /** ISO 8601 UTC on its basis; null = the item has no time. */
  readonly stamp: { readonly time: string; readonly basis: 'raw' | 'corrected' } | null;
}

export function evidenceRows(report: Report, items: readonly ReportEvidence[], prefix: string): readonly EvidenceRow[] {
  return items.map((item, index) => {
    const target = placeOf(item);
    return {
      key: `${prefix}-${index}`,
      text: statementText(item.text),
      moment: evidenceMoment(report, item),
      source: escapeText(item.file.split('/').at(-1) ?? item.file),
      path: escapeText(item.file),
      place: placeText(target),
      entryId: item.entryId,
      target,
      rank: item.rank,
      stamp: item.time === null ? null : { time: item.time, basis: item.timeBasis ?? 'raw' },
    };
  });
}

/** Half of what is shown around an item of evidence, ns. */
const AROUND_NS = 30e9;

/**
 * Half a minute to both sides of an item, ns from `origin`; null = it has no time, or not on the basis that is shown. A raw stamp is
 * a corrected one as well where its clock has no offset, which is when the report leaves it raw.
 */
export function rangeAround(
  { stamp }: Pick<EvidenceRow, 'stamp'>,
  origin: bigint | null,
  basis: 'raw' | 'corrected',
): { readonly from: number; readonly to: number } | null {
  if (stamp === null || origin === null || (stamp.basis === 'corrected' && basis === 'raw')) return null;
  const at = isoToNs(stamp.time);
  if (at === null) return null;
  const middle = Number(at - origin);
  return { from: middle - AROUND_NS, to: middle + AROUND_NS };
}

/** What a star on each item is about, each thing once. A byte has no row of its own: the star is its file's. */
export function evidenceSubjects(items: readonly ReportEvidence[]): readonly NoteSubject[] {
  const subjects = new Map<string, NoteSubject>();
  for (const { file: path, line, record } of items) {
    const subject: NoteSubject =
      line !== null
        ? { kind: 'line', path, line }
        : record !== null
          ? { kind: 'record', path, record }
          : { kind: 'entry', path };
    subjects.set(noteKey(subject), subject);
  }
  return [...subjects.values()];
}

/** Longer statements than this carry a text of the bundle in full; the source holds it, the row shows the beginning. */
const MAX_STATEMENT = 600;

/** Escaped; an overlong one is cut and says so. */
export function statementText(text: string): string {
  if (text.length <= MAX_STATEMENT) return escapeText(text);
  return `${escapeText(text.slice(0, MAX_STATEMENT))}… (${formatCount(text.length)} characters)`;
}

export function placeOf(item: Pick<ReportEvidence, 'line' | 'byte' | 'record'>): RawPlace {
  if (item.line !== null) return { kind: 'line', line: item.line };
  if (item.byte !== null) return { kind: 'byte', byte: item.byte };
  if (item.record !== null) return { kind: 'record', record: item.record };
  return { kind: 'whole' };
}

/** `line 1 204`, `byte 9 482 113`, `record 1 999`, `whole file`. */
export function placeText(place: RawPlace): string {
  switch (place.kind) {
    case 'line':
      return `line ${formatCount(place.line)}`;
    case 'byte':
      return `byte ${formatCount(place.byte)}`;
    case 'record':
      return `record ${formatCount(place.record)}`;
    case 'whole':
      return 'whole file';
  }
}

/** Head of the time column: what holds for all rows stands there once, each row still names its own clock. */
export function timeColumnHead(rows: readonly EvidenceRow[]): string {
  const bases = new Set(rows.flatMap((row) => (row.moment ? [row.moment.basis] : [])));
  if (bases.size === 0) return '';
  if (bases.size === 2) return 'time';
  return bases.has('raw') ? 'raw time, clock' : 'corrected time';
}
