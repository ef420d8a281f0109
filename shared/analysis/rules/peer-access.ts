/**
 * GPUs of one host cannot reach each other's memory.
 *
 *   RuntimeError: CUDA error: peer access is not supported between these two devices
 *   all ranks of a one-node job time out in their very first NCCL collective, and none finished any
 */
import { nameRanks, nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import type { CollectivesFact, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, isPrimaryClass } from './support/events.ts';
import { rankOfProcess } from './support/hosts.ts';
import { commonPlace, jobRanks } from './support/ranks.ts';

const PEER_ERROR =
  /peer access is (?:not supported|already enabled)|peer access has not been enabled|cudaErrorPeerAccess\w*|cudaErrorTooManyPeers|peer mapping resources exhausted/i;
/** Said when it was switched on twice: the program's own handling, no fault. */
const BENIGN = /already enabled|AlreadyEnabled/i;

export default defineRule({
  id: 'peer-access',
  title: 'GPUs of one host cannot reach each other',
  needs: ['events', 'rankMap', 'collectives'],
  explain: `
Between GPUs of one host, NCCL copies directly from memory to memory (peer to peer). Two things show that this path is broken:

- CUDA says so: *peer access is not supported*, *peer mapping resources exhausted*. That is direct about the host. Which pair it is, the message does not say, so the ranks that print it are a group on their node. *Supported*.
- Nothing is said at all, but NCCL tells that it copies by P2P: where PCIe access control (ACS) or an IOMMU redirects or drops the transfers, **every** rank of a job on **one** node times out in its very first NCCL collective, none has ever completed one by its status line (PyTorch 2.2 and later), all made the same call, and no rank raised anything. Nobody is missing and there is no network in between.
  That leaves the path between the GPUs, or a GPU itself: a *hypothesis* about the whole host. Without NCCL's word that peer access is in use it stays a lead, and nobody is named.

It stays silent where more than one node takes part (the network fits as well), where any collective was ever completed or a step was told (the path worked), for gloo, and where ranks called different things.

When it can be wrong: a first collective also hangs where a GPU is sick or a driver does not fit. The test is cheap and decides: the same job with NCCL_P2P_DISABLE=1.

How sure: *supported* where CUDA says it, a *hypothesis* where NCCL's choice and the silence do.`,
  remedy:
    'Run the first step again with NCCL_P2P_DISABLE=1: if it passes, peer access is the cause. Then look at "nvidia-smi topo -p2p r", at ACS (lspci -vvv as root, "ACSCtl: SrcValid+") and at the IOMMU (dmesg | grep -iE "iommu|dmar", intel_iommu or amd_iommu on the kernel command line) of the host; in a virtual machine peer access may never be available.',
  run: ({ events, rankMap, collectives }) => [
    ...errorDrafts(events, rankMap),
    ...attemptsOf(events).flatMap((attempt) => firstCallDraft(attempt, events, rankMap, collectives)),
  ],
});

function errorDrafts(events: readonly PlacedEvent[], rankMap: RankMapFact): Draft[] {
  const told: readonly PlacedEvent[] = [
    ...eventsOf(events, 'exception').filter(
      (placed) => !placed.event.body.handled && isPeerError(placed.event.body.message),
    ),
    ...eventsOf(events, 'nccl-warning').filter((placed) => isPeerError(placed.event.body.text)),
    ...eventsOf(events, 'watchdog-terminated').filter((placed) => isPeerError(placed.event.body.error)),
  ];
  return attemptsOf(told).map((attempt) => {
    const here = told.filter((placed) => placed.attempt === attempt);
    const printers = rankSet(
      here.flatMap((placed) => {
        const { body } = placed.event;
        const known =
          body.kind === 'nccl-warning' ? rankOfProcess(placed, body.host, body.pid, events, rankMap) : placed.rank;
        return known ?? [];
      }),
    );
    const place = commonPlace(rankMap, printers, attempt);
    const node = place.node ?? here[0]?.node ?? here[0]?.event.host;
    const known = printers.length > 0 || node !== undefined || place.pod !== undefined;
    return draft({
      outcome: known ? 'group' : 'cannot-tell',
      status: 'supported',
      stage: 'fabric',
      cause: 'peer-access',
      strength: 'direct',
      firstRanks: printers,
      pod: place.pod,
      node,
      attempt,
      at: momentOf(here[0]),
      summary: `GPUs of ${node === undefined ? 'one host' : `node ${node}`} cannot reach each other's memory${printers.length > 0 ? ` (told by ${nameRanks(printers)})` : ''}: ${quote(here[0]?.event.text ?? '', 140)}`,
      because: here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))),
      wouldChange: ['a run with NCCL_P2P_DISABLE=1 that fails alike'],
      nextChecks: CHECKS,
    });
  });
}

const isPeerError = (text: string): boolean => PEER_ERROR.test(text) && !BENIGN.test(text);

const CHECKS = [
  'The same job with NCCL_P2P_DISABLE=1: if it passes, peer access is the cause',
  'nvidia-smi topo -m and nvidia-smi topo -p2p r on that host',
  'ACS and IOMMU of the host (lspci -vvv | grep ACSCtl; dmesg | grep -i iommu)',
];

function firstCallDraft(
  attempt: number,
  events: readonly PlacedEvent[],
  rankMap: RankMapFact,
  collectives: CollectivesFact,
): Draft[] {
  const all = jobRanks(rankMap);
  const nodes = new Set(rankMap.places.flatMap((place) => place.node ?? place.pod ?? []));
  if (rankMap.worldSize === undefined || all.length < 2 || nodes.size !== 1) return [];
  if (collectives.first !== undefined || collectives.roots.length > 0 || collectives.cycle.length > 0) return [];
  if (
    inAttempt(eventsOf(events, 'exception'), attempt).some(
      ({ event: { body } }) => !body.handled && isPrimaryClass(body.class),
    )
  )
    return [];
  const timeouts = inAttempt(eventsOf(events, 'collective-timeout'), attempt).filter(
    (placed) => placed.rank !== undefined,
  );
  const status = inAttempt(eventsOf(events, 'work-status'), attempt);
  const waited = rankSet(timeouts.flatMap((placed) => placed.rank ?? []));
  const calls = new Set(
    timeouts.map(({ event: { body } }) => `${body.seq} ${body.op} ${body.numelIn} ${body.numelOut}`),
  );
  const finishedSome =
    status.some((placed) => placed.event.body.lastCompleted > 0) ||
    collectives.groups.some((group) => group.members.some((member) => (member.lastCompleted ?? 0) > 0)) ||
    inAttempt(eventsOf(events, 'progress'), attempt).length > 0;
  const heard = new Set(status.flatMap((placed) => placed.rank ?? []));
  if (waited.length !== all.length || calls.size !== 1 || finishedSome || !all.every((rank) => heard.has(rank)))
    return [];
  const [node] = nodes;
  const inUse = eventsOf(events, 'nccl-network').find((placed) => / via P2P\//.test(placed.event.body.text));
  const place = commonPlace(rankMap, waited, attempt);
  return [
    draft({
      outcome: inUse === undefined ? 'cannot-tell' : 'group',
      status: 'hypothesis',
      stage: 'fabric',
      cause: 'peer-access',
      strength: 'recorder',
      firstRanks: inUse === undefined ? [] : waited,
      candidates:
        inUse === undefined
          ? [
              {
                ranks: waited,
                why: 'all on one host, all in their very first collective: peer access between its GPUs is suspected',
              },
            ]
          : [],
      pod: place.pod,
      node: place.node ?? node,
      attempt,
      summary: `${nameRanksAtStart(waited)}, all on one host, timed out in their very first collective; none was ever completed and nobody is missing: the path between the GPUs of that host is suspected (peer access, ACS, IOMMU).`,
      because: [
        ...(inUse === undefined ? [] : [cite(inUse, `NCCL: ${quote(inUse.event.body.text, 120)}`)]),
        ...timeouts.slice(0, 2).map((placed) => cite(placed, `Rank ${placed.rank}: ${quote(placed.event.text, 160)}`)),
        ...status.slice(0, 2).map((placed) => cite(placed, `Rank ${placed.rank}: ${quote(placed.event.text, 160)}`)),
      ],
      wouldChange: ['a run with NCCL_P2P_DISABLE=1 that hangs alike', 'an Xid in the kernel log of that host'],
      nextChecks: CHECKS,
    }),
  ];
}
