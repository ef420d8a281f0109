/**
 * The kernel of a node reports that processors were stuck while ranks of that node were late.
 *
 *   watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [pt_autograd_0:71301]
 *   rcu: INFO: rcu_sched self-detected stall on CPU
 */
import { isWithin, nameRanks, nameRanksAtStart, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf } from './support/events.ts';
import { lateRanks } from './support/late-ranks.ts';
import { consequenceReports, ranksOfNode } from './support/ranks.ts';
import { timeInJob } from './support/span.ts';

export default defineRule({
  id: 'cpu-contention',
  title: 'Processors of a node were stuck while its ranks were late',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
The kernel's lockup and stall detectors speak when a processor ran one task for tens of seconds without coming back: no thread of a rank that was bound to it could run, and so it could not enqueue its next collective. The line is direct evidence about the node, not about the
rank: processors are also held up by other Pods, by the hypervisor and by drivers.

How sure: *supported*, if the ranks that the others wait for are known and all of them are on that node; the same if the stuck task is by name and number a process of a rank. Else the node's ranks are only a lead, because a lockup may have delayed nobody.

When it can be wrong: a lockup can be the consequence of a GPU or storage driver that hung (then an Xid or a blocked task stands beside it), and a kernel log without a zone cannot be placed in the job's time. Throttling of a container by its CPU limit leaves no line in the
kernel's log: this rule does not see it.`,
  remedy:
    'Look at load, steal time and CPU limits of the node (cpu.stat of the Pod: nr_throttled, throttled_usec), at other Pods on it, and at the number of data loader workers and OpenMP threads against the processors the Pod may use.',
  run: ({ events, rankMap, lifeLines, collectives }) => {
    const attempt = dumpAttempt(events, lifeLines);
    const lockups = eventsOf(events, 'kernel-note').filter(
      (placed) => placed.event.body.what === 'soft-lockup' && timeInJob(placed, events) !== 'outside',
    );
    const nodes = [...new Set(lockups.flatMap((placed) => placed.node ?? []))].sort();
    const reports = consequenceReports(events, attempt);
    if (reports.size === 0 && collectives.waits.length === 0) return [];
    const late = lateRanks(events, attempt, rankMap, collectives);
    return nodes.map((node) => {
      const here = lockups.filter((placed) => placed.node === node);
      const onNode = ranksOfNode(rankMap, node);
      const isTheirs = late.length > 0 && isWithin(late, onNode);
      const ranks = isTheirs ? late : onNode;
      const inTime = here.some((placed) => timeInJob(placed, events) === 'during');
      const [first] = here;
      return draft({
        outcome: isTheirs ? (late.length === 1 ? 'named' : 'group') : 'cannot-tell',
        status: isTheirs && inTime ? 'supported' : 'hypothesis',
        stage: 'straggler',
        cause: 'cpu-contention',
        strength: isTheirs && inTime ? 'recorder' : 'context',
        firstRanks: isTheirs ? ranks : [],
        candidates:
          isTheirs || ranks.length === 0
            ? []
            : [{ ranks, why: `processors of node ${node} were stuck; nothing shows that its ranks were late` }],
        symptomRanks: without(reports.keys(), ranks),
        node,
        attempt,
        at: isTheirs ? momentOf(first) : undefined,
        summary: isTheirs
          ? `${nameRanksAtStart(ranks)} did not arrive while processors of node ${node} were stuck, by its kernel.`
          : `Processors of node ${node} were stuck, by its kernel; whether that delayed a rank is not shown.`,
        because: here.slice(0, 4).map((placed) => cite(placed, `Kernel of ${node}: ${quote(placed.event.text, 200)}`)),
        wouldChange: [
          'an Xid, a blocked task or a storage error of that node at the same time, which would be the cause of both',
        ],
        nextChecks: [
          `Load, steal time and other Pods on ${node} at that time`,
          'cpu.stat of the Pod (nr_throttled, throttled_usec) and its CPU limit',
          isTheirs
            ? `Stack of ${nameRanks(ranks)} while it hangs (py-spy dump --native --pid PID)`
            : 'Which rank the others wait for',
        ],
      });
    });
  },
});
