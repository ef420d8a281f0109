import { defineEnvelope } from '../log-line.ts';

const PREFIX = /^\[rank(\d{1,7})\]:( ?)/;

/**
 * torch.distributed's own mark since 2.2, global rank: `[rank21]:[E314 …` before C++ headers, `[rank21]: ` before each
 * line of a traceback.
 */
export default defineEnvelope({
  id: 'rank-prefix',
  first: '[',
  peel(line) {
    if (!line.text.startsWith('[rank')) return false;
    const match = PREFIX.exec(line.text);
    if (match === null) return false;
    line.setRank(Number(match[1]), 'rank-prefix');
    line.tag += `r${match[1]}:`;
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '[rank21]:   File "a.py"', expect: { rank: 21, rankBasis: 'rank-prefix', text: '  File "a.py"' } },
    { text: '[rank21]:[E314 x', expect: { rank: 21, text: '[E314 x' } },
    { text: '[rank21] INFO x', expect: undefined },
  ],
});
