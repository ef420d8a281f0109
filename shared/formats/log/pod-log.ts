import { defineLineFormat } from '../../model/format.ts';
import { claimLog } from './claim.ts';
import { openLog } from './reader.ts';

/**
 * Everything textual that comes out of a container or a launcher: kubectl logs with or without stamps and prefixes, CRI
 * and Docker records, torchrun's per-process files, tails, Slurm and MPI output, one file with everything in it.
 *
 *   [pod/w-0/trainer] 2026-11-29T18:33:15.457369378Z [rank2]: RuntimeError: …
 *
 * Envelopes are peeled in layers (`envelopes/`), shapes of lines found by literals and then matched (`signatures/`),
 * records of several lines joined per printer. Clock: the node's, as the outermost stamp tells it; the program's own
 * stamp is kept beside it. Stamps inside long lines are taken out (`spliced-stamps.ts`). Not covered: exports of
 * log services (`log-export`).
 * Cost: O(bytes); most lines cost one pass for their envelopes and one for the literals.
 */
export default defineLineFormat({
  id: 'pod-log',
  title: 'Pod log',
  claim: claimLog,
  open: openLog,
});
