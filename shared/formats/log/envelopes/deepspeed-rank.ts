import { defineEnvelope } from '../log-line.ts';
import { isC10dMark } from './app-rank.ts';

const LEVEL = '(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)';
const PLACE = '\\[[\\w.-]{1,80}\\.py:\\d{1,6}(?::\\w{1,80})?\\] ';
const PREFIX = new RegExp(
  `^((?:- )?(?:\\[${LEVEL}\\]|${LEVEL}:?)(?: - | {1,6})(?:${PLACE})?)\\[[Rr]ank (\\d{1,7})\\]:? `,
);

/**
 * A program's mark behind the level of its line: DeepSpeed's `[INFO] [logging.py:96:log_dist] [Rank 0] step=10`, its stamp taken off, and loggers that are
 * set up by hand, `[INFO] [rank 2] step 4`. The rank is global. Only with a space: the quick way never sees such a line, for it holds the literal `ank `.
 */
export default defineEnvelope({
  id: 'deepspeed-rank',
  first: '[DIWEC-',
  peel(line) {
    if (!line.text.slice(0, 200).includes('ank ')) return false;
    const match = PREFIX.exec(line.text);
    if (match === null || line.header !== undefined) return false;
    const [all, place = '', rank] = match;
    if (isC10dMark(line.text.slice(place.length))) return false;
    line.setRank(Number(rank), 'app-prefix');
    line.tag += `a${rank}:`;
    line.text = place + line.text.slice(all.length);
    return true;
  },
  samples: [
    {
      text: '[INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0',
      expect: { rank: 0, rankBasis: 'app-prefix', text: '[INFO] [logging.py:96:log_dist] step=10, skipped=0' },
    },
    { text: '[INFO] [rank 2] step 4', expect: { rank: 2, rankBasis: 'app-prefix', text: '[INFO] step 4' } },
    { text: 'INFO [Rank 12]: step 4', expect: { rank: 12, rankBasis: 'app-prefix', text: 'INFO step 4' } },
    { text: '- INFO - [Rank 1] step 4', expect: { rank: 1, rankBasis: 'app-prefix', text: '- INFO - step 4' } },
    { text: 'ERROR [Rank 0] Watchdog caught collective operation timeout', expect: undefined },
    { text: 'INFO rank 2 of 4', expect: undefined },
    { text: 'DONE [rank 2] step 4', expect: undefined },
  ],
});
