import { DIGITS, defineEnvelope, type LogLine } from '../log-line.ts';
import { type RawStamp, readIsoStamp } from '../stamp.ts';

const MINUTE_RESOLUTION_NS = 60e9;

/**
 * The program's own stamp at the start of a line, bare or in brackets, with or without zone and fraction.
 *
 *   2026-11-29 18:54:47,842 | 1 | train.py:176 | text          Python logging
 *   [2026-03-14 11:08:22,700] INFO trainer: text                with a formatter; torch logger 2.0 to 2.2
 *   2026-03-14 11:17:40.219 | INFO | main:run:12 - text         loguru
 *    [2026-04-21 14:16:35] iteration 32/50 | …                  Megatron, with a space in front
 *   2025-02-18 12:54 text                                       some collectors: minutes only
 *
 * Local time unless a zone is written.
 */
export default defineEnvelope({
  id: 'app-stamp',
  first: ` [${DIGITS}`,
  peel(line) {
    const { text } = line;
    let at = text.charCodeAt(0) === 32 ? 1 : 0;
    const bracket = text.charCodeAt(at) === 91;
    if (bracket) at += 1;
    const code = text.charCodeAt(at);
    if (code !== 49 && code !== 50) return false;
    const read = readIsoStamp(text, at);
    if (read !== undefined) return take(line, read.raw, read.end, bracket);
    const minute = bracket ? undefined : readMinute(text, at);
    return minute !== undefined && take(line, minute, at + 16, false);
  },
  samples: [
    { text: '2026-11-29 18:54:47,842 | 1 | train.py:176 | go', expect: { text: '| 1 | train.py:176 | go' } },
    { text: '[2026-03-14 11:08:22,700] INFO trainer: go', expect: { text: 'INFO trainer: go' } },
    { text: ' [2026-04-21 14:16:35] iteration 32/50', expect: { text: 'iteration 32/50' } },
    { text: ' 2025-02-18 12:54 [rank13]:[E218', expect: { text: '[rank13]:[E218' } },
    { text: '2026-02-30 11:08:22 x', expect: undefined },
    { text: '20260314 x', expect: undefined },
  ],
});

function take(line: LogLine, stamp: RawStamp, end: number, bracket: boolean): boolean {
  const { text } = line;
  let next = end;
  if (bracket) {
    if (text.charCodeAt(next) !== 93) return false;
    next += 1;
  }
  const after = text.charCodeAt(next);
  if (after === 32) next += 1;
  else if (!Number.isNaN(after) && after !== 58 && after !== 91 && after !== 93) return false;
  else if (after === 58) next += text.charCodeAt(next + 1) === 32 ? 2 : 1;
  line.addStamp(stamp);
  line.drop(next);
  return true;
}

/** `YYYY-MM-DD hh:mm ` without seconds. */
function readMinute(text: string, at: number): RawStamp | undefined {
  if (text.charCodeAt(at + 16) !== 32 || text.charCodeAt(at + 13) !== 58) return undefined;
  const read = readIsoStamp(`${text.slice(at, at + 16)}:00`, 0);
  return read && { ...read.raw, resolutionNs: MINUTE_RESOLUTION_NS };
}
