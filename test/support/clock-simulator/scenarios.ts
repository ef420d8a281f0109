/** The lines of the acceptance table, each a recipe for scenarios by seed. */
import { createRandom, type Random } from '../incidents/random.ts';
import { type JobRun, type JobSpec, runJob } from './job.ts';
import { type ClockSpec, drawClock, type NodeClock, nodeClock } from './node-clock.ts';

export interface Scenario {
  readonly spec: JobSpec;
  readonly clocks: readonly NodeClock[];
  readonly clockSpecs: readonly ClockSpec[];
  readonly run: JobRun;
}

export type Shape = 'data-parallel' | 'one-a-node' | 'three-d';

export interface Recipe {
  readonly shape: Shape;
  readonly ranks: number;
  readonly pollMs: number;
  /** Entries that a data-parallel rank makes; three-d jobs make three steps. */
  readonly entries?: number;
  readonly lastMarginMs?: number;
  readonly blocking?: boolean;
  /** ms; on one node, somewhere in the middle. */
  readonly stepMs?: number;
  readonly shifted?: boolean;
  /** One node slews by 510 ppm from some moment on. */
  readonly slewing?: boolean;
}

export function makeScenario(recipe: Recipe, seed: number): Scenario {
  const random = createRandom(seed);
  const spec = jobOf(recipe, random.fork('job'));
  const nodes = 1 + Math.max(...Array.from({ length: spec.ranks }, (_, rank) => spec.nodeOf(rank)));
  const clockRandom = random.fork('clocks');
  const odd = clockRandom.int(0, nodes - 1);
  const length = lengthOf(spec);
  const clockSpecs = Array.from({ length: nodes }, (_, node): ClockSpec => {
    const drawn = drawClock(clockRandom);
    const at = length * clockRandom.between(0.25, 0.75);
    if (node !== odd) return drawn;
    if (recipe.slewing === true) return { ...drawn, slew: { fromNs: at, ppm: clockRandom.chance(0.5) ? 510 : -510 } };
    if (recipe.stepMs === undefined) return drawn;
    return { ...drawn, step: { atNs: at, sizeNs: recipe.stepMs * 1e6 * (clockRandom.chance(0.5) ? 1 : -1) } };
  });
  const clocks = clockSpecs.map(nodeClock);
  return { spec, clocks, clockSpecs, run: runJob(spec, clocks, random.fork('run')) };
}

/** About how long the job runs, ns. */
export const lengthOf = (spec: JobSpec): number =>
  spec.steps * (spec.step.length * spec.computeNs * 1.2 + (spec.stepComputeNs ?? 0));

function jobOf(recipe: Recipe, random: Random): JobSpec {
  const perNode = recipe.shape === 'one-a-node' ? 1 : 8;
  const common = {
    ranks: recipe.ranks,
    pollNs: recipe.pollMs * 1e6,
    nodeOf: (rank: number) => Math.floor(rank / perNode),
    missingDumps: 0.05,
    ahead: random.chance(0.5) ? 0 : random.int(1, 3),
    ...(recipe.blocking === undefined ? {} : { blocking: recipe.blocking }),
    ...(recipe.lastMarginMs === undefined ? {} : { lastMarginNs: recipe.lastMarginMs * 1e6, ahead: 0 }),
    ...(recipe.shifted === true ? { shifted: random.int(0, recipe.ranks - 1) } : {}),
  };
  if (recipe.shape !== 'three-d') {
    const entries = recipe.entries ?? (recipe.shape === 'one-a-node' ? 2000 : 400);
    const calls = random.int(2, 12);
    return {
      ...common,
      groups: [Array.from({ length: recipe.ranks }, (_, rank) => rank)],
      step: new Array(calls).fill(0),
      steps: Math.ceil(entries / calls),
      computeNs: random.between(5e6, 40e6),
      ring: Math.round(entries * random.between(0.8, 1.1)),
    };
  }
  return { ...common, ...threeD(recipe, random) };
}

/**
 * 8 tensor × 4 pipeline × the rest data-parallel; a node holds one tensor group. A step is micro-batches through
 * the stages, then its buckets in quick succession (reduced, norm over the model, gathered).
 */
function threeD(
  { ranks }: Recipe,
  random: Random,
): Omit<JobSpec, 'ranks' | 'nodeOf' | 'pollNs' | 'ahead' | 'missingDumps'> {
  const [tp, pp] = [8, Math.min(4, Math.max(2, ranks / 32))];
  const dp = Math.floor(ranks / (tp * pp));
  const at = (t: number, p: number, d: number): number => (d * pp + p) * tp + t;
  const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  const data = range(tp * pp).map((tpp) => range(dp).map((d) => at(tpp % tp, Math.floor(tpp / tp), d)));
  const model = range(dp).map((d) => range(tp * pp).map((tpp) => at(tpp % tp, Math.floor(tpp / tp), d)));
  const groups = [...data, ...model];
  const buckets = random.int(8, 16);
  const step = [
    ...range(buckets).flatMap(() => range(data.length)),
    ...range(model.length).map((i) => data.length + i),
    ...range(buckets).flatMap(() => range(data.length)),
  ];
  // Micro-batches go down the stages one behind the other, and back alike.
  const batches = random.int(8, 16);
  const waves = range(batches + pp - 2).flatMap((wave) =>
    range(pp - 1).flatMap((p) => (wave - p >= 0 && wave - p < batches ? [p] : [])),
  );
  const hops = [...waves.map((p) => [p, p + 1] as const), ...waves.map((p) => [pp - 1 - p, pp - 2 - p] as const)];
  const transfers = hops.flatMap(([from, to]) =>
    range(dp * tp).map((i) => {
      const [t, d] = [i % tp, Math.floor(i / tp)];
      return { from: at(t, from, d), to: at(t, to, d), group: groups.length + i };
    }),
  );
  return {
    groups,
    step,
    transfers,
    transferComputeNs: random.between(10e6, 40e6),
    steps: random.int(3, 4),
    computeNs: random.between(0.5e6, 3e6),
    stepComputeNs: random.between(50e6, 200e6),
    ring: 2000,
  };
}
