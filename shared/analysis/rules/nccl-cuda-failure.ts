/** A CUDA call inside NCCL failed in this process: `NCCL WARN Cuda failure 2 'out of memory'`. */
import { nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { rankOfProcess } from './support/hosts.ts';
import { precedes } from './support/order.ts';
import { commonPlace, consequenceReports } from './support/ranks.ts';

const MEMORY = /out of memory/i;
/** Printed behind CUDA's own words, whatever these were; alone it is mostly about room. */
const ALLOCATION = /calloc|alloc/i;
/** CUDA statuses that a process gets because another one ended or tore down: not its own failure. */
const ECHO = /peer access|already|shutting down|driver shutting|deinitialized/i;

export default defineRule({
  id: 'nccl-cuda-failure',
  title: 'A CUDA call failed inside NCCL',
  needs: ['events', 'rankMap'],
  explain: `
NCCL prints "Cuda failure" with CUDA's own words when a call fails **in this process**. That makes the printing process the one that failed; "out of memory" at this place usually means that the GPU had no room left for NCCL's buffers at
initialisation. The line carries host and pid; it is joined to a rank by NCCL's init lines or the pid that the rank announced. Without a join only the host is known. Several processes with such a failure are a group.
Failures that come while CUDA shuts down are ignored, those about peer access belong to a rule of their own, and a process that had reported a lost peer or a time-out before may fail at the memory it shared with that peer: it is not counted.

How sure: *established* for one rank, *supported* for several, a *hypothesis* where only the host is known. When it can be wrong: a driver or GPU of the node that fails every process on it; the first to print it is then chance.`,
  remedy:
    'For "out of memory": nvidia-smi on the node while no job runs (left-over processes?), more room before the first collective (smaller batch or cache, expandable_segments), fewer NCCL buffers (NCCL_BUFFSIZE, fewer channels). For other words: Xid lines of the node at that second, and driver against CUDA version (nvidia-smi, torch.version.cuda).',
  run: ({ events, rankMap }) => {
    const failed = eventsOf(events, 'nccl-warning').filter(
      (placed) => placed.event.body.class === 'cuda' && !ECHO.test(placed.event.body.text),
    );
    return attemptsOf(failed).flatMap((attempt) => {
      const reports = consequenceReports(events, attempt);
      // A process that had lost a peer may fail at the memory they shared.
      const here = inAttempt(failed, attempt).filter((placed) => {
        const rank = rankOfProcess(placed, placed.event.body.host, placed.event.body.pid, events, rankMap);
        const report = rank === undefined ? undefined : reports.get(rank);
        return report === undefined || !precedes(report.placed, placed);
      });
      if (here.length === 0) return [];
      const ranks = rankSet(
        here.flatMap(
          (placed) => rankOfProcess(placed, placed.event.body.host, placed.event.body.pid, events, rankMap) ?? [],
        ),
      );
      const host = here[0]?.node ?? here[0]?.event.body.host;
      const said = here.filter((placed) => !ALLOCATION.test(placed.event.body.text));
      const memory = said.length === 0 || here.some((placed) => MEMORY.test(placed.event.body.text));
      const place = commonPlace(rankMap, ranks, attempt);
      return draft({
        outcome: ranks.length === 1 ? 'named' : ranks.length > 1 || host !== undefined ? 'group' : 'cannot-tell',
        status: ranks.length === 1 ? 'established' : ranks.length > 1 ? 'supported' : 'hypothesis',
        stage: 'exited-rank',
        cause: memory ? 'cuda-out-of-memory' : 'cuda-error',
        strength: 'direct',
        firstRanks: ranks,
        symptomRanks: without(reports.keys(), ranks),
        pod: place.pod,
        node: place.node ?? host,
        attempt,
        at: momentOf(here[0]),
        summary: `${ranks.length > 0 ? nameRanksAtStart(ranks) : `A process${host === undefined ? '' : ` on ${host}`}`} failed in a CUDA call inside NCCL: ${quote(here[0]?.event.body.text ?? '', 120)}.`,
        because: here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
        wouldChange: ['an Xid of that GPU', 'an earlier error of that process'],
        nextChecks: ['Free GPU memory before the first collective', 'Xid lines in the kernel log of that node'],
      });
    });
  },
});
