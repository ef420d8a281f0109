/** How a second attempt ends. None of it is what the customer asks about: that began in the first attempt. */
import { MS } from '../clock.ts';
import type { Restart } from '../spec.ts';
import { placeOf } from '../topology.ts';
import { planFault } from './index.ts';
import { editPhase, type FaultContext, type FaultPlan, type Raised } from './plan.ts';

/** `saved`: the step of the newest checkpoint, -1 without. */
export function planNext(context: FaultContext, restart: Restart, saved: number): FaultPlan {
  const { spec, programs } = context;
  const nothing = planFault({ ...context, spec: { ...spec, fault: { kind: 'healthy' } } });
  switch (restart.second) {
    case 'again':
      return planFault(context);
    case 'well':
      return nothing;
    case 'mesh':
      return { ...nothing, programs: programs.map(() => [{ do: 'hang' }]), noMesh: true };
    case 'resume':
      return {
        ...nothing,
        programs: programs.map((program, rank) => (rank === restart.rank ? [{ do: 'raise' }] : program)),
        raised: tornCheckpoint(restart.rank ?? 0, saved),
      };
    case 'later': {
      const rank = restart.rank ?? 0;
      const at = { rank, step: spec.loop.steps - 1, phase: 'forward' } as const;
      const pause = Math.round(context.random.between(1, 8) * MS);
      return {
        ...nothing,
        programs: editPhase(context, at, () => [{ do: 'compute', ns: pause }, { do: 'raise' }]),
        raised: unrelated(rank, placeOf(context.topology, rank).localRank),
      };
    }
  }
}

/** The process that wrote it was gone before it was whole. */
const tornCheckpoint = (rank: number, saved: number): Raised => ({
  rank,
  frames: [
    '  File "/workspace/train.py", line 207, in <module>',
    '    train()',
    '  File "/workspace/train.py", line 144, in train',
    '    state = torch.load(path, map_location="cpu")',
    '  File "/opt/venv/lib/python3.11/site-packages/torch/serialization.py", line 1494, in load',
    '    with _open_zipfile_reader(opened_file) as opened_zipfile:',
  ],
  final: `RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory (/checkpoints/step-${String(Math.max(0, saved) + 1).padStart(6, '0')}.pt)`,
});

const unrelated = (rank: number, localRank: number): Raised => ({
  rank,
  frames: [
    '  File "/workspace/train.py", line 207, in <module>',
    '    train()',
    '  File "/workspace/train.py", line 181, in train',
    '    metrics.push(step, loss)',
    '  File "/workspace/metrics.py", line 31, in push',
    '    self.rows[key].append(value)',
  ],
  final: `KeyError: 'loss/local_${localRank}'`,
});
