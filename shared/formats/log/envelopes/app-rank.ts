import { defineEnvelope } from '../log-line.ts';

const PREFIX = /^\[(?:rank|Rank|RANK)(?:: ?|=| |_|-)?(\d{1,7})\](?::? |$)/;
/** `[Rank 3] Watchdog caught …`: c10d's mark, a rank in SOME group. Signatures read it; it is no program's prefix. */
const C10D =
  /^\[Rank \d{1,7}\]:? (?:Watchdog|Collective|Work |Some NCCL|To avoid|NCCL|Timeout at|Found |Process group|Received|Observed|Exception |Heartbeat|First PG|failure|Rank|Could not|Timeout thread|Caught|Cannot|Global)/;

/** True if what begins here is c10d's own line, whose mark is a rank in some group. */
export const isC10dMark = (text: string): boolean => C10D.test(text);

/** The program's own mark: `[rank1] INFO step 4`, `[RANK 1] …`, `[rank: 1] …`. */
export default defineEnvelope({
  id: 'app-rank',
  first: '[',
  peel(line) {
    const second = line.text.charCodeAt(1);
    if (second !== 114 && second !== 82) return false;
    const match = PREFIX.exec(line.text);
    if (match === null || line.header !== undefined || C10D.test(line.text)) return false;
    if (/^\[rank\d+\]:/.test(match[0])) return false;
    line.setRank(Number(match[1]), 'app-prefix');
    line.tag += `a${match[1]}:`;
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '[rank1] INFO step 4', expect: { rank: 1, rankBasis: 'app-prefix', text: 'INFO step 4' } },
    { text: '[rank: 3] Seed set to 42', expect: { rank: 3, rankBasis: 'app-prefix' } },
    { text: '[Rank 3] starting', expect: { rank: 3, rankBasis: 'app-prefix' } },
    { text: '[Rank 3] Watchdog caught collective operation timeout', expect: undefined },
    { text: '[Rank 0]: Rank 5 failed to pass monitoredBarrier in 15000 ms', expect: undefined },
    { text: '[rank1]: Traceback', expect: undefined },
  ],
});
