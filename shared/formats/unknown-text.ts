import { defineLineFormat, type EntryHead } from '../model/format.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { type RawStamp, readIsoStamp, toMs, toStamp } from './log/stamp.ts';
import { looksLikeText } from './text-head.ts';

/** How far into a line a stamp is looked for, in characters. Chosen: prefixes of log tools are shorter. */
const STAMP_WITHIN = 120;

/** First stamp with date and time near the start of a line; undefined if there is none. */
export function findStamp(text: string): RawStamp | undefined {
  const end = Math.min(text.length, STAMP_WITHIN);
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== 49 && code !== 50) continue;
    const before = at === 0 ? 32 : text.charCodeAt(at - 1);
    if (before >= 48 && before <= 57) continue;
    const read = readIsoStamp(text, at);
    if (read !== undefined) return read.raw;
  }
  return undefined;
}

/**
 * Text that no other format claims. It is stored, searchable and hashed like any log; a date and time in its lines are
 * taken where they stand, nothing else is guessed.
 */
export default defineLineFormat({
  id: 'unknown-text',
  title: 'Unknown text',
  claim: (head: EntryHead) =>
    head.bytes.length > 0 && looksLikeText(head.text) ? { score: 0.02, why: 'text of no known format' } : undefined,
  open({ entry }, emit) {
    let lines = 0;
    let first: { stamp: RawStamp; source: SourceRef } | undefined;
    let last: { stamp: RawStamp; source: SourceRef } | undefined;
    return {
      line(text, line, byte, length) {
        lines += 1;
        const stamp = findStamp(text);
        if (stamp === undefined) return Number.NaN;
        last = { stamp, source: { kind: 'line', entry, line, byte, length } };
        first ??= last;
        return toMs(stamp);
      },
      end() {
        emit({ kind: 'issue', code: 'unknown-text', severity: 'info', source: undefined, detail: `${lines} lines` });
        if (first === undefined) {
          emit({ kind: 'issue', code: 'no-time-stamps', severity: 'info', source: undefined, detail: '' });
        } else if (first.stamp.zoneAssumed) {
          emit({ kind: 'issue', code: 'time-zone-assumed', severity: 'info', source: first.source, detail: 'UTC' });
        }
        const words = first === undefined ? 'no time stamps' : `from ${isoSecond(first.stamp)}`;
        emit({ kind: 'summary', text: `${lines} ${lines === 1 ? 'line' : 'lines'}, ${words}` });
      },
    };
  },
});

const isoSecond = (raw: RawStamp): string =>
  new Date(Number(toStamp(raw).ns / 1_000_000n)).toISOString().slice(0, 19).replace('T', ' ');
