/** A rank's process ends: by an exception of its own, by GPU memory, by a signal, by the kernel's OOM killer. */

import type { Cause } from '#shared/model/finding.ts';
import { MS } from '../clock.ts';
import type { Action, Phase } from '../loop.ts';
import type { Random } from '../random.ts';
import type { ExceptionKind, Fault } from '../spec.ts';
import { placeOf } from '../topology.ts';
import {
  editPhase,
  type FaultContext,
  type FaultPlan,
  launcherTells,
  ownOutputTells,
  planTruth,
  type Raised,
} from './plan.ts';

type Of<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

const TRAIN = '/workspace/train.py';
const MAIN = [`  File "${TRAIN}", line 207, in <module>`, '    train()'];
const inTrain = (line: number, source: string): string[] => [
  `  File "${TRAIN}", line ${line}, in train`,
  `    ${source}`,
];

const EXCEPTIONS: Record<
  ExceptionKind,
  { phase: Phase; causes: readonly Cause[]; say: (rank: number, step: number, random: Random) => Omit<Raised, 'rank'> }
> = {
  'data-input': {
    phase: 'data',
    causes: ['data-input', 'python-exception'],
    say: (rank, _step, random) => ({
      frames: [
        ...MAIN,
        ...inTrain(162, 'for x, y in loader:'),
        `  File "${TRAIN}", line 40, in __getitem__`,
        '    return self.decode(self.read(shard, k), shard, k)',
        `  File "${TRAIN}", line 54, in decode`,
        '    raise ValueError(f"shard-{shard:04d}.bin record {k}: expected {4 * self.width + 4} bytes, got {len(raw)}")',
      ],
      final: `ValueError: shard-${String(rank).padStart(4, '0')}.bin record ${random.int(1, 900)}: expected 260 bytes, got ${random.int(1, 259)}`,
    }),
  },
  python: {
    phase: 'forward',
    causes: ['python-exception', 'configuration'],
    say: (_rank, _step, random) => ({
      frames: [...MAIN, ...inTrain(223, 'weight = self.class_weights[label]')],
      final: `KeyError: 'class_${random.int(10, 40)}'`,
    }),
  },
  numerics: {
    phase: 'data',
    causes: ['numerics', 'data-input', 'python-exception'],
    say: (rank, step) => ({
      frames: [
        ...MAIN,
        ...inTrain(180, 'check_finite(loss, step)'),
        `  File "${TRAIN}", line 87, in check_finite`,
        '    raise FloatingPointError(f"loss is nan on rank {RANK} at step {step}")',
      ],
      final: `FloatingPointError: loss is nan on rank ${rank} at step ${step}`,
    }),
  },
  storage: {
    phase: 'data',
    causes: ['storage', 'data-input', 'python-exception'],
    say: (rank, step) => ({
      frames: [
        ...MAIN,
        ...inTrain(124, 'x, y = load_batch(step)'),
        `  File "${TRAIN}", line 70, in load_batch`,
        '    with open(path, "rb") as f:',
      ],
      final: `OSError: [Errno 5] Input/output error: '/data/tokens-${String(rank).padStart(3, '0')}-${String(step).padStart(5, '0')}.bin'`,
    }),
  },
};

/** Proof: the traceback, which only the rank itself prints. Without it some process of that Pod ended, and which and why stays open. */
export function planException(context: FaultContext, fault: Of<'exception'>): FaultPlan {
  const kind = EXCEPTIONS[fault.what];
  return {
    programs: editPhase(context, { ...fault, phase: kind.phase }, () => [
      { do: 'compute', ns: Math.round(context.random.between(1, 8) * MS) },
      { do: 'raise' },
    ]),
    raised: { rank: fault.rank, ...kind.say(fault.rank, fault.step, context.random) },
    truth: planTruth(fault, context.topology, {
      stages: ['exited-rank'],
      causes: kind.causes,
      proof: ownOutputTells(fault.rank),
    }),
  };
}

/** Proof: as for any exception, the rank's own traceback. */
export function planCudaOom(context: FaultContext, fault: Of<'cuda-oom'>): FaultPlan {
  const { random, topology } = context;
  const place = placeOf(topology, fault.rank);
  const tried = random.pick(['32.00 MiB', '512.00 MiB', '1.25 GiB', '2.00 GiB']);
  const free = random.between(8, 400).toFixed(2);
  const used = random.between(70, 76).toFixed(2);
  return {
    programs: editPhase(context, { ...fault, phase: 'forward' }, (phase) => [
      ...phase.slice(0, 1).filter((action): action is Action => action.do === 'compute'),
      { do: 'raise' },
    ]),
    raised: {
      rank: fault.rank,
      frames: [
        ...MAIN,
        ...inTrain(174, 'loss = model(x, y)'),
        '  File "/workspace/model.py", line 133, in forward',
        '    attn = torch.matmul(q, k.transpose(-2, -1))',
      ],
      final:
        `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${tried}. GPU ${place.localRank} has a total capacity of 79.11 GiB of which ${free} MiB is free. ` +
        `Process ${random.int(100_000, 900_000)} has 78.70 GiB memory in use. Of the allocated memory ${used} GiB is allocated by PyTorch, and 1.93 GiB is reserved by PyTorch but unallocated. ` +
        'If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  ' +
        'See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)',
    },
    truth: planTruth(fault, topology, {
      stages: ['exited-rank'],
      causes: ['cuda-out-of-memory'],
      proof: ownOutputTells(fault.rank),
    }),
  };
}

/**
 * The process is gone between two lines; nobody in the bundle says who sent the signal.
 *
 * Proof: the launcher of its node, which alone sees the signal. The state of the container is the launcher's own.
 */
export const planSigkill = (context: FaultContext, fault: Of<'sigkill'>): FaultPlan => ({
  programs: vanish(context, fault),
  truth: planTruth(fault, context.topology, {
    stages: ['exited-rank', 'host'],
    causes: ['killed'],
    proof: launcherTells(fault.rank),
  }),
});

/**
 * As a signal, but the kernel log and the container's reason say why.
 *
 * Proof: the launcher again; kernel and container name the Pod only, and the kernel's process id is not the container's. That much they
 * do prove: no failure elsewhere makes the kernel kill a process here for its memory.
 */
export const planHostOom = (context: FaultContext, fault: Of<'host-oom'>): FaultPlan => ({
  programs: vanish(context, fault),
  outOfMemory: { rank: fault.rank },
  truth: planTruth(fault, context.topology, {
    stages: ['host', 'exited-rank'],
    causes: ['host-out-of-memory', 'killed'],
    proof: (bundle) => {
      const told = launcherTells(fault.rank)(bundle);
      return told === 'nothing' && (bundle.kernelOfPods || bundle.podObjects || bundle.podTable) ? 'group' : told;
    },
  }),
});

const vanish = (context: FaultContext, fault: { rank: number; step: number }): ReturnType<typeof editPhase> =>
  editPhase(context, { ...fault, phase: 'data' }, () => [
    { do: 'compute', ns: Math.round(context.random.between(1, 20) * MS) },
    { do: 'vanish' },
  ]);
