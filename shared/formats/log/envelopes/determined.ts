import { defineEnvelope } from '../log-line.ts';
import { readIsoStamp } from '../stamp.ts';

const PREFIX = /^\[(\d{4}-\d\d-\d\dT[\d:.]{8,18}Z)\] (?:[0-9a-f]{8}| {8})(?: \[rank=(\d{1,7})\])? \|\| /;

/**
 * Determined's log of a trial: `[2026-03-14T11:08:22.700000Z] fa88a9df [rank=3] || text`. Container, and the global rank of the
 * process whose line it is; without a rank it is the launcher's or the platform's own.
 */
export default defineEnvelope({
  id: 'determined',
  first: '[',
  peel(line) {
    if (line.text.charCodeAt(11) !== 84) return false;
    const match = PREFIX.exec(line.text);
    const read = match === null ? undefined : readIsoStamp(match[1] ?? '', 0);
    if (match === null || read === undefined) return false;
    line.addStamp(read.raw);
    // The platform's stamp, which every line has: no sign of a log record.
    line.stamped = false;
    if (match[2] !== undefined) {
      line.setRank(Number(match[2]), 'app-prefix');
      line.tag += `a${match[2]}:`;
    }
    line.drop(match[0].length);
    return true;
  },
  samples: [
    {
      text: '[2026-03-14T11:08:22.700000Z] fa88a9df [rank=3] || ValueError: no',
      expect: { rank: 3, rankBasis: 'app-prefix', text: 'ValueError: no' },
    },
    {
      text: '[2026-03-14T11:08:22.700000Z] fa88a9df || WARNING: Received 15',
      expect: { rank: undefined, text: 'WARNING: Received 15' },
    },
    {
      text: '[2026-03-14T11:08:22.700000Z]          || INFO: Scheduling Trial 1',
      expect: { text: 'INFO: Scheduling Trial 1' },
    },
    { text: '[2026-03-14T11:08:22Z] fa88a9df | text', expect: undefined },
  ],
});
