/**
 * Every member of every blocked group has joined and none went on: nobody is missing, what is between the nodes failed.
 *
 *   4 of 4 dumps wait in all_reduce #31; rank 0: Timed out waiting 22000ms for send operation; rank 1: … for recv operation
 */
import { formatRanks, nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, citeSource, draft, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf } from './support/events.ts';
import { wentOnAfterDump } from './support/outdated.ts';
import { consequenceReports, timedOut } from './support/ranks.ts';

export default defineRule({
  id: 'all-joined-no-progress',
  title: 'All ranks joined a collective between nodes and none finished it',
  needs: ['events', 'rankMap', 'collectives', 'lifeLines'],
  explain: `
If the dumps show that every member of the group has enqueued the same call with the same shape and that all of them wait in it, no rank is late and none disagrees: the program did its part. Over gloo and across at
least two nodes (Pods, where the nodes are not told), what remains is the transport between them: a cut link, a dropped route, a firewall. Between two nodes it is their link, whose sides cannot be told apart: all ranks form the group, as a *hypothesis*. With more nodes it may be any of their links: then it is only a lead.

On one node, or with NCCL on GPUs, the same picture also fits a GPU that hangs in its kernel, a peer-access problem or a process that is stopped inside the call: then this rule stays silent. It also stays silent when a dump is missing (the missing rank may be the one
that did not join), when no rank reports a time-out, when a connection was *closed* or refused and fewer than two ranks timed out (somebody's process ended), and when ranks are seen to go on after their dumps were written. An error of a rank's own is better evidence and goes first.

How sure: a *hypothesis* at most, because it is what remains and nothing shows it. When it can be wrong: a process that was stopped inside the call, or a network that was slow and not cut.`,
  remedy:
    'Test the network between the nodes of the job from Pods on them: ping -M do -s 8972 ADDRESS where jumbo frames are used (a smaller size that passes points at the MTU), iperf3 over the training interface. Look for link events in the kernel logs, and at CNI and switch logs, at the time of the last progress.',
  run: ({ events, rankMap, collectives, lifeLines }) => {
    const { allJoined } = collectives;
    if (allJoined === undefined) return [];
    const nodes = new Set(
      rankMap.places.filter((place) => allJoined.ranks.includes(place.rank)).map((place) => place.node ?? place.pod),
    );
    const group = collectives.groups.find((candidate) => candidate.id === allJoined.group);
    const missing = (collectives.dumpsExpected ?? []).filter((rank) => !collectives.dumpsPresent.includes(rank));
    const gloo = group?.backend === 'gloo' || eventsOf(events, 'gloo-timeout').length > 0;
    const attempt = dumpAttempt(events, lifeLines);
    const reports = consequenceReports(events, attempt);
    const waited = timedOut(reports);
    if (wentOnAfterDump(events, collectives, attempt) !== undefined) return [];
    const ended = [...reports.values()].some((report) => report.how === 'closed' || report.how === 'refused');
    if (!gloo || nodes.size < 2 || missing.length > 0 || waited.length === 0 || (ended && waited.length < 2)) return [];
    const twoSides = nodes.size === 2;
    const member = group?.members[0];
    const sides = [waited[0], waited[waited.length - 1]].flatMap((rank) => reports.get(rank ?? -1)?.placed ?? []);
    return [
      draft({
        outcome: twoSides ? 'group' : 'cannot-tell',
        status: 'hypothesis',
        stage: 'fabric',
        cause: 'transport',
        strength: 'recorder',
        firstRanks: twoSides ? rankSet(allJoined.ranks) : [],
        candidates: twoSides
          ? []
          : [
              {
                ranks: rankSet(allJoined.ranks),
                why: `all joined; the network between one of ${nodes.size} nodes and the others is suspected`,
              },
            ],
        attempt,
        summary: `${nameRanksAtStart(allJoined.ranks)} all joined ${allJoined.op} #${allJoined.seq} on ${nodes.size} nodes and none finished: no rank is late, so the network between the nodes is suspected; which side failed cannot be told.`,
        because: [
          ...(member
            ? [
                citeSource(
                  member.waitsIn?.source ?? member.source,
                  `${collectives.dumpsPresent.length} of ${collectives.dumpsExpected?.length ?? collectives.dumpsPresent.length} dumps hold ${allJoined.op} #${allJoined.seq} as the call in which the rank waits`,
                  member.rank,
                ),
              ]
            : []),
          ...sides.map((placed) =>
            cite(
              placed,
              `${nameRanksAtStart(placed.rank === undefined ? [] : [placed.rank])}: ${quote(placed.event.text, 140)}`,
            ),
          ),
        ],
        wouldChange: [
          'kernel, CNI or switch logs that show on which side the link failed',
          `a stack of ${nameRanks(allJoined.ranks)} that shows one of them outside that call`,
        ],
        nextChecks: [
          'Network between the nodes: ping, large packets, throughput over the training interface',
          'Kernel logs of all nodes for link events at the time of the last progress',
          `Whether the ranks of one node still reach each other (${formatRanks(allJoined.ranks)})`,
        ],
      }),
    ];
  },
});
