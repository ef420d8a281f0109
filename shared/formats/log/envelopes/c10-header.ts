import { defineEnvelope } from '../log-line.ts';
import { readTimeAt, yearlessStamp } from '../stamp.ts';

const TIMED = /^\[([VIWEF])(\d{1,2})(\d\d) (?=\d\d:\d\d:\d\d\.)/;
const REST = /^ (?:(\d{1,20}) )?([^\s\]]{1,200}:\d{1,6})\] ?/;
const UNTIMED = /^\[([VIWEF]) ([\w./+-]{1,200}\.(?:cpp|cc|h|hpp|cu|cuh|mm):\d{1,6})\] ?/;

/**
 * Headers of C++ log lines of PyTorch.
 *
 *   [E ProcessGroupNCCL.cpp:474] text                              up to 2.1: no time at all
 *   [E321 17:15:19.314159265 ProcessGroupNCCL.cpp:616] text        2.2+: month not padded, nine digits
 *   [E1129 17:15:19.759853 4045 ProcessGroupNCCL.cpp:616] text     with real glog: six digits and a thread id
 *
 * Local time without zone and year. The nine digits belong to the MONOTONIC clock of the host, not to the seconds
 * before them: they are dropped, and the stamp is good to one second. The six digits of glog are real microseconds.
 */
export default defineEnvelope({
  id: 'c10-header',
  first: '[',
  peel(line) {
    const { text } = line;
    const match = TIMED.exec(text);
    if (match === null) {
      const bare = UNTIMED.exec(text);
      if (bare === null) return false;
      line.header = bare[2];
      line.drop(bare[0].length);
      return true;
    }
    const time = readTimeAt(text, match[0].length);
    if (time === undefined || (time.digits !== 9 && time.digits !== 6)) return false;
    const rest = REST.exec(text.slice(time.end, time.end + 240));
    const stamp = yearlessStamp(Number(match[2]), Number(match[3]), time, time.digits === 6 ? 6 : 0);
    if (rest === null || stamp === undefined) return false;
    line.addStamp(stamp);
    line.header = rest[2];
    line.drop(time.end + rest[0].length);
    return true;
  },
  samples: [
    {
      text: '[E321 17:15:19.314159265 ProcessGroupNCCL.cpp:616] [Rank 1] x',
      expect: { header: 'ProcessGroupNCCL.cpp:616', text: '[Rank 1] x' },
    },
    { text: '[E1129 17:15:19.759853 4045 ProcessGroupNCCL.cpp:616] x', expect: { header: 'ProcessGroupNCCL.cpp:616' } },
    { text: '[W socket.cpp:558] [c10d] x', expect: { header: 'socket.cpp:558', text: '[c10d] x' } },
    { text: '[E1399 17:15:19.759853 4045 ProcessGroupNCCL.cpp:616] x', expect: undefined },
    { text: '[Epoch 3] x', expect: undefined },
  ],
});
