import { DIGITS, defineEnvelope } from '../log-line.ts';
import { readTimeAt, yearlessStamp } from '../stamp.ts';

const LEVEL_FIRST =
  /^(?:\([A-Za-z_][\w =.-]{0,60}\) )?(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) (\d\d)-(\d\d) (?=\d\d:\d\d:\d\d)/;
const NAMED = /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (?=\d\d:\d\d:\d\d)/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DATE_FIRST = /^(\d\d)[/-](\d\d) (?=\d\d:\d\d:\d\d)/;

/**
 * Stamps with month and day but no year: `INFO 08-25 07:22:14 [loggers.py:123] text` (vLLM), `03/14 11:17:40 text`,
 * `Mar 14 11:17:40 text`.
 * Local time.
 */
export default defineEnvelope({
  id: 'short-date',
  first: `JFMASOND(IWEC${DIGITS}`,
  peel(line) {
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
    { text: 'Nov  9 11:17:40 step 3', expect: { text: 'step 3' } },
    { text: 'INFO 13-25 07:22:14 x', expect: undefined },
    { text: 'INFO train: step 4', expect: undefined },
  ],
});

const monthOf = (text: string): number => (/^\d/.test(text) ? Number(text) : MONTHS.indexOf(text) + 1);
