/**
 * A tool that asked the GPUs of a node found one lost, with memory errors or in need of a reset.
 *
 *   Unable to determine the device handle for GPU0000:9D:00.0: Unknown Error
 *   GPU Recovery Action : Reset
 */
import { nameRanks, without } from '../../lib/rank-set.ts';
import type { RankMapFact } from '../../model/facts.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, type Draft, draft, quote } from './support/draft.ts';
import { dumpAttempt } from './support/dump-attempt.ts';
import { eventsOf, type PlacedOf } from './support/events.ts';
import { gpuHarm, type HarmContext } from './support/gpu-harm.ts';
import { consequenceReports, ranksOfNode } from './support/ranks.ts';

type State = PlacedOf<'gpu-state'>;
/** These cannot be there on a GPU that works. A pending remap or an old Xid can. */
const BROKEN: ReadonlySet<string> = new Set(['lost', 'missing']);

const WORDS: Readonly<Record<State['event']['body']['what'], string>> = {
  lost: 'does not answer',
  missing: 'is missing from the list',
  'memory-error': 'has uncorrectable memory errors',
  remap: 'has memory rows that wait to be remapped or could not be',
  'recovery-action': 'asks for a reset, a drain or a reboot',
  'last-xid': 'keeps an Xid from before',
};

export default defineRule({
  id: 'gpu-in-bad-state',
  title: 'A GPU was found lost or faulty when it was asked',
  needs: ['events', 'rankMap', 'lifeLines', 'collectives'],
  explain: `
nvidia-smi and the exporters say how a GPU is **when they are asked**, mostly after the incident, maybe after a reset. So a bad state shows that the device is bad now; that it began the failure follows only together with something that happened in the job.

How sure: a GPU that does not answer, whose address is joined to one rank, and whose rank failed in GPU work, ended by itself without another error, or is the only one that the others wait for: *supported*. Everything else (memory errors since the driver was loaded, pending remaps, a recovery action, an Xid that stays until the driver is loaded again) is
context: it is shown, and it is a lead, but it may be older than the job. So is a GPU whose index is missing from a list: without an address it is joined to nobody, and it may just not have been given to the container that asked.

When it can be wrong: the GPU was lost by what was done after the incident (a reset, a reboot); the index of a tool inside a container is not the index on the node.`,
  remedy:
    'Ask again now (nvidia-smi -q -i BUSID), read the kernel log of the node for Xid lines of that bus address and note their time, then drain the node and run dcgmi diag -r 3 (minutes; needs an idle GPU). Reset with nvidia-smi --gpu-reset -i BUSID or reboot, and keep the GPU out of service until it passes.',
  run: ({ events, rankMap, lifeLines, collectives }) => {
    const attempt = dumpAttempt(events, lifeLines);
    const groups = new Map<string, State[]>();
    for (const placed of eventsOf(events, 'gpu-state')) {
      const { pci, index } = placed.event.body;
      const key = `${placed.node ?? ''} ${pci ?? `#${index ?? '?'}`}`;
      groups.set(key, [...(groups.get(key) ?? []), placed]);
    }
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, states]) => stateDraft(states, { events, rankMap, lifeLines, collectives, attempt }));
  },
});

function stateDraft(states: readonly State[], context: HarmContext): Draft {
  const { events, rankMap, collectives, attempt } = context;
  const [first] = states;
  const { pci } = first?.event.body ?? {};
  const node = first?.node;
  const ranks = pci === undefined ? [] : ranksOn(pci, node, rankMap);
  const [rank] = ranks;
  const harm = ranks.length === 1 && rank !== undefined ? gpuHarm(rank, context) : [];
  const broken = states.some((placed) => BROKEN.has(placed.event.body.what));
  const isCause = broken && harm.length > 0;
  const words = [...new Set(states.map((placed) => WORDS[placed.event.body.what]))].join(', ');
  const gpu = `The GPU ${pci === undefined ? `with index ${first?.event.body.index ?? '?'}` : `at ${pci}`}${node === undefined ? '' : ` of node ${node}`}`;
  const reports = consequenceReports(events, attempt);
  const suspects = ranks.length > 0 ? ranks : node === undefined ? [] : ranksOfNode(rankMap, node);
  return draft({
    outcome: isCause ? 'named' : 'cannot-tell',
    status: isCause ? 'supported' : 'hypothesis',
    stage: 'host',
    cause: 'gpu-hardware',
    strength: isCause ? 'direct' : 'context',
    firstRanks: isCause ? ranks : [],
    candidates:
      isCause || suspects.length === 0 ? [] : [{ ranks: suspects, why: `${gpu} ${words}, when it was asked` }],
    symptomRanks: isCause ? without([...reports.keys(), ...collectives.waits.map((wait) => wait.rank)], ranks) : [],
    node,
    attempt,
    summary: isCause
      ? `${gpu}, that of ${nameRanks(ranks)}, ${words}.`
      : `${gpu}${ranks.length > 0 ? `, that of ${nameRanks(ranks)},` : ''} ${words}, when it was asked; nothing ties that to this failure.`,
    because: [...states.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 200))), ...harm],
    wouldChange: ['the time of that state: an Xid in the kernel log, or an earlier reading'],
    nextChecks: [
      `nvidia-smi -q and dcgmi diag for ${gpu.replace(/^The/, 'the')}`,
      `Kernel log of ${node ?? 'that node'} for Xid lines`,
    ],
  });
}

function ranksOn(pci: string, node: string | undefined, rankMap: RankMapFact): number[] {
  const bus = pci.toLowerCase();
  const found = rankMap.places.filter(
    (place) => (node === undefined || place.node === node) && place.gpu?.toLowerCase().includes(bus) === true,
  );
  return [...new Set(found.map((place) => place.rank))].sort((a, b) => a - b);
}
