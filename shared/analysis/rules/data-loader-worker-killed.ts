/** A data loader worker was killed by a signal: `DataLoader worker (pid 812) is killed by signal: Killed.` */
import { nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { citeReading, tightShm } from './support/host-readings.ts';
import { commonPlace, consequenceReports } from './support/ranks.ts';
import { stopsOf } from './support/stops.ts';

const BUS_ERROR = /bus error/i;
/** Sent by the parent or the launcher when all ends: an echo. */
const TERMINATED = /terminated|interrupt|hangup/i;

const KERNEL_LOG = 'Kernel log of the node for "Killed process" or a segfault of that pid';
const SHM_SIZE = 'Size of /dev/shm (df -h /dev/shm in the Pod) and number of data loader workers';

export default defineRule({
  id: 'data-loader-worker-killed',
  title: 'A data loader worker was killed',
  needs: ['events', 'rankMap'],
  explain: `
The parent process says which signal ended its worker. "Killed" points at memory, "Bus error" at /dev/shm, "Segmentation fault" at native code; none of them is proven by this line alone. A bus error is what a process gets that touches shared memory for which no page is left, and so the cause is given as shared memory; but a memory-mapped data file that was
shortened, or that a storage error took away, gives the same. A reading of df that shows /dev/shm of that Pod full, or of only 64 MiB, supports it and is shown.

The rank is the parent's; without one nothing is said. It is no cause when it is printed as "Exception ignored", after the launcher had told the process to stop, or when the signal is *Terminated*, *Interrupt* or *Hangup*: workers end with their parent. Several ranks of one attempt are a group: they share the limit that they met.

How sure: *supported*: the parent's word is direct, the reason is not in it. When it can be wrong: a worker that was ended together with its parent by something that left no line before.`,
  remedy:
    'For "Killed": the kernel log of the node (dmesg -T | grep -i "killed process") and the memory limit of the Pod. For "Bus error": kubectl exec POD -- df -h /dev/shm, and mount an emptyDir with medium Memory there. For "Segmentation fault": run with PYTHONFAULTHANDLER=1 and num_workers=0 to see where. Fewer workers or a smaller prefetch_factor lower the need.',
  run: ({ events, rankMap }) => {
    const stops = stopsOf(events, rankMap);
    const killed = eventsOf(events, 'data-loader-killed').filter(
      (placed) =>
        !placed.event.body.handled &&
        !TERMINATED.test(placed.event.body.signal ?? '') &&
        placed.rank !== undefined &&
        !stops.afterStop(placed),
    );
    return attemptsOf(killed).map((attempt) => {
      const here = inAttempt(killed, attempt);
      const ranks = rankSet(here.flatMap((placed) => placed.rank ?? []));
      const shm = here.some((placed) => BUS_ERROR.test(placed.event.body.signal ?? ''));
      return draft({
        outcome: ranks.length === 1 ? 'named' : 'group',
        status: 'supported',
        stage: shm ? 'host' : 'exited-rank',
        cause: shm ? 'shared-memory' : 'data-loader',
        strength: 'direct',
        firstRanks: ranks,
        symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
        ...commonPlace(rankMap, ranks, attempt),
        attempt,
        at: momentOf(here[0]),
        summary: `${nameRanksAtStart(ranks)} lost a data loader worker (${here[0]?.event.body.signal ?? 'signal not printed'}).`,
        because: [
          ...here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
          ...tightShm(events, shm ? here.flatMap((placed) => placed.pod ?? []) : [])
            .slice(0, 2)
            .map((reading) => citeReading(reading, events)),
        ],
        wouldChange: ['an OOM line in the kernel log, which would make it a memory shortage of the host'],
        nextChecks: shm ? [SHM_SIZE, KERNEL_LOG] : [KERNEL_LOG, SHM_SIZE],
      });
    });
  },
});
