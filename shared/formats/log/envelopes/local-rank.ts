import { defineEnvelope } from '../log-line.ts';

const PREFIX = /^\[([a-zA-Z_]{1,40})(\d{1,4})\]:/;
/** After any other mark that ends in a colon comes one space; torchrun glues its prefix to the text. */
const ONE_SPACE = /^ \S/;

/**
 * torchrun's `--tee` and console tail: `[default5]:text`, role and LOCAL rank, glued to the text. Never a global rank:
 * the same number repeats on every node.
 */
export default defineEnvelope({
  id: 'local-rank',
  first: '[',
  peel(line) {
    const match = PREFIX.exec(line.text);
    if (match === null) return false;
    const role = match[1]?.toLowerCase();
    const rest = line.text.slice(match[0].length, match[0].length + 2);
    if (role === 'rank' || (role !== 'default' && ONE_SPACE.test(rest))) return false;
    line.localRank ??= Number(match[2]);
    line.tag += `l${match[2]}:`;
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '[default5]:hello', expect: { localRank: 5, rank: undefined, text: 'hello' } },
    { text: '[trainer0]:  File "x.py", line 3, in f', expect: { localRank: 0 } },
    { text: '[rank5]:[E1129', expect: undefined },
    { text: '[stage2]: hello', expect: undefined },
  ],
});
