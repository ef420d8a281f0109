/**
 * Processors were not to be had while ranks were late: by the kernel of their node, or by the counters of their container.
 *
 *   watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [pt_autograd_0:71301]
 *   rcu: INFO: rcu_sched self-detected stall on CPU
 *   cpu.stat: nr_throttled 8123 of nr_periods 9000
 */
import { isWithin, nameRanks, nameRanksAtStart, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf } from './support/events.ts';
import { citeReading, type Reading, readingsOf } from './support/host-readings.ts';
import { lateOnNode } from './support/late-on-node.ts';
import { lateRanks } from './support/late-ranks.ts';
import { nodeOfPod } from './support/pods.ts';
import { consequenceReports, ranksOfNode, ranksOfPod } from './support/ranks.ts';
import { timeInJob } from './support/span.ts';

export default defineRule({
  id: 'cpu-contention',
  title: 'Processors were stuck or held back while ranks were late',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
Two things show that processors were not to be had.

- The kernel's lockup and stall detectors speak when a processor ran one task for tens of seconds without coming back: no thread of a rank that was bound to it could run, and so it could not enqueue its next collective. The line is direct evidence about the node, not about the
rank: processors are also held up by other Pods, by the hypervisor and by drivers.
- \`nr_throttled\` against \`nr_periods\` in a container's cpu.stat is the share of time slices (100 ms by default) in which its CPU limit held it back. It leaves no line in any log. The counter runs since the container started, so it does not tell *when*: a container that is held back in half of its periods was so most of the time,
the job's good hours included.

Both matter only if ranks are late, and it fires only where somebody waited, by a log or a dump.

How sure: a lockup is *supported* if the ranks that the others wait for are known, all of them are on that node, and a line falls into the time of the job by a stamp with a zone. Throttling is *supported* if all late ranks are in that Pod, the counter was read while the job ran or within a minute of it, at least half of the periods were throttled,
and every other Pod whose counter is there was held back in less than a tenth: a limit that slows all alike makes nobody late. Everything else is a lead; a lockup or a limit may have delayed nobody.

When it can be wrong: a lockup can be the consequence of a GPU or storage driver that hung (then an Xid or a blocked task stands beside it), and a rank can be late for another reason in a container that is always held back.`,
  remedy:
    'Look at load, steal time and other Pods of the node at that time (top, sar -u, sar -q); in the Pod at cpu.stat twice, a minute apart (kubectl exec POD -- cat /sys/fs/cgroup/cpu.stat): nr_throttled must grow while it hangs. Compare CPU request and limit with data loader workers plus OMP_NUM_THREADS times processes; raise the limit or take it away.',
  run: ({ events, rankMap, lifeLines, collectives }) => {
    const attempt = dumpAttempt(events, lifeLines);
    const context = { events, rankMap, attempt };
    if (consequenceReports(events, attempt).size === 0 && collectives.waits.length === 0) return [];
    const late = lateRanks(events, attempt, rankMap, collectives);
    return [...lockupDrafts(late, context), ...throttleDrafts(late, context)];
  },
});

interface Context {
  readonly events: readonly PlacedEvent[];
  readonly rankMap: RankMapFact;
  readonly attempt: number;
}

function lockupDrafts(late: readonly number[], { events, rankMap, attempt }: Context): Draft[] {
  const lockups = eventsOf(events, 'kernel-note').filter(
    (placed) => placed.event.body.what === 'soft-lockup' && timeInJob(placed, events) !== 'outside',
  );
  const nodes = [...new Set(lockups.flatMap((placed) => placed.node ?? []))].sort();
  const reports = consequenceReports(events, attempt);
  return nodes.map((node) => {
    const here = lockups.filter((placed) => placed.node === node);
    const onNode = ranksOfNode(rankMap, node);
    const inTime = here.some((placed) => timeInJob(placed, events) === 'during');
    const why = `processors of node ${node} were stuck; nothing shows that its ranks were late`;
    const { isTheirs, ranks, draft: place } = lateOnNode({ late, onNode, inTime, why });
    const [first] = here;
    return draft({
      ...place,
      stage: 'straggler',
      cause: 'cpu-contention',
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
}

/** Percent of the periods from which a container counts as held back, and up to which it does not. Chosen, not measured. */
const HELD_BACK = 50;
const FREE = 10;

function throttleDrafts(late: readonly number[], context: Context): Draft[] {
  const { events, rankMap } = context;
  const readings = readingsOf(events, 'throttled').filter(({ pod }) => pod !== undefined);
  const most = new Map<string, Reading>();
  for (const reading of readings) {
    const { pod = '' } = reading;
    const known = most.get(pod);
    if (known === undefined || reading.event.body.value > known.event.body.value) most.set(pod, reading);
  }
  return rankMap.pods.flatMap(({ pod }) => {
    const reading = most.get(pod);
    if (reading === undefined || reading.event.body.value < HELD_BACK) return [];
    const others = [...most.values()].filter(
      (other) => other !== reading && rankMap.pods.some((place) => place.pod === other.pod),
    );
    const alone = others.length > 0 && others.every(({ event }) => event.body.value < FREE);
    const ranks = ranksOfPod(rankMap, pod);
    const isTheirs = late.length > 0 && isWithin(late, ranks);
    return [
      throttleDraft(
        reading,
        others,
        isTheirs ? late : [],
        isTheirs && alone && timeInJob(reading, events) === 'during',
        ranks,
        context,
      ),
    ];
  });
}

function throttleDraft(
  reading: Reading,
  others: readonly Reading[],
  late: readonly number[],
  isCause: boolean,
  onPod: readonly number[],
  { events, rankMap, attempt }: Context,
): Draft {
  const { pod } = reading;
  const share = Math.round(reading.event.body.value);
  return draft({
    outcome: isCause ? (late.length === 1 ? 'named' : 'group') : 'cannot-tell',
    status: isCause ? 'supported' : 'hypothesis',
    stage: 'straggler',
    cause: 'cpu-contention',
    strength: isCause ? 'recorder' : 'context',
    firstRanks: isCause ? late : [],
    candidates:
      isCause || onPod.length === 0
        ? []
        : [
            {
              ranks: late.length > 0 ? late : onPod,
              why: `the CPU limit held Pod ${pod} back in ${share} % of its periods; nothing shows that it did so when the others began to wait`,
            },
          ],
    symptomRanks: isCause ? without(consequenceReports(events, attempt).keys(), late) : [],
    pod,
    node: reading.node ?? nodeOfPod(rankMap, pod),
    attempt,
    summary: isCause
      ? `${nameRanksAtStart(late)} did not arrive, and the CPU limit of Pod ${pod} held it back in ${share} % of its periods, which it did to none of the other Pods that were asked.`
      : `The CPU limit of Pod ${pod} held it back in ${share} % of its periods since it started; whether that made a rank late is not shown.`,
    because: [
      citeReading(reading, events),
      ...(isCause ? others.slice(0, 2).map((other) => citeReading(other, events)) : []),
    ],
    against: isCause
      ? []
      : others
          .filter(({ event }) => event.body.value >= FREE)
          .slice(0, 2)
          .map((other) => citeReading(other, events)),
    wouldChange: [`a second reading of cpu.stat of Pod ${pod} while it hangs: whether nr_throttled still grows`],
    nextChecks: [
      `cpu.stat of Pod ${pod} twice, a minute apart, and its CPU limit`,
      `Data loader workers and OMP_NUM_THREADS of Pod ${pod} against the processors it may use`,
      late.length > 0
        ? `Stack of ${nameRanks(late)} while it hangs (py-spy dump --native --pid PID)`
        : 'Which rank the others wait for',
    ],
  });
}
