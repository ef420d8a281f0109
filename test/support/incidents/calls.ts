/** What a collective call looks like to the recorder and to the watchdog, per backend. */

import type { Random } from './random.ts';
import type { Backend } from './spec.ts';
import type { Group } from './topology.ts';

export interface Frame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

type Shape = readonly number[];

export interface CallSpec {
  readonly group: Group;
  /** As in the recorder's `profiling_name` after the colon: `all_reduce`. */
  readonly op: string;
  /** As in the watchdog's line: `ALLREDUCE`. */
  readonly opType: string;
  /** One shape a tensor. */
  readonly input: readonly Shape[];
  readonly output: readonly Shape[];
  readonly dtype: string;
  /** Innermost first. */
  readonly frames: readonly Frame[];
  /** Group-local ranks of a point-to-point operation. */
  readonly p2p: { readonly src: number; readonly dst: number } | undefined;
}

const SITE = '/opt/venv/lib/python3.11/site-packages/torch';
const TRAIN = '/workspace/train.py';
const frame = (name: string, file: string, line: number): Frame => ({ name, file, line });
const ENTRY = [frame('train', TRAIN, 182), frame('<module>', TRAIN, 207)];
const C10D_WRAPPER = frame('wrapper', `${SITE}/distributed/c10d_logger.py`, 81);

const FRAMES = {
  verify: [
    frame('_verify_param_shape_across_processes', `${SITE}/distributed/utils.py`, 286),
    frame('__init__', `${SITE}/nn/parallel/distributed.py`, 835),
    frame('train', TRAIN, 151),
    frame('<module>', TRAIN, 207),
  ],
  bucket: [
    frame('_engine_run_backward', `${SITE}/autograd/graph.py`, 824),
    frame('backward', `${SITE}/autograd/__init__.py`, 353),
    frame('backward', `${SITE}/_tensor.py`, 648),
    ...ENTRY,
  ],
  tensor: [
    frame('all_reduce', `${SITE}/distributed/distributed_c10d.py`, 2806),
    C10D_WRAPPER,
    frame('reduce_from_tensor_parallel_region', '/workspace/layers.py', 88),
    frame('forward', '/workspace/model.py', 141),
    ...ENTRY,
  ],
  experts: [
    frame('all_to_all_single', `${SITE}/distributed/distributed_c10d.py`, 4398),
    C10D_WRAPPER,
    frame('exchange_tokens', '/workspace/moe.py', 74),
    frame('forward', '/workspace/moe.py', 131),
    ...ENTRY,
  ],
  pipeline: [
    frame('batch_isend_irecv', `${SITE}/distributed/distributed_c10d.py`, 2638),
    frame('exchange', '/workspace/pipeline.py', 61),
    frame('forward_step', '/workspace/pipeline.py', 103),
    ...ENTRY,
  ],
  norm: [
    frame('all_reduce', `${SITE}/distributed/distributed_c10d.py`, 2806),
    C10D_WRAPPER,
    frame('clip_grad_norm', '/workspace/optim.py', 44),
    ...ENTRY,
  ],
  evaluation: [
    frame('all_gather', `${SITE}/distributed/distributed_c10d.py`, 3706),
    C10D_WRAPPER,
    frame('gather_predictions', TRAIN, 111),
    ...ENTRY,
  ],
  histogram: [
    frame('all_gather', `${SITE}/distributed/distributed_c10d.py`, 3706),
    C10D_WRAPPER,
    frame('log_histogram', '/workspace/metrics.py', 52),
    ...ENTRY,
  ],
  barrier: [
    frame('barrier', `${SITE}/distributed/distributed_c10d.py`, 4635),
    C10D_WRAPPER,
    frame('save_checkpoint', TRAIN, 96),
    ...ENTRY,
  ],
} as const;

const allReduce = (group: Group, numel: number, dtype: string, frames: readonly Frame[]): CallSpec => ({
  group,
  op: 'all_reduce',
  opType: 'ALLREDUCE',
  input: [[numel]],
  output: [[numel]],
  dtype,
  frames,
  p2p: undefined,
});

/** DDP's first call: every rank tells how many parameters it has. */
export const verifyShapes = (group: Group): CallSpec => ({
  ...allReduce(group, 1, 'Long', FRAMES.verify),
  op: 'all_gather',
  opType: 'ALLGATHER',
  output: [[group.ranks.length, 1]],
});

export const broadcast = (group: Group): CallSpec => ({
  ...allReduce(group, 18, 'Long', FRAMES.verify),
  op: 'broadcast',
  opType: 'BROADCAST',
});

export const gradientBucket = (group: Group, numel: number): CallSpec =>
  allReduce(group, numel, 'Float', FRAMES.bucket);
export const tensorReduce = (group: Group): CallSpec => allReduce(group, 2_097_152, 'BFloat16', FRAMES.tensor);
export const gradientNorm = (group: Group): CallSpec => allReduce(group, 1, 'Float', FRAMES.norm);

/**
 * Tokens to the ranks that hold their experts, or back: each rank sends and gets as many as its tokens' experts make it, so that sizes
 * differ between ranks and nothing is wrong with that.
 */
export const allToAll = (group: Group, tokens: { readonly in: number; readonly out: number }): CallSpec => ({
  ...allReduce(group, 1, 'BFloat16', FRAMES.experts),
  op: 'all_to_all',
  opType: 'ALLTOALL_BASE',
  input: [[tokens.in, HIDDEN]],
  output: [[tokens.out, HIDDEN]],
});

const HIDDEN = 4096;

/** One end of a transfer; `self` is the caller's rank inside the group. */
export function transfer(group: Group, ends: { src: number; dst: number; self: number }): CallSpec {
  const { src, dst, self } = ends;
  const sends = src === self;
  return {
    ...allReduce(group, 4_194_304, 'BFloat16', FRAMES.pipeline),
    op: sends ? `send ${src}->${dst}` : `recv ${dst}<-${src}`,
    opType: sends ? 'SEND' : 'RECV',
    p2p: { src, dst },
  };
}

export function gatherPredictions(backend: Backend, group: Group): CallSpec {
  const n = group.ranks.length;
  const base = allReduce(group, 40, 'Float', FRAMES.evaluation);
  return backend === 'gloo'
    ? { ...base, op: 'all_gather', opType: 'ALLGATHER', input: [[4, 10]], output: [[n, 4, 10]] }
    : { ...base, op: '_all_gather_base', opType: '_ALLGATHER_BASE', output: [[40 * n]] };
}

export function barrier(backend: Backend, group: Group): CallSpec {
  const base = allReduce(group, 1, 'Float', FRAMES.barrier);
  return backend === 'gloo'
    ? { ...base, op: 'barrier', opType: 'BARRIER', input: [], output: [] }
    : { ...base, op: 'all_reduce_barrier' };
}

/** A gather where the others reduce: what a rank-dependent branch does. */
export function otherOperation(backend: Backend, call: CallSpec): CallSpec {
  const other = gatherPredictions(backend, call.group);
  return { ...other, frames: FRAMES.histogram };
}

/** The same operation on more elements: a batch that was not padded on this rank. */
export function otherSize(call: CallSpec, random: Random): CallSpec {
  const numel = numelOf(call.input) + random.int(1, 64) * 8;
  return { ...call, input: [[numel]], output: [[numel]] };
}

/** Elements of all tensors; a scalar (empty shape) counts one. */
export const numelOf = (shapes: readonly Shape[]): number =>
  shapes.reduce((sum, shape) => sum + shape.reduce((product, n) => product * n, 1), 0);
