/**
 * The driver reported a fault of a GPU.
 *
 *   NVRM: Xid (PCI:0000:9d:00): 79, pid=57, name=python, GPU has fallen off the bus.
 */
import { nameRanks, nameRanksAtStart, rankSet, without } from '../../lib/rank-set.ts';
import type { PlacedEvent, RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, momentOf, quote } from './support/draft.ts';
import { eventsOf, type PlacedOf } from './support/events.ts';
import { gpuHarm, type HarmContext, otherFailure } from './support/gpu-harm.ts';
import { consequenceReports, ranksOfNode } from './support/ranks.ts';
import { timeInJob } from './support/span.ts';

/** Codes that mean hardware: memory (48, 63, 64, 92, 94, 95), NVLink (74, 143–149), bus (79, 167), firmware (61, 62, 109, 119, 120, 140). */
const HARDWARE: ReadonlySet<number> = new Set([
  48, 61, 62, 63, 64, 74, 79, 92, 94, 95, 109, 119, 120, 123, 136, 140, 143, 144, 145, 146, 147, 148, 149, 167,
]);
/** Codes that follow what the application did, or that it was killed: 13, 31, 43, 45. Context only. */
const NOTES: ReadonlySet<number> = new Set([63, 92]);

export default defineRule({
  id: 'gpu-xid',
  title: 'The driver reported a GPU fault',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
An Xid line is the driver's own report about one GPU, by PCI address. Codes 48, 64, 94, 95, 140 (memory), 74, 136 and 143–149 (NVLink, initialisation), 79 and 167 (bus), 61, 62, 109, 119, 120, 123 (microcontrollers, firmware, context) are hardware or its firmware, seldom the driver; 13, 31, 43
and 45 usually follow an error of the program or its killing, 63 and 92 are bookkeeping, and codes that are not in this list are not judged: those are shown as context and never as the cause. The address is joined to a rank through the GPU of each rank (NCCL's init lines with busId, nvidia-smi, the order on other nodes) or by pid; without a join only the node is
known, and its ranks are a group.

The line proves that the GPU had a fault; that the fault ended the job follows from what became of the rank on it. A fault that by the node's own clock lies outside the time of the job (by more than a minute) is context as well; where the line has only seconds since boot, or no zone, it is at most *supported*.

How sure: *established* for a code of the hardware that is joined to one rank, lies in the time of the job, and whose rank failed in GPU work, ended by itself, or is the only one that the others wait for; *supported* without one of these, or if that rank failed with an error that is not about its GPU; everything else is context. When it can be wrong: an address that was joined through another process of the node, a NVLink error whose
peer is the bad end, or a fault that the GPU overcame while the job failed of something else.`,
  remedy:
    'Note code, address and time, and whether the same GPU had an Xid before (journalctl -k | grep -i xid). Cordon and drain the node, read ECC and remapped rows (nvidia-smi -q -i BUSID -d ECC,ROW_REMAPPER), run dcgmi diag -r 3; for 74 and 14x look at both ends (nvidia-smi nvlink -e) and the fabric manager log. Reset or reboot as Xid 154 says; replace the GPU if it comes back. Keep nvidia-bug-report.sh output for the vendor, taken before the reset.',
  run: ({ events, rankMap, lifeLines, collectives }) => {
    const faults = eventsOf(events, 'xid');
    const groups = new Map<string, PlacedOf<'xid'>[]>();
    for (const placed of faults) {
      const key = `${placed.node ?? ''} ${normalisePci(placed.event.body.pci)}`;
      groups.set(key, [...(groups.get(key) ?? []), placed]);
    }
    return [...groups.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, here]) => fault(here, { events, rankMap, lifeLines, collectives, attempt: here[0]?.attempt ?? 0 }));
  },
});

function fault(here: readonly PlacedOf<'xid'>[], context: HarmContext): Draft {
  const { events, rankMap } = context;
  const hard = here.filter(
    (placed) =>
      HARDWARE.has(placed.event.body.code) &&
      !NOTES.has(placed.event.body.code) &&
      timeInJob(placed, events) !== 'outside',
  );
  const inTime = hard.some((placed) => timeInJob(placed, events) === 'during');
  const first = hard[0] ?? here[0];
  const pci = normalisePci(first?.event.body.pci ?? '');
  const node = first?.node;
  const joined = rankOfGpu(pci, node, here, rankMap, events);
  const ranks = joined.length > 0 ? joined : node === undefined ? [] : ranksOfNode(rankMap, node);
  const reports = consequenceReports(events, 0);
  const isCause = hard.length > 0;
  const [rank] = joined;
  const harm =
    isCause && joined.length === 1 && rank !== undefined && otherFailure(rank, context.attempt, events) === undefined
      ? gpuHarm(rank, context)
      : [];
  const other = rank === undefined || joined.length > 1 ? undefined : otherFailure(rank, context.attempt, events);
  // The order of GPUs on other nodes is the usual one, not a proof.
  const isInferred = rankMap.places.some(
    (place) => joined.includes(place.rank) && place.gpuBasis === 'other-nodes' && place.gpu?.includes(pci) === true,
  );
  return draft({
    outcome: joined.length === 1 ? 'named' : ranks.length > 0 || node !== undefined ? 'group' : 'cannot-tell',
    status: isCause ? (harm.length > 0 && inTime && !isInferred ? 'established' : 'supported') : 'hypothesis',
    stage: 'host',
    cause: 'gpu-hardware',
    strength: isCause ? 'direct' : 'context',
    firstRanks: ranks,
    symptomRanks: without(reports.keys(), ranks),
    node,
    attempt: first?.attempt,
    at: momentOf(first),
    summary: `The driver reported Xid ${[...new Set(here.map((placed) => placed.event.body.code))].join(', ')} for the GPU at ${pci}${node === undefined ? '' : ` of node ${node}`}${joined.length > 0 ? ` (${nameRanks(joined)})` : ''}${isCause ? '' : here.some((placed) => timeInJob(placed, events) === 'outside') ? '; it lies outside the time of the job' : '; codes of this kind usually follow an error of the program'}.`,
    because: [...here.slice(0, 4).map((placed) => cite(placed, quote(placed.event.text, 200))), ...harm],
    against:
      other === undefined
        ? []
        : [cite(other, `Rank ${rank} failed with an error that is not about its GPU: ${quote(other.event.text, 140)}`)],
    wouldChange:
      joined.length > 0
        ? [
            'an earlier error of another rank',
            ...(isInferred ? [`another order of GPUs on ${node ?? 'that node'} than on the other nodes`] : []),
          ]
        : ['NCCL init lines (NCCL_DEBUG=INFO) or nvidia-smi output that tie the GPU to a rank'],
    nextChecks: [
      `nvidia-smi -q and dcgmi diag for the GPU at ${pci}`,
      `Kernel log of ${node ?? 'the node'} around that time`,
      joined.length > 0 ? `${nameRanksAtStart(joined)}: last lines before the fault` : 'Which rank ran on that GPU',
    ],
  });
}

function rankOfGpu(
  pci: string,
  node: string | undefined,
  here: readonly PlacedOf<'xid'>[],
  rankMap: RankMapFact,
  events: readonly PlacedEvent[],
): number[] {
  const onNode = (other: string | undefined) => node === undefined || other === undefined || other === node;
  const byMap = rankMap.places.filter((place) => onNode(place.node) && place.gpu?.toLowerCase().includes(pci));
  if (byMap.length > 0 && (node !== undefined || byMap.length === 1)) return rankSet(byMap.map((place) => place.rank));
  const byInit = eventsOf(events, 'nccl-init').filter(
    (placed) =>
      placed.rank !== undefined &&
      onNode(placed.node) &&
      placed.event.body.busId !== undefined &&
      busAddress(placed.event.body.busId) === pci,
  );
  if (byInit.length > 0 && (node !== undefined || new Set(byInit.map((placed) => placed.rank)).size === 1))
    return rankSet(byInit.flatMap((placed) => placed.rank ?? []));
  const pids = new Set(here.flatMap((placed) => placed.event.body.pid ?? []));
  const byPid =
    node === undefined
      ? []
      : rankMap.places.filter((place) => place.node === node && place.pids.some((pid) => pids.has(pid)));
  return rankSet(byPid.map((place) => place.rank));
}

/** `PCI:0000:9d:00`, `00000000:9D:00.0`, `0000:9d:00.0` → `0000:9d:00.0`. Anything else is returned in lower case. */
export function normalisePci(text: string): string {
  const found = /(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})(?:\.([0-9a-f]))?/i.exec(text);
  if (found === null) return text.toLowerCase();
  const [, domain = '0000', bus = '', device = '', fn = '0'] = found;
  return `${domain.slice(-4)}:${bus}:${device}.${fn}`.toLowerCase();
}

/** NCCL's busId, hexadecimal without separators: `9d000` → `0000:9d:00.0`. */
export function busAddress(busId: string): string {
  const hex = busId.toLowerCase().replace(/^0x/, '').padStart(9, '0');
  if (!/^[0-9a-f]+$/.test(hex)) return normalisePci(busId);
  const [fn, device, bus, domain] = [hex.slice(-1), hex.slice(-3, -1), hex.slice(-5, -3), hex.slice(0, -5)];
  return `${domain.padStart(4, '0').slice(-4)}:${bus}:${device}.${fn}`;
}
