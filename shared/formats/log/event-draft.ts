/** An event before its stamps are final: a line without a year may get one from a line further down. */
import type { EventBody, LogEvent, RankBasis } from '../../model/events.ts';
import type { EntryId } from '../../model/ids.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { isBetterBasis, type LogLine } from './log-line.ts';
import type { Printer } from './signatures/define.ts';
import { type RawStamp, toStamp } from './stamp.ts';
import { clip } from './terminal-text.ts';

/** Longest text of an event, in characters. */
export const MAX_EVENT_TEXT = 600;

/** Who, when and where of a line, kept for events made later from it. */
export interface Origin {
  readonly outer: RawStamp | undefined;
  readonly inner: RawStamp | undefined;
  readonly rank: number | undefined;
  readonly rankBasis: RankBasis | undefined;
  readonly localRank: number | undefined;
  readonly pid: number | undefined;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly host: string | undefined;
  readonly line: number;
  readonly byte: number;
  readonly length: number;
}

export interface Draft {
  readonly body: EventBody;
  readonly origin: Origin;
  readonly printer: Printer | undefined;
  readonly text: string;
  readonly lastLine: number;
}

export interface LinePlace {
  /** From 1; 0 for a record that shares its line with others: then only the bytes name it. */
  readonly line: number;
  readonly byte: number;
  readonly length: number;
}

/** Copies what a line said; `line` itself is reused. */
export const originOf = (line: LogLine, place: LinePlace, fileHost: string | undefined): Origin => ({
  outer: line.outer,
  inner: line.inner,
  rank: line.rank,
  rankBasis: line.rankBasis,
  localRank: line.localRank,
  pid: line.pid,
  pod: line.pod,
  container: line.container,
  host: line.host ?? fileHost,
  ...place,
});

export const sourceOf = (entry: EntryId, { line, byte, length }: LinePlace): SourceRef =>
  line === 0 ? { kind: 'byte', entry, byte, length } : { kind: 'line', entry, line, byte, length };

/** The best of what envelope, message and file name say about the printer. */
export function rankOf(
  draft: Draft,
  fileRank: number | undefined,
): { rank: number | undefined; basis: RankBasis | undefined } {
  const { origin, printer } = draft;
  if (printer?.relayed === true) return { rank: printer.rank, basis: printer.basis };
  let rank = origin.rank;
  let basis = origin.rankBasis;
  if (printer?.rank !== undefined && printer.basis !== undefined && isBetterBasis(printer.basis, basis)) {
    rank = printer.rank;
    basis = printer.basis;
  }
  if (fileRank !== undefined && isBetterBasis('file-name', basis)) {
    rank = fileRank;
    basis = 'file-name';
  }
  return { rank, basis };
}

export function toEvent(draft: Draft, entry: EntryId, fileRank: number | undefined): LogEvent {
  const { origin, printer } = draft;
  const { rank, basis } = rankOf(draft, fileRank);
  const own = printer?.relayed === true ? undefined : origin;
  return {
    body: draft.body,
    stamp: origin.outer && toStamp(origin.outer),
    innerStamp: origin.inner && toStamp(origin.inner),
    rank,
    rankBasis: basis,
    localRank: own?.localRank ?? printer?.localRank,
    pid: own?.pid ?? printer?.pid,
    pod: origin.pod,
    container: origin.container,
    host: own?.host ?? printer?.host,
    text: clip(draft.text, MAX_EVENT_TEXT),
    source: sourceOf(entry, origin),
    // Of a file that is read backwards a record's last line stands above its first.
    lastLine: Math.max(draft.lastLine, origin.line),
  };
}
