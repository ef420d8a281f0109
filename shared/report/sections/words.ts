import { boundText } from '../../text/clock-text.ts';
import type { ReportEvidence } from '../schema.ts';
import type { ListItem } from './types.ts';

/** `2026-02-18T10:28:25.497123Z` → `2026-02-18 10:28:25.497 UTC`. Other text stays as it is. */
export function shownTime(iso: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(iso);
  return match === null ? iso : `${match[1]} ${match[2]}.${(match[3] ?? '').slice(0, 3).padEnd(3, '0')} UTC`;
}

/** A time never stands alone: its clock basis and bound go with it. */
function timeWords(time: string, boundMs: number | null, basis: 'raw' | 'corrected' | null): string {
  if (basis === 'raw' || boundMs === null) return `${shownTime(time)}, raw stamp of its clock`;
  return `${shownTime(time)}, ${boundText(boundMs)}`;
}

export function placeWords(item: Pick<ReportEvidence, 'file' | 'line' | 'record' | 'byte'>): string {
  if (item.line !== null) return `${item.file}:${item.line}`;
  if (item.record !== null) return `${item.file} record ${item.record}`;
  if (item.byte !== null) return `${item.file} byte ${item.byte}`;
  return item.file;
}

export const evidenceItem = (item: ReportEvidence): ListItem => ({
  text: item.text,
  time: item.time === null ? null : timeWords(item.time, item.boundMs, item.timeBasis),
  place: placeWords(item),
});

export const plainItem = (text: string): ListItem => ({ text, time: null, place: null });

const LONG_WORD = 16;
const MAX_PIECE = 24;

/** Text of a narrow column in pieces; a line may be broken between two of them: long words after a mark inside, else anywhere. They join to `text`. */
export function breakPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let whole = '';
  for (const token of text.split(/(?<=\s)(?=\S)/)) {
    if (token.length <= LONG_WORD) {
      whole += token;
      continue;
    }
    for (const part of token.split(/(?<=[_/=,:;.])(?=\w)|(?<=-)(?=[A-Za-z])/)) {
      for (let at = 0; at < part.length; at += MAX_PIECE) {
        pieces.push(whole + part.slice(at, at + MAX_PIECE));
        whole = '';
      }
    }
  }
  return whole === '' && pieces.length > 0 ? pieces : [...pieces, whole];
}
