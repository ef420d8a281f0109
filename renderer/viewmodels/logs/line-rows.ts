/** Rows of the log list as they are drawn: times with their bound, order against the row before, text in pieces. */
import type { LineRow, LogCase, LogFileInfo, LogRow } from '#shared/rpc/areas/logs.ts';
import type { Highlighter, Span } from '#shared/search/highlight.ts';
import type { Level } from '#shared/search/query.ts';
import { formatCount, formatDurationMs, formatRanks, plural } from '#shared/text/format.ts';
import { escapePieces, escapeText } from '../escape-text.ts';
import { formatBound, nsToIso, timeOfDay, timeOfDayShort } from '../times.ts';

export type OrderMark = 'certain' | 'likely' | 'undecided';

export interface Piece {
  readonly text: string;
  readonly escape: boolean;
  readonly hit: boolean;
}

export const LEVEL_LETTER: Readonly<Record<Level, string>> = {
  fatal: 'F',
  error: 'E',
  warn: 'W',
  info: 'I',
  debug: 'D',
};

export const LEVEL_WORD: Readonly<Record<Level, string>> = {
  fatal: 'Fatal',
  error: 'Error',
  warn: 'Warning',
  info: 'Info',
  debug: 'Debug',
};

/** `10:28:25.497`, in the window's zone, as fine as it was written; `–` for a line without a time. */
export function rowTime(originNs: string, timeNs: number | null, resolutionNs = 1): string {
  if (timeNs === null) return '–';
  const iso = isoAt(originNs, timeNs);
  return resolutionNs >= NS_PER_S ? timeOfDayShort(iso) : timeOfDay(iso);
}

const NS_PER_S = 1e9;

export const isoAt = (originNs: string, ns: number): string => nsToIso(BigInt(originNs) + BigInt(Math.round(ns)));

/** Half width of what is not known about a file's clock, ms; null = not known, 0 = it is the reference. */
export function boundOf(file: LogFileInfo | undefined): number | null {
  const offset = file?.offset;
  if (offset === null || offset === undefined || offset.low === null || offset.high === null) return null;
  return Math.max(offset.estimate - offset.low, offset.high - offset.estimate);
}

/** `±38 ms` if all corrected files have the same bound: then it stands in the head; else null and it stands at each time. */
export function commonBound(logCase: LogCase): string | null {
  const words = new Set<string>();
  for (const file of logCase.files) {
    if (file.untimed) continue;
    const bound = boundOf(file);
    words.add(bound === null ? '' : formatBound(bound));
  }
  const [only] = words;
  return words.size === 1 && only !== undefined && only !== '' ? only : null;
}

/** True if no time of the list is corrected: then its head says raw. */
export const isAllRaw = (logCase: LogCase, basis: 'raw' | 'corrected'): boolean =>
  basis === 'raw' || logCase.files.every(({ untimed, offset }) => untimed || offset === null);

/** What the head of the column of times says for all of them. */
export function timeHead(logCase: LogCase, basis: 'raw' | 'corrected'): string {
  if (isAllRaw(logCase, basis)) return 'raw';
  const bound = commonBound(logCase);
  return bound === null ? 'corrected' : `corrected, ${bound}`;
}

/** Nothing says how far off the corrected time may be. */
export const UNKNOWN_BOUND = '±?';
/** On the clock that all others are moved onto: a bound of nothing is no measurement without error. */
export const ON_REFERENCE = 'ref.';

/** What must stand beside a time: its bound, that it is raw among corrected ones, that its zone is an assumption. */
export function timeNote(
  row: LineRow,
  file: LogFileInfo | undefined,
  head: { readonly allRaw: boolean; readonly commonBound: string | null },
): string {
  if (row.timeNs === null) return '';
  if (!row.corrected) return row.zoneAssumed ? 'zone?' : head.allRaw ? '' : 'raw';
  if (head.commonBound !== null) return '';
  const bound = boundOf(file);
  return bound === null ? UNKNOWN_BOUND : bound === 0 ? ON_REFERENCE : formatBound(bound);
}

/** Whether `row` was written after `before`; null where one of them has no time. */
export function orderAfter(before: LineRow, row: LineRow, files: readonly LogFileInfo[]): OrderMark | null {
  if (row.timeNs === null) return null;
  if (before.file === row.file) return 'certain';
  if (before.timeNs === null) return 'undecided';
  const a = files[before.file];
  const b = files[row.file];
  if (a === undefined || b === undefined || a.clock === null || b.clock === null) return 'undecided';
  // A stamp may be as late as it is coarse.
  if (a.clock === b.clock)
    return row.timeNs > before.timeNs && row.timeNs >= before.timeNs + before.resolutionNs ? 'certain' : 'undecided';
  if (!before.corrected || !row.corrected || a.component !== b.component) return 'undecided';
  if (before.rawNs === null || row.rawNs === null || a.offset === null || b.offset === null) return 'undecided';
  // True time lies in [raw − high, raw − low]. After means: the earliest of this one is behind the latest of that one.
  const sure = edge(row.rawNs, b.offset.high) - edge(before.rawNs + before.resolutionNs, a.offset.low);
  if (sure > 0) return 'certain';
  const likely =
    edge(row.rawNs, b.offset.likelyHigh ?? b.offset.high) -
    edge(before.rawNs + before.resolutionNs, a.offset.likelyLow ?? a.offset.low);
  return likely > 0 ? 'likely' : 'undecided';
}

/** NaN where that side is open: nothing follows from it. */
const edge = (rawNs: number, offsetMs: number | null): number =>
  offsetMs === null ? Number.NaN : rawNs - offsetMs * 1e6;

/** Text of a line in pieces: hits lit, hidden characters and undecodable bytes as escapes. At most `max` characters. */
export function linePieces(text: string, highlight: Highlighter, max: number): readonly Piece[] {
  const shown = text.length > max ? text.slice(0, max) : text;
  const pieces: Piece[] = [];
  let at = 0;
  const add = (part: string, hit: boolean): void => {
    for (const piece of escapePieces(part)) pieces.push({ ...piece, text: byteEscape(piece), hit });
  };
  for (const span of highlight(shown) satisfies readonly Span[]) {
    add(shown.slice(at, span.at), false);
    add(shown.slice(span.at, span.at + span.length), true);
    at = span.at + span.length;
  }
  add(shown.slice(at), false);
  return pieces;
}

/** A line as one string for names and titles. The engine gives a byte that is no text as U+DC00 plus the byte. */
export const escapeLine = (text: string): string => escapeText(text).replaceAll(/\\udc([89a-f][0-9a-f])/g, '\\x$1');

const byteEscape = (piece: { readonly text: string; readonly escape: boolean }): string =>
  piece.escape ? piece.text.replace(/^\\udc([89a-f][0-9a-f])$/, '\\x$1') : piece.text;

/** Longer lists of ranks become their number. */
const MOST_RANK_TEXT = 60;

/** `13 similar lines from ranks 1–3, 5–10 in 86 ms`. */
export function foldWords(row: Extract<LogRow, { readonly kind: 'fold' }>): string {
  const lines = `${formatCount(row.count)} similar lines`;
  const named = formatRanks(row.ranks);
  const from =
    row.ranks.length === 0
      ? ` from ${plural(row.files, 'other file')}`
      : named.length > MOST_RANK_TEXT
        ? ` from ${formatCount(row.ranks.length)} other ranks`
        : ` from ${row.ranks.length === 1 ? 'rank' : 'ranks'} ${named}`;
  return `${lines}${from} in ${formatDurationMs(Math.max(1, row.spanNs / 1e6))}`;
}

/** `10 m 0.1 s without a line`; `matching` where only some lines are listed. */
export const gapWords = (row: Extract<LogRow, { readonly kind: 'gap' }>, all: boolean): string =>
  `${formatDurationMs((row.toNs - row.fromNs) / 1e6)} without a ${all ? '' : 'matching '}line`;
