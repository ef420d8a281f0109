/**
 * A CUDA error that the watchdog thread was the first to meet, often with device-side assertions before it.
 *
 *   …/IndexKernel.cu:93: operator(): block: [14322,0,0], thread: [123,0,0] Assertion `… "index out of bounds"` failed.
 *   [rank1]:[E606 …] [PG ID 4 PG GUID 10 Rank 1] Process group watchdog thread terminated with exception: CUDA error: device-side assert triggered
 */
import { nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass, type PlacedOf } from './support/events.ts';
import { commonPlace, consequenceReports } from './support/ranks.ts';

const XID_LINES = 'Read the kernel log of the node for Xid lines';
const HARDWARE_CHECKS = [
  XID_LINES,
  'nvidia-smi -q (ECC, remapped rows, recovery action) and dcgmi diag -r 3, once the node is drained',
];
const MEMORY_CHECKS = ['Allocated memory and batch shape of that rank against its peers at that step', XID_LINES];
const KERNEL_CHECKS = [
  'Repeat with CUDA_LAUNCH_BLOCKING=1',
  'Check index ranges and labels of the last batch of that rank',
  XID_LINES,
];

export default defineRule({
  id: 'cuda-failed-in-watchdog',
  title: 'The GPU work of a rank failed and its watchdog reported it',
  needs: ['events', 'rankMap'],
  explain: `
CUDA reports errors of a kernel at some later call. In a training process that call is often the watchdog's poll of a collective, so the message carries NCCL words although NCCL has no part
in it. Only the quoted error counts: a *CUDA* error is a failure of this process's own GPU work, whereas "Watchdog caught…" or "remote process exited" would be an echo of somebody else. It must carry its rank. Device-side assertion lines carry no rank;
they are shown beside a rank that reports an error. Several ranks of an attempt whose errors are of one class (an error of the program's kernels, of memory, of the hardware) share a cause (the same bad batch, the same kernel) and are named together; another class is another finding.

How sure: *established*; the error is of the process that quotes it. When it can be wrong: about the moment and the place in the program, since CUDA reports late; and where a shared driver or switch of the node failed, the rank is only the first that met it.`,
  remedy:
    'For an error of the program: repeat with CUDA_LAUNCH_BLOCKING=1 (and TORCH_USE_CUDA_DSA=1 in builds that have it) to get the true call; check indices, labels and embedding ids of the last batch of that rank. For ECC, "unspecified launch failure" or "unknown error": Xid lines of the node at that second (dmesg -T | grep -i xid). For memory: what that rank holds that its peers do not.',
  run: ({ events, rankMap }) => {
    const failed = eventsOf(events, 'watchdog-terminated').filter(
      (placed) => isPrimaryClass(placed.event.body.errorClass) && placed.rank !== undefined,
    );
    return attemptsOf(failed).flatMap((attempt) =>
      alike(inAttempt(failed, attempt)).map((here) => {
        const ranks = rankSet(here.flatMap((placed) => placed.rank ?? []));
        const asserts = inAttempt(eventsOf(events, 'device-assert'), attempt);
        const [first] = here;
        const error = quote(first?.event.body.error ?? '');
        const hardware = here.some((placed) => placed.event.body.errorClass === 'gpu-hardware');
        const memory = here.some((placed) => placed.event.body.errorClass === 'cuda-out-of-memory');
        return draft({
          outcome: ranks.length === 1 ? 'named' : 'group',
          status: 'established',
          stage: hardware ? 'host' : 'exited-rank',
          cause: hardware ? 'gpu-hardware' : memory ? 'cuda-out-of-memory' : 'cuda-error',
          strength: 'direct',
          firstRanks: ranks,
          symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
          ...commonPlace(rankMap, ranks, attempt),
          attempt,
          at: momentOf(first),
          summary: `${nameRanksAtStart(ranks)} failed in GPU work (${error}); the collective watchdog only reported it.`,
          because: [
            ...here
              .slice(0, 4)
              .map((placed) =>
                cite(placed, `The watchdog of rank ${placed.rank} ended with ${quote(placed.event.body.error)}`),
              ),
            ...asserts
              .slice(0, 1)
              .map((placed) => cite(placed, `Device-side assertion: ${quote(placed.event.body.expression)}`)),
          ],
          wouldChange: ['an Xid of the same GPU in the kernel log, which would make it a hardware fault'],
          nextChecks: hardware ? HARDWARE_CHECKS : memory ? MEMORY_CHECKS : KERNEL_CHECKS,
        });
      }),
    );
  },
});

/** By the class of the error: what fails alike shares a cause, what fails otherwise is another failure. */
function alike(failed: readonly PlacedOf<'watchdog-terminated'>[]): PlacedOf<'watchdog-terminated'>[][] {
  const groups = new Map<string, PlacedOf<'watchdog-terminated'>[]>();
  for (const placed of failed)
    groups.set(placed.event.body.errorClass, [...(groups.get(placed.event.body.errorClass) ?? []), placed]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
