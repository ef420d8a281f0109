import { defineEnvelope } from '../log-line.ts';
import { readTimeAt, yearlessStamp } from '../stamp.ts';

const START = /^[VIWEFC](\d\d)(\d\d) (?=\d\d:\d\d:\d\d\.)/;
const REST = /^ {1,8}(\d{1,20}) ([^\s\]]{1,300}:\d{1,6})\] ?/;
/** Largest process id of Linux; torch 2.3 printed a thread's handle in its place. */
const MAX_PID = 4_194_304;

/**
 * Python's torch logger since 2.3, absl and glog: `E0813 06:19:49.809000 161210 path/api.py:869] text`. Local time
 * without zone and year; torch writes milliseconds with three zeros.
 */
export default defineEnvelope({
  id: 'glog-header',
  first: 'VIWEFC',
  peel(line) {
    const { text } = line;
    const match = START.exec(text);
    if (match === null) return false;
    const time = readTimeAt(text, match[0].length);
    if (time === undefined || time.digits < 3) return false;
    const rest = REST.exec(text.slice(time.end, time.end + 340));
    const stamp = yearlessStamp(
      Number(match[1]),
      Number(match[2]),
      time,
      time.nanos % 1_000_000 === 0 ? 3 : time.digits,
    );
    if (rest === null || stamp === undefined) return false;
    line.addStamp(stamp);
    line.header = rest[2];
    const pid = Number(rest[1]);
    if (pid <= MAX_PID && rest[2]?.includes('.py:') === true) line.pid ??= pid;
    line.drop(time.end + rest[0].length);
    return true;
  },
  samples: [
    {
      text: 'E0813 06:19:49.809000 161210 site-packages/torch/x/api.py:869] failed',
      expect: { pid: 161_210, header: 'site-packages/torch/x/api.py:869', text: 'failed' },
    },
    { text: 'I0314 11:17:40.219304 140 main.cc:12] hello', expect: { pid: undefined, text: 'hello' } },
    { text: 'W0314 10:58:24.610000 140244872000 torch/x.py:7] hello', expect: { pid: undefined, text: 'hello' } },
    { text: 'Epoch 3', expect: undefined },
  ],
});
