/**
 * The kernel, the kubelet or Ray's memory monitor ended processes of the job for lack of memory.
 *
 *   Memory cgroup out of memory: Killed process 5228 (python) total-vm:2451144kB, …
 *   containerStatuses[].state.terminated.reason: OOMKilled
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { LifeLine, PlacedEvent, PodPlace, RankMapFact } from '../../model/facts.ts';
import { defineRule, type Evidence } from '../../model/finding.ts';
import type { ContainerState } from '../../model/kubernetes.ts';
import { type CountedKills, countedKills } from './support/counted-kills.ts';
import { cite, citeSource, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { eventsOf, type PlacedOf } from './support/events.ts';
import { citeReading } from './support/host-readings.ts';
import { commonPlace, consequenceReports, exitSignal, podByName, ranksOfPod } from './support/ranks.ts';
import { taskOf, tasksAreRanks } from './support/tasks.ts';
import { tellerOf } from './support/teller.ts';

const SIGKILL = 9;
/** The line about the victim, among those about the limit and the cgroup. */
const KILLED = /Killed process/;

const TELLERS = { kernel: 'Kernel', slurm: 'Slurm', ray: 'Ray' } as const;

interface Joined {
  readonly ranks: readonly number[];
  readonly pod: string | undefined;
  /** Host by the word of who told of the kill. */
  readonly host?: string | undefined;
  readonly how: string;
  readonly sure: boolean;
}

export default defineRule({
  id: 'host-out-of-memory',
  title: 'Host or container memory ran out',
  needs: ['events', 'rankMap', 'lifeLines'],
  explain: `
Four things tell of a kill for lack of memory, and each proves something else.

- The kernel's "Killed process" line is the act itself. It carries a pid and, with cgroups, the Pod's uid and the container's id. It is joined to a rank by the Pod and the pid that the rank announced; where the
pid is of another namespace, by the one worker of that Pod that its launcher saw end by SIGKILL, or by the one rank that lost a data loader's process by a kill. Without a Pod, node and pid must both fit.
- \`OOMKilled\` in a Pod's status proves that *some* process of that container was killed, at some time of its life. It is joined to a rank by the one worker of the Pod that its launcher saw end by SIGKILL.
- A counter above 0 (\`oom_kill\` in memory.events; memory.oom_control in cgroup v1) proves the same for the cgroup that path or heading names, since that cgroup was made: not which process, not when. It counts children as well, and begins at 0 in a
container that was started anew. A counter of 0, or of a cgroup that nobody names, says nothing here.

- Slurm (\`oom_kill event\`, \`Out Of Memory\`) and Ray's memory monitor (\`killed due to memory pressure\`) speak of processes of this job only. Ray names the worker's pid and the node, Slurm the host and a task, which is the rank only where the job numbers so; else the host is all that is known, or nothing but that it happened: a lead then.

Exit code 137 or −9 alone is **not** proof of memory shortage and does not fire this rule: anybody may send SIGKILL.

How sure: *established* where one rank is joined and its end by SIGKILL is seen too; the counter must be that of the container in which the ranks ran, and no other rank may have lost a data loader's process. *Supported* where the kill is joined and the end is not seen, for a Pod whose ranks cannot be told apart (they are a group), and for the counter
of a whole Pod. A count without any end by SIGKILL is a lead.

When it can be wrong: about the order, since memory pressure may have made a rank slow long before; a data loader child may have been the victim while its parent went on; and a status or a counter may tell of an earlier kill than the one that ended the job.`,
  remedy: `Read the kernel log of the node around that second (\`dmesg -T | grep -iE "oom-kill|killed process"\`): it names the process, its memory and whose limit it was. Compare the limit of the container with what it used: \`kubectl exec POD -- sh -c 'cd /sys/fs/cgroup && grep . memory.max memory.peak memory.events'\` (memory.peak since Linux 5.19).
What is written to /dev/shm or an emptyDir with medium Memory counts against the limit. Raise the limit, or lower the number of data loader workers, pinned memory, or checkpoint buffers that rank 0 holds; look for growth over time.`,
  run: ({ events, rankMap, lifeLines }) => {
    const kills = kernelKills(events, rankMap, lifeLines);
    const told = new Set(kills.flatMap((kill) => kill.pod ?? []));
    const byStatus = oomKilledPods(events, rankMap, lifeLines).filter(({ pod }) => pod === undefined || !told.has(pod));
    for (const { pod } of byStatus) if (pod !== undefined) told.add(pod);
    const counted = countedKills(events, rankMap, lifeLines).filter(({ pod }) => !told.has(pod.pod));
    return [...kills, ...byStatus, ...counted.map((one) => countedDraft(one, events, rankMap))];
  },
});

function kernelKills(events: readonly PlacedEvent[], rankMap: RankMapFact, lifeLines: readonly LifeLine[]): Draft[] {
  const groups = new Map<string, { kills: PlacedOf<'oom-kill'>[]; joined: Joined }>();
  const told = eventsOf(events, 'oom-kill').flatMap((kill) => {
    const joined = joinKill(kill, rankMap, lifeLines, events);
    return joined === undefined ? [] : [{ kill, joined }];
  });
  for (const { kill, joined } of told) {
    // Slurm's count of a step, beside the task that it means.
    if (!isPlaced(joined) && told.some((other) => isPlaced(other.joined))) continue;
    const key = `${joined.pod ?? joined.host ?? ''} ${joined.ranks.length === 1 && !joined.sure ? joined.ranks.join() : ''}`;
    const known = groups.get(key);
    groups.set(key, { kills: [...(known?.kills ?? []), kill], joined: known ? merge(known.joined, joined) : joined });
  }
  return [...groups.values()].map(({ kills, joined }) => killDraft(kills, joined, events, rankMap, lifeLines));
}

function merge(a: Joined, b: Joined): Joined {
  return {
    ranks: rankSet([...a.ranks, ...b.ranks]),
    pod: a.pod ?? b.pod,
    host: a.host ?? b.host,
    how: a.how,
    sure: a.sure && b.sure,
  };
}

/**
 * Pod by uid or container, then rank by pid, then the one SIGKILL in that Pod, then the one rank that lost a data loader's process by a
 * kill; without a Pod only by node and pid.
 */
function joinKill(
  kill: PlacedOf<'oom-kill'>,
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
  events: readonly PlacedEvent[],
): Joined | undefined {
  const { pid, podUid, containerId, teller } = kill.event.body;
  if (teller !== undefined) return joinTold(kill, events, rankMap);
  const pod =
    rankMap.pods.find(
      (place) =>
        place.object !== undefined &&
        ((podUid !== undefined && place.object.uid === podUid) ||
          (containerId !== undefined && holdsContainer(place, containerId))),
    )?.pod ?? kill.pod;
  if (pod !== undefined) {
    const inPod = rankMap.places.filter((place) => place.pod === pod);
    const byPid = inPod.filter((place) => place.pids.includes(pid));
    if (byPid.length > 0)
      return { ranks: rankSet(byPid.map((place) => place.rank)), pod, how: `pid ${pid} of Pod ${pod}`, sure: true };
    const killed = lifeLines.filter(
      (life) =>
        exitSignal(life) === SIGKILL &&
        life.exit?.terminatedByAgent !== true &&
        inPod.some((place) => place.rank === life.rank),
    );
    if (killed.length === 1)
      return {
        ranks: killed.map((life) => life.rank),
        pod,
        how: `the only worker of Pod ${pod} that ended by SIGKILL`,
        sure: true,
      };
    const losers = rankSet(
      eventsOf(events, 'data-loader-killed')
        .filter((placed) => placed.pod === pod && placed.event.body.signal === 'Killed')
        .flatMap((placed) => placed.rank ?? []),
    );
    if (killed.length === 0 && losers.length === 1)
      return {
        ranks: losers,
        pod,
        how: `the only rank of Pod ${pod} that lost a data loader worker by a kill`,
        sure: true,
      };
    return { ranks: ranksOfPod(rankMap, pod), pod, how: `a process of Pod ${pod}`, sure: false };
  }
  if (kill.node === undefined) return undefined;
  const onNode = rankMap.places.filter((place) => place.node === kill.node && place.pids.includes(pid));
  return onNode.length === 0
    ? undefined
    : {
        ranks: rankSet(onNode.map((place) => place.rank)),
        pod: undefined,
        how: `pid ${pid} on node ${kill.node}`,
        sure: true,
      };
}

/**
 * Slurm and Ray tell of the job's own processes only, so a kill of theirs counts even where no rank can be joined: the host is known then,
 * or nothing but that it happened.
 */
function joinTold(kill: PlacedOf<'oom-kill'>, events: readonly PlacedEvent[], rankMap: RankMapFact): Joined {
  const { pid, process } = kill.event.body;
  const host = kill.event.body.host ?? kill.event.host;
  const byPid = rankSet(
    rankMap.places
      .filter((place) => pid >= 0 && place.pids.includes(pid) && (place.node ?? host) === host)
      .map((place) => place.rank),
  );
  const pod = rankMap.pods.find(({ object }) => host !== undefined && object?.podIp === host)?.pod;
  if (byPid.length === 1) return { ranks: byPid, pod, host, how: `pid ${pid}`, sure: true };
  const task = taskOf(process);
  if (task !== undefined && tasksAreRanks(events, kill.attempt, rankMap))
    return { ranks: [task], pod: undefined, host, how: 'the task number, which is the rank here', sure: true };
  if (pod !== undefined) return { ranks: ranksOfPod(rankMap, pod), pod, how: `the address of Pod ${pod}`, sure: false };
  return { ranks: [], pod: undefined, host, how: process === '' ? 'the host alone' : process, sure: false };
}

function holdsContainer(place: PodPlace, containerId: string): boolean {
  return (
    place.object?.containers.some((container) =>
      [container.containerId, container.terminated?.containerId, container.lastTerminated?.containerId].some((id) =>
        id?.endsWith(containerId),
      ),
    ) ?? false
  );
}

function killDraft(
  kills: readonly PlacedOf<'oom-kill'>[],
  joined: Joined,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  lifeLines: readonly LifeLine[],
): Draft {
  const { ranks, pod } = joined;
  const life = lifeLines.find((line) => ranks.includes(line.rank) && exitSignal(line) === SIGKILL);
  const attempt = life?.attempt ?? 0;
  const place = commonPlace(rankMap, ranks, attempt);
  const told = [...kills].sort((a, b) => Number(KILLED.test(b.event.text)) - Number(KILLED.test(a.event.text)));
  const [first] = told;
  const placed = isPlaced(joined);
  return draft({
    outcome: !placed
      ? 'cannot-tell'
      : ranks.length === 1 && (joined.sure || isAloneIn(pod, rankMap))
        ? 'named'
        : 'group',
    status: !placed ? 'hypothesis' : joined.sure && life !== undefined ? 'established' : 'supported',
    stage: 'host',
    cause: 'host-out-of-memory',
    strength: placed ? 'direct' : 'context',
    firstRanks: ranks,
    symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
    pod: pod ?? place.pod,
    node: place.node ?? first?.node ?? joined.host,
    attempt,
    at: momentOf(first),
    summary: killSummary(joined, rankMap, first?.event.body.teller),
    because: [
      ...told
        .slice(0, 3)
        .map((kill) =>
          cite(
            kill,
            `${TELLERS[kill.event.body.teller ?? 'kernel']}: ${quote(kill.event.text, 200)} — joined by ${joined.how}`,
          ),
        ),
      ...(life?.exit
        ? [citeSource(life.exit.source, `${tellerOf(life.exit)} rank ${life.rank} ended by SIGKILL`, life.rank)]
        : []),
      ...statusEvidence(podByName(rankMap, pod)),
    ],
    wouldChange: ['an earlier error of another rank'],
    nextChecks: [
      `Memory limit and use of ${pod ?? place.node ?? joined.host ?? 'the node'} over the last minutes`,
      'Number of data loader workers and size of checkpoint buffers on that rank',
    ],
  });
}

const isPlaced = ({ ranks, pod, host }: Joined): boolean => ranks.length > 0 || pod !== undefined || host !== undefined;

/** Names ranks as killed only where each was joined by its pid or its end; a Pod or a host alone tells of a process in it, not of which. */
function killSummary(
  { ranks, pod, host, how, sure }: Joined,
  rankMap: RankMapFact,
  teller: 'slurm' | 'ray' | undefined,
): string {
  const by = teller === 'ray' ? "by Ray's memory monitor" : 'by the kernel';
  if (sure || (ranks.length === 1 && isAloneIn(pod, rankMap)))
    return `${nameRanksAtStart(ranks)} ${ranks.length === 1 ? 'was' : 'were'} killed ${by} because memory ran out (${how}).`;
  if (pod === undefined)
    return `A process of the job${host === undefined ? '' : ` on ${host}`} was killed ${by} because memory ran out; which rank it was${host === undefined ? ', and on which host,' : ''} is not told.`;
  const whose = ranks.length === 0 ? '' : `, which holds ${nameRanks(ranks)},`;
  return `A process of Pod ${pod}${whose} was killed ${by} because memory ran out; which one is not told.`;
}

/** The Pod holds one rank only: whatever was killed in it was of that rank. */
const isAloneIn = (pod: string | undefined, rankMap: RankMapFact): boolean =>
  pod !== undefined && rankMap.nprocPerNode === 1;

function oomKilled(place: PodPlace | undefined): ContainerState | undefined {
  return place?.object?.containers.find(
    (container) => container.terminated?.reason === 'OOMKilled' || container.lastTerminated?.reason === 'OOMKilled',
  );
}

function statusEvidence(place: PodPlace | undefined): Evidence[] {
  const state = oomKilled(place);
  if (place?.object === undefined || state === undefined) return [];
  const limit = place.object.memoryLimit === undefined ? '' : `, memory limit ${place.object.memoryLimit}`;
  return [citeSource(place.object.source, `Pod ${place.pod}: container ${state.name} has reason OOMKilled${limit}`)];
}

function oomKilledPods(events: readonly PlacedEvent[], rankMap: RankMapFact, lifeLines: readonly LifeLine[]): Draft[] {
  return rankMap.pods.flatMap((place) => {
    const state = oomKilled(place);
    if (state === undefined) return [];
    const podRanks = ranksOfPod(rankMap, place.pod);
    const killed = lifeLines.filter(
      (life) =>
        podRanks.includes(life.rank) &&
        exitSignal(life) === SIGKILL &&
        life.exit?.terminatedByAgent !== true &&
        life.exit?.by === 'agent',
    );
    const ranks = killed.length === 1 ? killed.map((life) => life.rank) : podRanks;
    const now = state.terminated?.reason === 'OOMKilled';
    const attempt =
      killed[0]?.attempt ?? (now ? place.containerAttempts?.current : place.containerAttempts?.previous) ?? 0;
    const exits = killed
      .slice(0, 3)
      .flatMap((life): Evidence[] =>
        life.exit
          ? [citeSource(life.exit.source, `${tellerOf(life.exit)} rank ${life.rank} ended by SIGKILL`, life.rank)]
          : [],
      );
    return [
      draft({
        outcome: ranks.length === 1 && (killed.length === 1 || isAloneIn(place.pod, rankMap)) ? 'named' : 'group',
        status: killed.length === 1 ? 'established' : 'supported',
        stage: 'host',
        cause: 'host-out-of-memory',
        strength: 'direct',
        firstRanks: ranks,
        symptomRanks: without(consequenceReports(events, attempt).keys(), ranks),
        pod: place.pod,
        node: place.node,
        attempt,
        summary: `A process of Pod ${place.pod} was killed because the container reached its memory limit (OOMKilled)${ranks.length === 1 ? `: ${nameRanksAtStart(ranks).toLowerCase()}` : ranks.length > 1 ? `; its ${nameRanksAtStart(ranks).toLowerCase()} cannot be told apart` : ''}.`,
        because: [...statusEvidence(place), ...exits],
        wouldChange: ['the kernel log of the node, which names the process that was killed'],
        nextChecks: [
          `Kernel log of ${place.node ?? 'the node'} for "Killed process"`,
          `Memory limit and use of Pod ${place.pod}`,
        ],
      }),
    ];
  });
}

/** The counter says that the kernel killed in this cgroup, and the launcher who ended by SIGKILL: only together they tell of a rank. */
function countedDraft(
  { pod: place, reading, ofContainer, killed, lostElsewhere, containerKilled }: CountedKills,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
): Draft {
  const { value } = reading.event.body;
  const podRanks = ranksOfPod(rankMap, place.pod);
  const ranks = killed.length > 0 && killed.length <= value ? rankSet(killed.map((life) => life.rank)) : podRanks;
  const isEnd = killed.length > 0 || containerKilled;
  const isNamed = killed.length === 1 && ranks.length === 1;
  const attempt = killed[0]?.attempt ?? place.containerAttempts?.current ?? 0;
  const times = `${value} ${value === 1 ? 'process' : 'processes'}`;
  const ends = rankSet(killed.map((life) => life.rank));
  const end =
    ends.length > 0 ? `${nameRanksAtStart(ends)} ended by SIGKILL` : `A container of Pod ${place.pod} ended by SIGKILL`;
  return draft({
    outcome: !isEnd ? 'cannot-tell' : isNamed ? 'named' : 'group',
    status: !isEnd ? 'hypothesis' : isNamed && ofContainer && !lostElsewhere ? 'established' : 'supported',
    stage: 'host',
    cause: 'host-out-of-memory',
    strength: isEnd ? 'direct' : 'context',
    firstRanks: isEnd ? ranks : [],
    candidates:
      isEnd || podRanks.length === 0
        ? []
        : [
            {
              ranks: podRanks,
              why: `the kernel killed ${times} of their Pod for lack of memory; which, and when, is not told`,
            },
          ],
    symptomRanks: isEnd ? without(consequenceReports(events, attempt).keys(), ranks) : [],
    pod: place.pod,
    node: place.node,
    attempt,
    summary: isEnd
      ? `${end}, and the counter of ${ofContainer ? 'its container' : `Pod ${place.pod}`} tells that the kernel killed ${times} for lack of memory.`
      : `The kernel killed ${times} of Pod ${place.pod} for lack of memory, by the counter of its cgroup; no worker is seen to have ended so, and when it was is not told.`,
    because: [
      citeReading(reading, events),
      ...killed
        .slice(0, 3)
        .flatMap((life): Evidence[] =>
          life.exit
            ? [citeSource(life.exit.source, `${tellerOf(life.exit)} rank ${life.rank} ended by SIGKILL`, life.rank)]
            : [],
        ),
      ...(killed.length === 0 && containerKilled && place.object !== undefined
        ? [citeSource(place.object.source, `Pod ${place.pod}: a container ended with code 137 (SIGKILL)`)]
        : []),
    ],
    wouldChange: ['the kernel log of the node: which process was killed, and when'],
    nextChecks: [
      `Kernel log of ${place.node ?? 'the node'} for "Killed process"`,
      `Memory limit and use of Pod ${place.pod} over time (memory.peak against memory.max)`,
    ],
  });
}
