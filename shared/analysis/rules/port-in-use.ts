/**
 * The rendezvous or the store could not bind its port.
 *
 *   The server socket has failed to listen on any local network address. port: 29400, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use
 */
import { nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt } from './support/events.ts';
import { nodeOfPod } from './support/pods.ts';
import { consequenceReports, ranksOfPod } from './support/ranks.ts';

export default defineRule({
  id: 'port-in-use',
  title: 'The port of the rendezvous was taken',
  needs: ['events', 'rankMap'],
  explain: `
The bind error is the failing act itself and names the port. It belongs to the process that hosts the store: the agent or rank 0 of one Pod. Nothing of that Pod's work had begun, so its ranks are a group; if a
worker with a known rank prints it, that rank is named. The other nodes then fail to connect, which is a consequence. Who holds the port (a second job, a process left over, host networking) is not in the message.

How sure: *established*; the failing call is told by the process that made it. When it can be wrong: if the program catches the error and takes the next port without a word; where any rank of that attempt then joined the group or told of a step, this rule is silent.`,
  remedy:
    'Find the holder of the port in the network namespace of that process: ss -ltnp "sport = :PORT" in the Pod, or on the node with host networking. End left-over processes, or choose another port (--rdzv-endpoint HOST:PORT, MASTER_PORT); avoid fixed ports with host networking, where two jobs on one node clash.',
  run: ({ events, rankMap }) => {
    const clashes = [
      ...eventsOf(events, 'port-in-use'),
      ...eventsOf(events, 'exception').filter(
        (placed) => placed.event.body.class === 'port-in-use' && !placed.event.body.handled,
      ),
    ];
    return attemptsOf(clashes).flatMap((attempt) => {
      const here = inAttempt(clashes, attempt);
      const wentOn =
        inAttempt(eventsOf(events, 'group-ready'), attempt).length > 0 ||
        inAttempt(eventsOf(events, 'progress'), attempt).length > 0;
      const [first] = here;
      if (first === undefined || wentOn) return [];
      const printers = rankSet(here.flatMap((placed) => placed.rank ?? []));
      const pods = [...new Set(here.flatMap((placed) => placed.pod ?? []))].sort();
      const ranks = printers.length > 0 ? printers : rankSet(pods.flatMap((pod) => ranksOfPod(rankMap, pod)));
      const pod = pods.length === 1 ? pods[0] : undefined;
      const port = here
        .map((placed) =>
          placed.event.body.kind === 'port-in-use' ? placed.event.body.port : portIn(placed.event.body.message),
        )
        .find((value) => value !== undefined);
      return [
        draft({
          outcome: printers.length === 1 ? 'named' : 'group',
          status: 'established',
          stage: 'rendezvous',
          cause: 'port-in-use',
          strength: 'direct',
          firstRanks: ranks,
          symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
          pod,
          node: first.node ?? nodeOfPod(rankMap, pod),
          attempt,
          at: momentOf(first),
          summary: `Port ${port ?? '(not printed)'} was already in use${pod === undefined ? '' : ` in Pod ${pod}`}, so the store of the job could not start${ranks.length > 0 ? ` (${nameRanks(ranks)})` : ''}.`,
          because: here.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 220))),
          wouldChange: ['a line that shows that the program took another port'],
          nextChecks: [
            `Holder of port ${port ?? ''} on ${first.node ?? 'that node'} (ss -ltnp)`.replace('port  ', 'the port '),
            'Other jobs or left-over processes on that node; host networking in the Pod spec',
          ],
        }),
      ];
    });
  },
});

function portIn(message: string): number | undefined {
  const found = /port[:\s]+(\d{1,5})\b/i.exec(message)?.[1] ?? /\]:(\d{1,5})\b/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}
