import { defineEnvelope } from '../log-line.ts';

const PREFIX = /^\[rank(\d{1,7})\]:( ?)/;
/** torch's own mark behind torchrun's. */
const TWICE = /^\[rank(\d{1,7})\]:\[rank(\d{1,7})\]:/;
/** torch puts a space between its mark and a traceback; torchrun glues its prefix to whatever the process prints. */
const GLUED = /^\[rank\d{1,7}\]:Traceback \(most/;

/**
 * torch.distributed's own mark since 2.2, global rank: `[rank21]:[E314 …` before C++ headers, `[rank21]: ` before each
 * line of a traceback.
 *
 * A job whose workers have the role `rank` (`torchrun --role rank --tee 3`) gets the same mark from torchrun, with the LOCAL rank,
 * on every line: `[rank0]:[rank8]: Traceback …`. From the first line on that shows it, a mark that stands alone is torchrun's.
 */
export default defineEnvelope({
  id: 'rank-prefix',
  first: '[',
  peel(line, memory) {
    if (!line.text.startsWith('[rank')) return false;
    const match = PREFIX.exec(line.text);
    if (match === null) return false;
    const twice = TWICE.exec(line.text);
    if ((twice !== null && twice[1] !== twice[2]) || GLUED.test(line.text)) memory.rankIsRole = true;
    // The inner mark is peeled next and has the global rank.
    const own = line.localRank === undefined && (twice !== null || memory.rankIsRole);
    if (own) {
      line.localRank = Number(match[1]);
      line.tag += `l${match[1]}:`;
      line.drop(match[0].length - (match[2] ?? '').length);
      return true;
    }
    line.setRank(Number(match[1]), 'rank-prefix');
    line.tag += `r${match[1]}:`;
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '[rank21]:   File "a.py"', expect: { rank: 21, rankBasis: 'rank-prefix', text: '  File "a.py"' } },
    { text: '[rank21]:[E314 x', expect: { rank: 21, text: '[E314 x' } },
    { text: '[rank5]:[rank21]: x', expect: { localRank: 5, rank: undefined, text: '[rank21]: x' } },
    { text: '[rank5]:Traceback (most recent call last):', expect: { localRank: 5, rank: undefined } },
    { text: '[rank21] INFO x', expect: undefined },
  ],
});
