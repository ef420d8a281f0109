/** Python tracebacks as torch's exception hook prints them, and the sources they quote. */
import type { CallSpec, Frame } from '../calls.ts';
import type { Raised } from '../faults/plan.ts';
import { LIGHTNING_FRAMES } from '../lightning.ts';
import type { AppLog } from '../spec.ts';

/** Source text of the frames that occur; a frame that is not here prints without one, as Python does for frozen code. */
const SOURCES: Record<string, string> = {
  train: 'loss.backward()',
  '<module>': 'train()',
  _verify_param_shape_across_processes: 'return dist._verify_params_across_processes(process_group, tensors, logger)',
  __init__: '_verify_param_shape_across_processes(self.process_group, parameters)',
  backward: 'torch.autograd.backward(',
  _engine_run_backward:
    'return Variable._execution_engine.run_backward(  # Calls into the C++ engine to run the backward pass',
  wrapper: 'return func(*args, **kwargs)',
  all_reduce: 'work.wait()',
  all_gather: 'work.wait()',
  barrier: 'work.wait()',
  clip_grad_norm: 'dist.all_reduce(total)',
  gather_predictions: 'dist.all_gather(parts, rows)',
  save_checkpoint: 'dist.barrier()',
};

/** Every line carries `[rankN]: `, from torch 2.2 on. A framework's frames stand below those of the program's main block. */
export function formatTraceback(raised: Raised, style: AppLog): string {
  const prefix = `[rank${raised.rank}]: `;
  const { frames } = raised;
  const all =
    style === 'lightning'
      ? [frames[0] ?? '', '    trainer.fit(model, loader)', ...LIGHTNING_FRAMES, ...frames.slice(2)]
      : frames;
  return ['Traceback (most recent call last):', ...all, raised.final].map((line) => prefix + line).join('\n');
}

/** The program catches what the call raised and raises its own from it. */
export function formatWrapped(raised: Raised, style: AppLog): string {
  const own = {
    rank: raised.rank,
    frames: [
      '  File "/workspace/train.py", line 240, in guarded',
      '    raise StepFailed("step failed, giving up") from error',
    ],
    final: 'StepFailed: step failed, giving up',
  };
  const between = `[rank${raised.rank}]: \n[rank${raised.rank}]: The above exception was the direct cause of the following exception:\n[rank${raised.rank}]: `;
  return [formatTraceback(raised, style), between, formatTraceback(own, 'bracket')].join('\n');
}

export function tracebackLines(call: CallSpec): string[] {
  return [...call.frames].reverse().flatMap((frame) => {
    const source = SOURCES[frame.name];
    const head = `  File "${frame.file}", line ${frame.line}, in ${frame.name}`;
    return source === undefined ? [head] : [head, `    ${source}`];
  });
}

/** The watchdog's form: `#0 all_reduce from /opt/…/distributed_c10d.py:2806`. */
export const formatStack = (frames: readonly Frame[]): string =>
  frames.map((frame, i) => `#${i} ${frame.name} from ${frame.file}:${frame.line}`).join('\n');
