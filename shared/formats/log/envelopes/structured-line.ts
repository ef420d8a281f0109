import { defineEnvelope, type LogLine } from '../log-line.ts';
import { readIsoStamp } from '../stamp.ts';
import { plainText } from '../terminal-text.ts';
import { parseObject } from './docker-json.ts';

const LOGFMT_STAMP = /^(?:time|ts)="?/;
const MESSAGE_KEYS = ['message', 'msg', 'event', 'log'] as const;
const STAMP_KEYS = ['timestamp', 'time', 'ts', '@timestamp', 'asctime'] as const;
const RANK_KEYS = ['rank', 'global_rank', 'RANK'] as const;
const LEVEL_KEYS = ['level', 'levelname', 'severity'] as const;
/** A message of such a level says so in front, as in a plain log. */
const GRAVE = /^(?:error|critical|fatal)$/i;
/** Longer objects are data, not log lines. */
const MAX_LENGTH = 16_384;

/**
 * Log lines with keys: JSON, whose message is what goes on, and logfmt, which stays whole.
 *
 *   {"level":"info","timestamp":"2026-03-14T10:17:38Z","rank":3,"message":"step 4"}
 *   time=2026-03-14T10:17:38Z level=ERROR msg="…"
 */
export default defineEnvelope({
  id: 'structured-line',
  first: '{t',
  peel(line) {
    if (line.text.charCodeAt(0) === 123) return takeJson(line);
    const match = line.inner === undefined ? LOGFMT_STAMP.exec(line.text) : null;
    const read = match && readIsoStamp(line.text, match[0].length);
    if (read) line.addStamp(read.raw);
    // Nothing was taken off, so nothing can follow.
    return false;
  },
  samples: [
    {
      text: '{"level":"info","timestamp":"2026-03-14T10:17:38Z","rank":3,"message":"step 4"}',
      expect: { text: 'step 4', rank: 3, rankBasis: 'app-prefix' },
    },
    { text: '{"level":"error","msg":"no"}', expect: { text: 'ERROR no' } },
    { text: '{"loss": 2.1, "step": 4}', expect: undefined },
    { text: '{"message": "cut', expect: undefined },
  ],
});

function takeJson(line: LogLine): boolean {
  if (line.text.length > MAX_LENGTH || !line.text.endsWith('}')) return false;
  if (!MESSAGE_KEYS.some((key) => line.text.includes(`"${key}"`))) return false;
  const record = parseObject(line.text);
  if (record === undefined) return false;
  const message = MESSAGE_KEYS.map((key) => record[key]).find((value) => typeof value === 'string');
  if (typeof message !== 'string') return false;
  const stamp = STAMP_KEYS.map((key) => record[key]).find((value) => typeof value === 'string');
  const read = typeof stamp === 'string' ? readIsoStamp(stamp, 0) : undefined;
  if (read !== undefined) line.addStamp(read.raw);
  const rank = RANK_KEYS.map((key) => record[key]).find((value) => Number.isInteger(value) && Number(value) >= 0);
  if (rank !== undefined) {
    line.setRank(Number(rank), 'app-prefix');
    line.tag += `a${Number(rank)}:`;
  }
  const level = LEVEL_KEYS.map((key) => record[key]).find((value) => typeof value === 'string');
  const grave = typeof level === 'string' && GRAVE.test(level);
  line.text = grave ? `ERROR ${plainText(message)}` : plainText(message);
  return true;
}
