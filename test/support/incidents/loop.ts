/**
 * The training loop as a program for each rank: what it would do if nothing went wrong. A fault edits programs.
 *
 *     step ─ data ─ forward (tensor-parallel all_reduce, pipeline send/recv) ─ backward (gradient buckets) ─ optimizer
 *          └ every n steps: log line, evaluation (all_gather), checkpoint (rank 0 writes, all wait in a barrier)
 */

import {
  allToAll,
  barrier,
  broadcast,
  type CallSpec,
  gatherPredictions,
  gradientBucket,
  gradientNorm,
  tensorReduce,
  transfer,
  verifyShapes,
} from './calls.ts';
import { MS } from './clock.ts';
import { lightningText } from './lightning.ts';
import { createRandom, type Random } from './random.ts';
import type { AppLog, IncidentSpec } from './spec.ts';
import { type Group, range, type Topology } from './topology.ts';

export type Phase = 'data' | 'forward' | 'backward' | 'optimizer' | 'evaluation' | 'checkpoint';

export type Action =
  | { readonly do: 'mark'; readonly step: number; readonly phase: Phase }
  | { readonly do: 'compute'; readonly ns: number }
  | { readonly do: 'call'; readonly call: CallSpec }
  /** The CPU waits until the device has finished what was enqueued. */
  | { readonly do: 'sync' }
  | { readonly do: 'log'; readonly text: string; readonly level: 'INFO' | 'WARNING' | 'ERROR' }
  /** The process goes on living and never comes back. */
  | { readonly do: 'hang' }
  /** Python raises; what is printed is the aftermath's business. */
  | { readonly do: 'raise' }
  /** The process is gone without a word. */
  | { readonly do: 'vanish' }
  /** The program ends its process with this code. */
  | { readonly do: 'leave'; readonly code: number };

export type Program = readonly Action[];

export function buildPrograms(spec: IncidentSpec, topology: Topology, random: Random): Program[] {
  const losses = random.fork('loss');
  const lossAt = range(spec.loop.steps).map((step) => (2.35 - step * 0.0008 + losses.between(-0.04, 0.04)).toFixed(4));
  return topology.ranks.map(({ rank }) => {
    const own = random.fork(`loop-${rank}`);
    const actions: Action[] = [
      { do: 'call', call: verifyShapes(topology.world) },
      { do: 'call', call: broadcast(topology.world) },
      { do: 'sync' },
    ];
    for (let step = 0; step < spec.loop.steps; step++) {
      pushStep(actions, { spec, topology, rank, step, random: own, loss: lossAt[step] ?? '0' });
    }
    actions.push({ do: 'log', text: `finished after ${spec.loop.steps} steps`, level: 'INFO' });
    return actions;
  });
}

interface StepPlan {
  readonly spec: IncidentSpec;
  readonly topology: Topology;
  readonly rank: number;
  readonly step: number;
  readonly random: Random;
  readonly loss: string;
}

function pushStep(actions: Action[], plan: StepPlan): void {
  const { spec, topology, rank, step } = plan;
  const { loop } = spec;
  const due = (every: number): boolean => every > 0 && (step + 1) % every === 0;
  const mark = (phase: Phase): void => {
    actions.push({ do: 'mark', step, phase });
  };
  mark('data');
  pushCompute(actions, plan, 0.05);
  mark('forward');
  pushForward(actions, plan);
  mark('backward');
  for (const numel of loop.buckets) {
    pushCompute(actions, plan, 0.4 / loop.buckets.length);
    actions.push({ do: 'call', call: gradientBucket(topology.dataOf(rank), numel) });
  }
  const expertData = topology.expertDataOf(rank);
  if (expertData !== undefined) actions.push({ do: 'call', call: gradientBucket(expertData, EXPERT_ELEMENTS) });
  mark('optimizer');
  actions.push({ do: 'call', call: gradientNorm(topology.world) }, { do: 'sync' });
  pushCompute(actions, plan, 0.1);
  if (rank === 0 && due(loop.logEvery))
    actions.push({ do: 'log', text: `step ${step} loss ${plan.loss}`, level: 'INFO' });
  if (due(loop.evaluateEvery)) {
    mark('evaluation');
    pushEvaluation(actions, plan);
  }
  if (due(loop.checkpointEvery)) {
    mark('checkpoint');
    pushCheckpoint(actions, plan);
  }
}

const EXPERT_ELEMENTS = 1_048_576;

/** `share` of the step's time, a little different each time. */
function pushCompute(actions: Action[], plan: StepPlan, share: number): void {
  const ns = Math.round(plan.spec.loop.stepMs * MS * share * plan.random.between(0.92, 1.08));
  actions.push({ do: 'compute', ns });
}

function pushForward(actions: Action[], plan: StepPlan): void {
  const { topology, rank, random } = plan;
  const tensor = topology.tensorOf(rank);
  const pipeline = topology.pipelineOf(rank);
  const self = pipeline?.ranks.indexOf(rank) ?? 0;
  const last = (pipeline?.ranks.length ?? 1) - 1;
  if (pipeline !== undefined && self > 0)
    actions.push({ do: 'call', call: transfer(pipeline, { src: self - 1, dst: self, self }) });
  const experts = topology.expertOf(rank);
  if (experts !== undefined) {
    const tokens = tokensOf(plan, experts);
    pushCompute(actions, plan, 0.2);
    actions.push({ do: 'call', call: allToAll(experts, tokens) });
    pushCompute(actions, plan, 0.25);
    actions.push({ do: 'call', call: allToAll(experts, { in: tokens.out, out: tokens.in }) });
  } else if (tensor === undefined) {
    pushCompute(actions, plan, 0.45);
  } else {
    for (let layer = 0; layer < 2; layer++) {
      pushCompute(actions, plan, 0.2);
      actions.push({ do: 'call', call: tensorReduce(tensor) });
    }
  }
  if (pipeline !== undefined && self < last)
    actions.push({ do: 'call', call: transfer(pipeline, { src: self, dst: self + 1, self }) });
  // Ranks are never quite in step.
  actions.push({ do: 'compute', ns: Math.round(random.between(0, 2) * MS) });
}

/** Every rank sends as many; how many each gets is the router's choice of this step. What the group sends and gets is the same. */
function tokensOf({ spec, rank, step }: StepPlan, group: Group): { in: number; out: number } {
  const each = 1024;
  const random = createRandom(spec.seed).fork(`router-${group.name}-${step}`);
  const spread = group.ranks.map(() => random.int(-200, 200));
  const rest = spread.reduce((sum, one) => sum + one, 0);
  const own = group.ranks.indexOf(rank);
  return { in: each, out: each + (spread[own] ?? 0) - (own === 0 ? rest : 0) };
}

function pushEvaluation(actions: Action[], plan: StepPlan): void {
  const { spec, topology, rank, step } = plan;
  actions.push({ do: 'call', call: gatherPredictions(spec.backend, topology.world) }, { do: 'sync' });
  if (rank === 0)
    actions.push({ do: 'log', text: `step ${step} evaluated ${topology.worldSize * 4} rows`, level: 'INFO' });
}

function pushCheckpoint(actions: Action[], plan: StepPlan): void {
  const { spec, topology, rank, step, random } = plan;
  if (rank === 0) {
    const path = checkpointPath(step);
    actions.push({ do: 'log', text: `saving ${path}`, level: 'INFO' });
    actions.push({ do: 'compute', ns: Math.round(random.between(20, 60) * MS) });
    actions.push({ do: 'log', text: `saved ${path}`, level: 'INFO' });
  }
  const call = topology.side === undefined ? barrier(spec.backend, topology.world) : barrier('gloo', topology.side);
  actions.push({ do: 'call', call }, { do: 'sync' });
}

export const checkpointPath = (step: number): string => `/checkpoints/step-${String(step).padStart(6, '0')}.pt`;

/** The program's own line, in the style its author chose. `stamp` is local time `2026-03-14 11:27:36,864`. */
export function formatAppLine(
  style: AppLog,
  line: { rank: number; level: string; text: string; stamp: string; steps?: number },
): string {
  switch (style) {
    case 'lightning':
      return lightningText(line.text, line.steps ?? 1);
    case 'bracket':
      return `[rank${line.rank}] ${line.level} ${line.text}`;
    case 'python':
      return `${line.stamp} ${line.level} train: ${line.text}`;
    case 'basic':
      return `${line.level}:train:${line.text}`;
    case 'columns':
      return `${line.stamp} | ${line.rank} | train.py:111 | ${line.text}`;
    case 'deepspeed':
      return `[${line.stamp}] [${line.level}] [train.py:111:train] [Rank ${line.rank}] ${line.text}`;
    case 'accelerate':
      return `${usDate(line.stamp)} - ${line.level} - __main__ - ${line.text}`;
  }
}

/** `2026-03-14 11:27:36,864` as `03/14/2026 11:27:36`. */
const usDate = (stamp: string): string =>
  `${stamp.slice(5, 7)}/${stamp.slice(8, 10)}/${stamp.slice(0, 4)} ${stamp.slice(11, 19)}`;
