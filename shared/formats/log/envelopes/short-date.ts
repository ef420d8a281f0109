import { DIGITS, defineEnvelope, type LogLine } from '../log-line.ts';
import { readTimeAt, secondsOf, yearlessStamp } from '../stamp.ts';

const LEVEL_FIRST =
  /^(?:\([A-Za-z_][\w =.-]{0,60}\) )?(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) (\d\d)-(\d\d) (?=\d\d:\d\d:\d\d)/;
const NAMED = /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (?=\d\d:\d\d:\d\d)/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DATE_FIRST = /^(\d\d)[/-](\d\d) (?=\d\d:\d\d:\d\d)/;

/** `03/14/2026 11:27:36 - INFO - __main__ - text`: the format of the examples of transformers and accelerate, month first. */
const US_DATE = /^(\d\d)\/(\d\d)\/((?:19|20|21)\d\d) (?=\d\d:\d\d:\d\d)/;
const LEVEL_BEHIND = /^(?: - | )(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b/;

/**
 * Stamps with month and day but no year: `INFO 08-25 07:22:14 [loggers.py:123] text` (vLLM), `03/14 11:17:40 text`,
 * `Mar 14 11:17:40 text`.
 * Local time.
 */
export default defineEnvelope({
  id: 'short-date',
  first: `JFMASOND(IWEC${DIGITS}`,
  peel(line) {
    if (line.text.charCodeAt(5) === 47 && peelUsDate(line)) return true;
    const match = LEVEL_FIRST.exec(line.text) ?? DATE_FIRST.exec(line.text) ?? NAMED.exec(line.text);
    if (match === null) return false;
    const time = readTimeAt(line.text, match[0].length);
    const stamp = time && yearlessStamp(monthOf(match[1] ?? ''), Number(match[2]), time, time.digits);
    if (time === undefined || stamp === undefined) return false;
    line.addStamp(stamp);
    line.drop(time.end + (line.text.charCodeAt(time.end) === 32 ? 1 : 0));
    return true;
  },
  samples: [
    { text: 'INFO 08-25 07:22:14 [loggers.py:123] Engine 000', expect: { text: '[loggers.py:123] Engine 000' } },
    { text: '03/14 11:17:40 step 3', expect: { text: 'step 3' } },
    { text: '03/14/2026 11:27:36 - INFO - __main__ - go', expect: { text: '- INFO - __main__ - go' } },
    { text: '14/03/2026 11:27:36 - INFO - __main__ - go', expect: undefined },
    { text: '03/14/2026 11:27:36 met at the door', expect: undefined },
    { text: 'Nov  9 11:17:40 step 3', expect: { text: 'step 3' } },
    { text: 'INFO 13-25 07:22:14 x', expect: undefined },
    { text: 'INFO train: step 4', expect: undefined },
  ],
});

const monthOf = (text: string): number => (/^\d/.test(text) ? Number(text) : MONTHS.indexOf(text) + 1);

/** Only with a level behind it: elsewhere the day may stand first. */
function peelUsDate(line: LogLine): boolean {
  const match = US_DATE.exec(line.text);
  const time = match === null ? undefined : readTimeAt(line.text, match[0].length);
  if (match === null || time === undefined || !LEVEL_BEHIND.test(line.text.slice(time.end, time.end + 20)))
    return false;
  const seconds = secondsOf([Number(match[3]), Number(match[1]), Number(match[2])], time.clock);
  if (seconds === undefined) return false;
  line.addStamp({
    seconds,
    nanos: time.nanos,
    kind: 'local',
    resolutionNs: 10 ** (9 - time.digits),
    zoneAssumed: true,
    yearless: false,
  });
  line.drop(time.end + 1);
  return true;
}
