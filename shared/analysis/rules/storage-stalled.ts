/**
 * The kernel of a node reports that storage did not answer while ranks of that node were late.
 *
 *   nfs: server 10.1.0.9 not responding, still trying
 *   INFO: task pt_main_thread:71301 blocked for more than 122 seconds.
 */
import { nameRanksAtStart, without } from '../../lib/rank-set.ts';
import type { PlacedEvent } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf, type PlacedOf } from './support/events.ts';
import { lateOnNode } from './support/late-on-node.ts';
import { lateRanks } from './support/late-ranks.ts';
import { consequenceReports, ranksOfNode } from './support/ranks.ts';
import { timeInJob } from './support/span.ts';

const RECOVERED = /^nfs: server \S{1,200} OK/;

const tells = (placed: PlacedOf<'kernel-note'>): boolean =>
  (placed.event.body.what === 'nfs' || placed.event.body.what === 'disk') && !RECOVERED.test(placed.event.body.text);

export default defineRule({
  id: 'storage-stalled',
  title: 'Storage of a node did not answer while its ranks were late',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
A process that reads or writes through a file system that does not answer sleeps in the kernel: it cannot be interrupted, prints nothing, writes no dump and does not reach its next collective. The kernel's own lines about the server or the disk are direct evidence about the **node**; that a rank was
held up by it follows only where the others wait for ranks of that node (three at most), and for no others. A server that is told to be OK again does not count.

How sure: *supported* if the late ranks are known and all of them are on that node, and a line falls into the time of the job by a stamp with a zone. A task "blocked for more than 120 seconds" alone may hang in a driver as well as in storage: it is shown beside, but does not fire this rule. Without a known late rank the
node is only a lead.

When it can be wrong: a server that many nodes use and that answered late for all of them; lines of the kernel log without a zone cannot be placed exactly.`,
  remedy:
    'Is it still so: time stat on the mount from that node and from another one (in the background: it may hang too), nfsstat -m or mount -t nfs, dmesg -T | tail. What the late rank was doing with it: ls -l /proc/PID/fd, cat /proc/PID/stack (root on the node), its open checkpoint or data line. Then latency, errors, quota and network path of the server at that time.',
  run: ({ events, rankMap, lifeLines, collectives }) => {
    const attempt = dumpAttempt(events, lifeLines);
    const inJob = (placed: PlacedEvent) => timeInJob(placed, events) !== 'outside';
    const notes = eventsOf(events, 'kernel-note').filter(inJob);
    const told = notes.filter(tells);
    const reports = consequenceReports(events, attempt);
    if (reports.size === 0 && collectives.waits.length === 0) return [];
    const late = lateRanks(events, attempt, rankMap, collectives);
    return [...new Set(told.flatMap((placed) => placed.node ?? []))].sort().map((node) => {
      const here = told.filter((placed) => placed.node === node);
      const blocked = notes.filter((placed) => placed.node === node && placed.event.body.what === 'blocked-task');
      const onNode = ranksOfNode(rankMap, node);
      const inTime = here.some((placed) => timeInJob(placed, events) === 'during');
      const why = `storage of node ${node} did not answer; nothing shows that its ranks were late`;
      const { isTheirs, ranks, draft: place } = lateOnNode({ late, onNode, inTime, why });
      return draft({
        ...place,
        stage: 'host',
        cause: 'storage',
        symptomRanks: without(reports.keys(), ranks),
        node,
        attempt,
        at: isTheirs ? momentOf(here[0]) : undefined,
        summary: isTheirs
          ? `${nameRanksAtStart(ranks)} did not arrive while storage of node ${node} did not answer, by its kernel.`
          : `Storage of node ${node} did not answer, by its kernel; whether that delayed a rank is not shown.`,
        because: [
          ...here.slice(0, 3).map((placed) => cite(placed, `Kernel of ${node}: ${quote(placed.event.text, 200)}`)),
          ...blocked.slice(0, 2).map((placed) => cite(placed, `Kernel of ${node}: ${quote(placed.event.text, 200)}`)),
        ],
        wouldChange: ['a stack of the late rank that shows it outside of file operations'],
        nextChecks: [
          'State and latency of the named server or disk at that time, from another node as well',
          'Which files the late rank had open (ls -l /proc/PID/fd) and its kernel stack (/proc/PID/stack)',
        ],
      });
    });
  },
});
