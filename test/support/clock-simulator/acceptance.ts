/** The acceptance table: what is measured for each kind of evidence, and the limits that it is held to. */

import { judge, lastToEnter, quantile, solve } from './judge.ts';
import {
  communicatorSetUps,
  dumpSignals,
  podTimes,
  rendezvousRounds,
  storeBarriers,
  type Told,
} from './other-evidence.ts';
import { makeScenario, type Recipe } from './scenarios.ts';

/** One measured number beside its limit. */
export interface Measure {
  readonly line: string;
  readonly what: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly of: number;
}

export const holds = ({ value, atMost, atLeast }: Measure): boolean =>
  (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);

interface Limits {
  readonly p50: number;
  readonly p99: number;
  readonly width: number;
}

interface Line {
  readonly name: string;
  readonly limits: Limits;
  readonly tell: (seed: number) => Told;
}

const job =
  (recipe: Recipe) =>
  (seed: number): Told => {
    const scenario = makeScenario(recipe, seed);
    return { scenario, solved: solve(scenario) };
  };

const DP: Recipe = { shape: 'data-parallel', ranks: 64, pollMs: 100 };
const DP_SLOW: Recipe = { ...DP, pollMs: 1000 };
const THREE_D: Recipe = { shape: 'three-d', ranks: 512, pollMs: 100 };
const THREE_D_SMALL: Recipe = { ...THREE_D, ranks: 64 };

export const LINES: readonly Line[] = [
  { name: 'data-parallel, 8 ranks a node, 100 ms', limits: { p50: 0.5, p99: 3, width: 10 }, tell: job(DP) },
  { name: 'same, 1 s', limits: { p50: 2, p99: 10, width: 30 }, tell: job(DP_SLOW) },
  { name: '3-D, 512 ranks, 100 ms', limits: { p50: 4, p99: 15, width: 50 }, tell: job(THREE_D) },
  { name: '3-D, 64 ranks, 100 ms', limits: { p50: 6, p99: 30, width: 60 }, tell: job(THREE_D_SMALL) },
  { name: '3-D, 512 ranks, 1 s', limits: { p50: 40, p99: 150, width: 350 }, tell: job({ ...THREE_D, pollMs: 1000 }) },
  {
    name: 'one rank a node, 100 ms',
    limits: { p50: 2, p99: 10, width: 25 },
    tell: job({ shape: 'one-a-node', ranks: 8, pollMs: 100 }),
  },
  {
    name: 'blocking calls, 8 ranks a node',
    limits: { p50: 1, p99: 4, width: 20 },
    tell: job({ ...DP, ranks: 16, blocking: true, entries: 60 }),
  },
  { name: 'a clock slews by 510 ppm', limits: { p50: 0.5, p99: 10, width: 15 }, tell: job({ ...DP, slewing: true }) },
  { name: 'communicator set-ups', limits: { p50: 20, p99: 80, width: 300 }, tell: communicatorSetUps },
  { name: 'store barriers', limits: { p50: 20, p99: 80, width: 300 }, tell: storeBarriers },
  { name: 'rendezvous only', limits: { p50: 1500, p99: 4000, width: 6000 }, tell: rendezvousRounds },
  { name: 'dump signals only', limits: { p50: 150, p99: 350, width: 700 }, tell: dumpSignals },
  { name: "one Pod's times only", limits: { p50: 500, p99: 1600, width: 3500 }, tell: podTimes },
];

const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Errors, widths, coverage and false reports of one line over `count` scenarios. */
export function measureLine({ name, limits, tell }: Line, count: number): readonly Measure[] {
  const judged = seeds(count).map((seed) => {
    const { scenario, solved } = tell(seed);
    return judge(scenario, solved);
  });
  const errors = judged.flatMap((one) => one.errors);
  const widths = judged.flatMap((one) => one.likelyWidths);
  const claims = sum(judged.map((one) => one.claims));
  const of = { line: name, of: count };
  return [
    { ...of, what: 'error p50, ms', value: quantile(errors, 0.5), atMost: limits.p50 },
    { ...of, what: 'error p99, ms', value: quantile(errors, 0.99), atMost: limits.p99 },
    { ...of, what: 'likely width p50, ms', value: quantile(widths, 0.5), atMost: limits.width },
    { ...of, what: 'guaranteed missed', value: sum(judged.map((one) => one.guaranteedMissed)), atMost: 0, of: claims },
    {
      ...of,
      what: 'likely held, %',
      value: percent(claims - sum(judged.map((one) => one.likelyMissed)), claims),
      atLeast: 99.9,
      of: claims,
    },
    {
      ...of,
      what: 'false reports, %',
      value: percent(judged.filter((one) => one.reports > 0).length, count),
      atMost: 0.5,
    },
  ];
}

/** Verdicts on who entered the last call last, with margins drawn over a range. */
export function measureLastToEnter(count: number): readonly Measure[] {
  return [
    ...lastToEnterLine('last to enter, data-parallel 100 ms', DP, { count, from: 15, to: 120, guess: 9 }),
    ...lastToEnterLine('last to enter, 3-D 100 ms', THREE_D_SMALL, { count, from: 150, to: 500, guess: 90 }),
  ];
}

interface Margins {
  readonly count: number;
  /** ms. */
  readonly from: number;
  readonly to: number;
  /** Margin from which the best guess must be right, ms. */
  readonly guess: number;
}

function lastToEnterLine(line: string, recipe: Recipe, { count, from, to, guess }: Margins): readonly Measure[] {
  const found = seeds(count).map((seed) => {
    const lastMarginMs = from + ((to - from) * ((seed * 37) % 100)) / 100;
    const scenario = makeScenario({ ...recipe, lastMarginMs }, seed);
    // Without its dump the last rank cannot be seen.
    const seen = scenario.run.groups.some((members) => members.some(({ rank }) => rank === scenario.run.lastRank));
    return { ...lastToEnter(scenario, solve(scenario)), seen, lastMarginMs };
  });
  const seen = found.filter((one) => one.seen);
  const certain = seen.filter(({ verdict }) => verdict === 'certain');
  const likely = seen.filter(({ verdict }) => verdict === 'likely');
  const clear = seen.filter(({ lastMarginMs }) => lastMarginMs >= guess);
  const right = (list: readonly { readonly right: boolean }[]): number =>
    percent(list.filter((one) => one.right).length, list.length);
  return [
    { line, what: 'certain and right, %', value: right(certain), atLeast: 100, of: certain.length },
    { line, what: 'likely and right, %', value: right(likely), atLeast: 99.9, of: likely.length },
    { line, what: 'best guess right, %', value: right(clear), atLeast: 99, of: clear.length },
    {
      line,
      what: 'verdict given, %',
      value: percent(certain.length + likely.length, seen.length),
      atLeast: 95,
      of: seen.length,
    },
  ];
}

/** A clock is set while the job runs. */
export function measureSteps(count: number): readonly Measure[] {
  return [
    ...stepLine('clock step of 50 ms, 100 ms', { ...DP, stepMs: 50 }, count),
    ...stepLine('clock step of 2 s, 100 ms', { ...DP, stepMs: 2000 }, count),
    ...stepLine('clock step of 100 ms, 1 s', { ...DP_SLOW, stepMs: 100 }, count),
  ];
}

function stepLine(line: string, recipe: Recipe, count: number): readonly Measure[] {
  let reported = 0;
  let named = 0;
  let missed = 0;
  let claims = 0;
  for (const seed of seeds(count)) {
    const scenario = makeScenario(recipe, seed);
    const solved = solve(scenario);
    const odd = scenario.clockSpecs.findIndex(({ step }) => step !== undefined);
    const { steps, unreconciled } = solved.aligned.resolution;
    const accused = [
      ...solved.setBack.map((domain) => [domain]),
      ...[...steps, ...unreconciled].map(({ domain, others }) => [domain, ...others]),
    ];
    if (accused.length > 0) reported += 1;
    if (accused.length > 0 && accused.every((list) => list.length === 1 && list[0] === odd)) named += 1;
    const judged = judge(scenario, solved);
    missed += judged.guaranteedMissed;
    claims += judged.claims;
  }
  return [
    { line, what: 'reported, %', value: percent(reported, count), atLeast: 99, of: count },
    { line, what: 'right node, %', value: percent(named, reported), atLeast: 95, of: reported },
    { line, what: 'guaranteed missed', value: missed, atMost: 0, of: claims },
  ];
}

/** One rank's numbers are one too high. */
export function measureShifts(count: number): readonly Measure[] {
  const line = 'numbering shifted by one on one rank';
  let seen = 0;
  let reported = 0;
  let named = 0;
  for (const seed of seeds(count)) {
    const scenario = makeScenario({ ...DP, shifted: true }, seed);
    const { shifted } = scenario.spec;
    if (!scenario.run.groups.some((members) => members.some(({ rank }) => rank === shifted))) continue;
    seen += 1;
    const { misnumbered, aligned } = solve(scenario);
    if (misnumbered.length > 0 || aligned.resolution.steps.length + aligned.resolution.unreconciled.length > 0)
      reported += 1;
    if (misnumbered.length > 0 && misnumbered.every(({ rank }) => rank === shifted)) named += 1;
  }
  return [
    { line, what: 'reported, %', value: percent(reported, seen), atLeast: 90, of: seen },
    { line, what: 'rank named right, %', value: percent(named, reported), atLeast: 90, of: reported },
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const percent = (part: number, whole: number): number => (whole === 0 ? 100 : (100 * part) / whole);
