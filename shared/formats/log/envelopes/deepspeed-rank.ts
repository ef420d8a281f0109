import { defineEnvelope } from '../log-line.ts';

const PREFIX =
  /^(\[(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\] \[[\w.-]{1,80}\.py:\d{1,6}(?::\w{1,80})?\] )\[Rank (\d{1,7})\] /;

/** DeepSpeed's `log_dist`: `[INFO] [logging.py:96:log_dist] [Rank 0] step=10`, its stamp taken off. The rank is global. */
export default defineEnvelope({
  id: 'deepspeed-rank',
  first: '[',
  peel(line) {
    if (!line.text.startsWith('] [', line.text.indexOf(']'))) return false;
    const match = PREFIX.exec(line.text);
    if (match === null) return false;
    const [all, place = '', rank] = match;
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
    { text: '[INFO] [Rank 0] step=10', expect: undefined },
  ],
});
