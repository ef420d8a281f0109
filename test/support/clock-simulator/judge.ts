/** Solves a scenario with the product's own parts and holds the answer against the truth. All results in ms. */
import { EvidenceTable } from '#shared/analysis/clocks/evidence/evidence-table.ts';
import { precisionIn, strengthIn } from '#shared/analysis/clocks/evidence/kinds.ts';
import { reduceGroup, reduceTransfers } from '#shared/analysis/clocks/evidence/reduce-group.ts';
import { type Aligned, align } from '#shared/analysis/clocks/solver/align.ts';
import { boundsFrom } from '#shared/analysis/clocks/solver/bounds.ts';
import type { Operations } from '#shared/analysis/clocks/solver/operations.ts';
import type { Scenario } from './scenarios.ts';

export interface Solved {
  readonly aligned: Aligned;
  readonly operations: Operations;
  readonly misnumbered: readonly { readonly rank: number; readonly certain: boolean }[];
  /** Nodes whose own ranks show that the clock was set back. */
  readonly setBack: readonly number[];
}

/** As the product does it: once, and once more where clocks contradict each other, with the doubt that it is one of their ranks. */
export function solve(scenario: Pick<Scenario, 'clocks' | 'run'>): Solved {
  const first = solveOnce(scenario, new Set());
  const { steps, unreconciled } = first.aligned.resolution;
  const suspects = new Set([...steps, ...unreconciled].flatMap(({ domain, others }) => [domain, ...others]));
  if (suspects.size === 0) return first;
  const again = solveOnce(scenario, suspects);
  return again.misnumbered.length > first.misnumbered.length ? again : first;
}

function solveOnce({ clocks, run }: Pick<Scenario, 'clocks' | 'run'>, suspects: ReadonlySet<number>): Solved {
  const table = new EvidenceTable(
    clocks.map((_, i) => `node-${i}`),
    0n,
  );
  const setBack = new Set<number>();
  const misnumbered: { rank: number; certain: boolean }[] = [];
  for (const [index, members] of run.groups.entries()) {
    const why = `group ${index}`;
    const labels = {
      collective: table.label({ kind: 'collective', why, source: undefined }),
      lockstep: table.label({ kind: 'lockstep', why, source: undefined }),
    };
    const reduced = reduceGroup(table.builder, members, labels, suspects);
    misnumbered.push(...reduced.misnumbered);
    for (const { domain } of reduced.setBacks) setBack.add(domain);
  }
  const transfers = table.label({ kind: 'transfer', why: 'transfers', source: undefined });
  reduceTransfers(table.builder, run.transfers, transfers);
  const operations = table.finish();
  return {
    aligned: alignTable(
      table,
      operations,
      clocks.map(({ shows }) => shows(run.incidentNs)),
    ),
    operations,
    misnumbered,
    setBack: [...setBack],
  };
}

/** `api`: index of the API server's clock, if the table has one. */
export function alignTable(
  table: EvidenceTable,
  operations: Operations,
  moments: readonly number[],
  api?: number,
): Aligned {
  return align({
    operations,
    moments: Float64Array.from(moments),
    trusted: new Set(api === undefined ? [] : [api]),
    hidden: new Set(),
    preferred: api,
    strength: strengthIn(table),
    precision: precisionIn(table),
  });
}

export interface Judged {
  /** Estimate minus truth, without the median of the component. */
  readonly errors: readonly number[];
  readonly likelyWidths: readonly number[];
  readonly guaranteedWidths: readonly number[];
  readonly guaranteedMissed: number;
  readonly likelyMissed: number;
  readonly claims: number;
  readonly unknown: number;
  readonly reports: number;
}

/** A bound may miss by what the stamps' own rounding is, ms. */
const ROUNDING_MS = 1e-3;

export interface Truth {
  readonly clocks: Scenario['clocks'];
  readonly run: { readonly incidentNs: number };
}

export function judge({ clocks, run }: Truth, { aligned }: Pick<Solved, 'aligned'>): Judged {
  const truth = clocks.map(({ shows }) => (shows(run.incidentNs) - run.incidentNs) / 1e6);
  const errors: number[] = [];
  const out = {
    likelyWidths: [] as number[],
    guaranteedWidths: [] as number[],
    guaranteedMissed: 0,
    likelyMissed: 0,
    claims: 0,
    unknown: 0,
  };
  for (const [c, reference] of aligned.references.entries()) {
    const raw: number[] = [];
    for (const [d, offset] of truth.entries()) {
      if (aligned.component[d] !== c) continue;
      const real = offset - (truth[reference] ?? 0);
      raw.push((aligned.estimate[d] ?? Number.NaN) / 1e6 - real);
      if (d === reference) continue;
      const [low, high] = [(aligned.guaranteed.low[d] ?? 0) / 1e6, (aligned.guaranteed.high[d] ?? 0) / 1e6];
      const [likelyLow, likelyHigh] = [(aligned.likely.low[d] ?? 0) / 1e6, (aligned.likely.high[d] ?? 0) / 1e6];
      out.claims += 1;
      out.likelyWidths.push(likelyHigh - likelyLow);
      out.guaranteedWidths.push(high - low);
      if (real < low - ROUNDING_MS || real > high + ROUNDING_MS) out.guaranteedMissed += 1;
      if (real < likelyLow - ROUNDING_MS || real > likelyHigh + ROUNDING_MS) out.likelyMissed += 1;
    }
    const middle = quantile(raw, 0.5);
    errors.push(...raw.map((error) => Math.abs(error - middle)));
  }
  for (let d = 0; d < truth.length; d++) if (aligned.component[d] === -1) out.unknown += 1;
  const { steps, unreconciled } = aligned.resolution;
  return { errors, ...out, reports: steps.length + unreconciled.length };
}

export type Order = 'certain' | 'likely' | 'undecided';

export interface LastToEnter {
  readonly verdict: Order;
  /** Node of the rank that the verdict, or the best guess, calls last. */
  readonly node: number;
  readonly right: boolean;
}

/** Which node entered the last call last, by the product's bounds between pairs of clocks. */
export function lastToEnter(scenario: Scenario, { aligned }: Solved): LastToEnter {
  const { run, spec } = scenario;
  const newest = new Map<number, number>();
  for (const members of run.groups)
    for (const { rank, domain } of members) {
      const entered = run.enteredNs[rank] ?? Number.NaN;
      if (entered > (newest.get(domain) ?? -Infinity)) newest.set(domain, entered);
    }
  const nodes = [...newest.keys()].filter((d) => aligned.component[d] === 0);
  const corrected = (d: number): number => (newest.get(d) ?? 0) - (aligned.estimate[d] ?? 0);
  const node = nodes.reduce((best, d) => (corrected(d) > corrected(best) ? d : best), nodes[0] ?? 0);
  const sure = (system: 'guaranteed' | 'likely'): boolean => {
    const { upper } = boundsFrom(aligned.systems[system], node);
    // Correction of d minus that of the node, at most: what d entered lies before.
    return nodes.every((d) => d === node || (newest.get(d) ?? 0) + (upper[d] ?? Infinity) < (newest.get(node) ?? 0));
  };
  const verdict = sure('guaranteed') ? 'certain' : sure('likely') ? 'likely' : 'undecided';
  return { verdict, node, right: node === spec.nodeOf(run.lastRank) };
}

/** By the sorted values, nearest below; NaN for none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}
