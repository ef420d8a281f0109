/**
 * What customers' archives have beside the plain story: jobs that were started again, experts, frameworks, Polyaxon, and bundles that
 * were gathered badly. One such thing at a time, so that a table can show how each fares.
 */
import type { Random } from './random.ts';
import type { FaultKind, IncidentSpec, Restart } from './spec.ts';
import { range, worldSizeOf } from './topology.ts';

export const VARIETIES = [
  'plain',
  'restart',
  'experts',
  'lightning',
  'polyaxon',
  'unequal-nodes',
  'gloo-barrier',
  'zones',
  'turned-over',
  'taken-early',
  'one-node-sent',
] as const;
export type Variety = (typeof VARIETIES)[number];

/** Read off the description. */
export function varietyOf(spec: IncidentSpec): Variety {
  if (spec.restart !== undefined) return 'restart';
  if ((spec.expertParallel ?? 1) > 1) return 'experts';
  if (spec.appLog === 'lightning') return 'lightning';
  if (spec.workload === 'polyaxon') return 'polyaxon';
  if (spec.processesOfNodes !== undefined) return 'unequal-nodes';
  if (spec.glooBarrier === true) return 'gloo-barrier';
  if (spec.zones !== undefined) return 'zones';
  const { headsOfNodes = [], tailsOfNodes = [], logsOfNodes = [] } = spec.missing ?? {};
  if (headsOfNodes.length > 0) return 'turned-over';
  if (tailsOfNodes.length > 0) return 'taken-early';
  return spec.nodes > 2 && logsOfNodes.length === spec.nodes - 1 ? 'one-node-sent' : 'plain';
}

/** Half of the incidents stay plain. What does not fit a kind of fault stays plain as well. */
export function vary(spec: IncidentSpec, random: Random): IncidentSpec {
  const grouped = (spec.tensorParallel ?? 1) > 1 && random.chance(0.5) ? { ...spec, workRank: 'group' as const } : spec;
  if (random.chance(0.45)) return grouped;
  const variety = random.pick<Variety>(['restart', 'restart', ...VARIETIES.slice(1)]);
  const changed = CHANGES[variety](grouped, random.fork(variety));
  return changed ?? grouped;
}

type Change = (spec: IncidentSpec, random: Random) => IncidentSpec | undefined;

const CHANGES: Readonly<Record<Variety, Change>> = {
  plain: () => undefined,
  restart: restarted,
  experts: withExperts,
  lightning: (spec) => (isKind(spec, ['early-finish', 'evicted']) ? undefined : { ...spec, appLog: 'lightning' }),
  polyaxon: (spec, random) => ({
    ...spec,
    workload: 'polyaxon',
    layout: random.chance(0.35) ? 'plxlogs' : spec.layout,
  }),
  'unequal-nodes': withUnequalNodes,
  'gloo-barrier': withGlooBarrier,
  zones: (spec, random) => ({
    ...spec,
    zones: random.chance(0.5)
      ? range(spec.nodes).map(() => random.pick([-480, 0, 60, 330, 480]))
      : range(spec.nodes).fill(random.pick([-480, 60, 330, 480])),
  }),
  'turned-over': (spec, random) => ({
    ...spec,
    missing: { ...spec.missing, headsOfNodes: range(spec.nodes).filter((node) => node === 0 || random.chance(0.6)) },
  }),
  'taken-early': (spec, random) =>
    isKind(spec, ['missing-worker'])
      ? undefined
      : { ...spec, missing: { ...spec.missing, tailsOfNodes: [random.int(0, spec.nodes - 1)] } },
  'one-node-sent': (spec, random) => {
    if (spec.nodes < 3) return undefined;
    const kept = random.int(0, spec.nodes - 1);
    const others = range(spec.nodes).filter((node) => node !== kept);
    // Which ranks those are is not known here: under a dynamic rendezvous the order of names decides. All dumps of others are left out.
    return {
      ...spec,
      workload: 'pytorchjob',
      missing: {
        ...spec.missing,
        logsOfNodes: others,
        dumpsOfRanks: others.flatMap((node) => range(spec.ranksPerNode).map((i) => node * spec.ranksPerNode + i)),
        podYaml: random.chance(0.4),
        events: random.chance(0.6),
      },
    };
  },
};

const isKind = (spec: IncidentSpec, kinds: readonly FaultKind[]): boolean => kinds.includes(spec.fault.kind);

/** Faults after which no launcher waits for ever. */
const ENDS: readonly FaultKind[] = [
  'exception',
  'cuda-oom',
  'sigkill',
  'host-oom',
  'stall',
  'op-mismatch',
  'size-mismatch',
  'skipped-call',
  'wrapped-timeout',
  'silent-exit',
  'logged-exit',
  'storage-stall',
];

function restarted(spec: IncidentSpec, random: Random): IncidentSpec | undefined {
  const { fault } = spec;
  if (!isKind(spec, ENDS) || !('rank' in fault)) return undefined;
  const rank = (fault.rank + random.int(1, worldSizeOf(spec) - 1)) % worldSizeOf(spec);
  const by = random.pick<Restart['by']>(['launcher', 'kubelet']);
  // What proves a silent success is the launcher's list of failures, which it prints only when it gives up.
  if (by === 'launcher' && fault.kind === 'silent-exit' && fault.code === 0) return undefined;
  const after = random.pick<Restart['second']>([
    'again',
    'resume',
    'later',
    'well',
    spec.backend === 'gloo' ? 'mesh' : 'later',
  ]);
  const base: IncidentSpec = { ...spec, restart: { by, second: after, rank } };
  if (after === 'again' || after === 'well' || !random.chance(0.4)) return base;
  // Something must be left that tells that there was a first attempt: the folder of the second, or the restart count.
  const { logsOfNodes: _logs, ...missing } = spec.missing ?? {};
  return by === 'launcher'
    ? { ...base, layout: 'torchrun', missing: { ...missing, firstAttempt: true } }
    : { ...base, missing: { ...missing, firstAttempt: true, podYaml: false } };
}

function withExperts(spec: IncidentSpec, random: Random): IncidentSpec | undefined {
  if (spec.backend !== 'nccl') return undefined;
  const { tensorParallel: _tensor, pipelineParallel: _pipeline, ...rest } = spec;
  const world = worldSizeOf(spec);
  const expertParallel = world % 4 === 0 && random.chance(0.6) ? 4 : 2;
  return { ...rest, expertParallel, workRank: 'group', ...(random.chance(0.6) ? { recorder: 'off' as const } : {}) };
}

/** Two templates of one PyTorchJob: the master's Pod has other GPUs than the workers'. */
function withUnequalNodes(spec: IncidentSpec, random: Random): IncidentSpec | undefined {
  if ((spec.tensorParallel ?? 1) > 1) return undefined;
  const first = random.pick([1, spec.ranksPerNode + 2]);
  const processesOfNodes = range(spec.nodes).map((node) => (node === 0 ? first : spec.ranksPerNode));
  const changed: IncidentSpec = { ...spec, workload: 'pytorchjob', processesOfNodes };
  const { fault } = spec;
  const world = worldSizeOf(changed);
  if (world < 4) return undefined;
  if (!('rank' in fault) || (fault.kind === 'stall' && fault.where === 'checkpoint')) return changed;
  return { ...changed, fault: { ...fault, rank: fault.rank % world } };
}

function withGlooBarrier(spec: IncidentSpec, random: Random): IncidentSpec | undefined {
  if (spec.backend !== 'nccl') return undefined;
  if (random.chance(0.5) || !('rank' in spec.fault)) return { ...spec, glooBarrier: true };
  const step = Math.max(4, Math.floor(spec.fault.step / 5) * 5 - 1);
  return { ...spec, glooBarrier: true, fault: { kind: 'stall', rank: 0, step, where: 'checkpoint' } };
}
