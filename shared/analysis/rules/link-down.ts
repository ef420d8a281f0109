/**
 * A network port of a host went down, or its adapter failed, by NCCL's own event or by the kernel.
 *
 *   NCCL WARN NET/IB : mlx5_3:1 Got async event : port error
 *   NCCL WARN NET/IB : Got async event : local catastrophic error
 *   mlx5_core 0000:9d:00.0 eth2: Link down
 */
import { nameRanks, without } from '../../lib/rank-set.ts';
import type { PlacedEvent } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf } from './support/events.ts';
import { rankOfProcess } from './support/hosts.ts';
import { consequenceReports, ranksOfNode } from './support/ranks.ts';
import { timeInJob } from './support/span.ts';

/** Of the port or of the whole adapter. Errors of one queue only tell of one connection. */
const PORT_DOWN = /port error/i;
const ADAPTER_FAILED = /local catastrophic error|async fatal event(?! on )/i;
const OF_A_QUEUE = /work queue|\bon (?:CQ|QP|SRQ)\b/;

export default defineRule({
  id: 'link-down',
  title: 'A network port of a node failed',
  needs: ['events', 'rankMap'],
  explain: `
An event of a port, or of the adapter as a whole, is told by the host that owns it: the adapter itself reports it, so it is direct evidence about **this** node, unlike a lost connection, which only says that something between two nodes failed. Which of the node's ranks use the port is not told: all of them
are a group. A kernel "link down" counts only if ranks of the job reported lost or late peers and its stamp does not lie outside the time of the job, because ports go down at reboots and on unused cables too.

How sure: *supported* for a port event that NCCL tells, a *hypothesis* for the kernel's word alone. When it can be wrong: a port that the job does not use, or one that came back at once.`,
  remedy:
    'Look for the same device in the kernel log: how often, and when it came back (dmesg -T | grep -iE "link (up|down)|mlx5"). Check that NCCL uses it (NET/IB : Using …). Then counters and optics: ibstat, mlxlink -d DEVICE -m -c, ethtool -S; cable, transceiver and switch port.',
  run: ({ events, rankMap }) => {
    const port = eventsOf(events, 'nccl-warning').filter(
      ({ event: { body } }) =>
        body.class === 'ib-event' &&
        (PORT_DOWN.test(body.text) || ADAPTER_FAILED.test(body.text)) &&
        !OF_A_QUEUE.test(body.text),
    );
    const kernel = eventsOf(events, 'link-event').filter(
      (placed) => !placed.event.body.up && timeInJob(placed, events) !== 'outside',
    );
    const reports = consequenceReports(events, attemptsOf(events)[0] ?? 0);
    const shown: readonly PlacedEvent[] = port.length > 0 ? port : reports.size > 0 ? kernel : [];
    const nodes = new Map<string, PlacedEvent[]>();
    for (const placed of shown) {
      const node =
        placed.node ??
        placed.event.host ??
        (placed.event.body.kind === 'nccl-warning' ? placed.event.body.host : undefined);
      if (node !== undefined) nodes.set(node, [...(nodes.get(node) ?? []), placed]);
    }
    return [...nodes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([node, here]) => {
        const [first] = here;
        const own = here.flatMap((placed) =>
          placed.event.body.kind === 'nccl-warning'
            ? (rankOfProcess(placed, placed.event.body.host, placed.event.body.pid, events, rankMap) ?? [])
            : [],
        );
        const onNode = ranksOfNode(rankMap, node);
        const ranks = onNode.length > 0 ? onNode : [...new Set(own)].sort((a, b) => a - b);
        return draft({
          outcome: 'group',
          status: port.length > 0 ? 'supported' : 'hypothesis',
          stage: 'fabric',
          cause: 'link-down',
          strength: port.length > 0 ? 'direct' : 'context',
          firstRanks: ranks,
          symptomRanks: without(reports.keys(), ranks),
          node,
          attempt: first?.attempt,
          at: momentOf(first),
          summary: `${here.some((placed) => PORT_DOWN.test(placed.event.text) || placed.event.body.kind === 'link-event') ? 'A network port' : 'A network adapter'} of node ${node} failed${ranks.length > 0 ? `; its ${nameRanks(ranks)} were cut off` : ''}.`,
          because: here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
          wouldChange: ['an error of a rank before the port failed'],
          nextChecks: [
            `Cable, transceiver and switch port of node ${node}`,
            'Link counters and flaps in the kernel log',
          ],
        });
      });
  },
});
