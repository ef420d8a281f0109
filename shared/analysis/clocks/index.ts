/**
 * Which clocks wrote the stamps of a bundle, and what is known of their differences. Start with README.md.
 *
 *   evidence/*  what bundles tell ─► one table of operations ─► solver/*  bounds, contradictions, estimates ─► describe.ts
 *
 * A clock without evidence on both sides has no offset (undefined, never 0) and a component of its own: nothing may be
 * compared across components.
 */
import type { ClocksFact, PlacedEvent, RankMapFact } from '../../model/facts.ts';
import type { IncidentInput } from '../../model/incident.ts';
import { type ClockOfDump, clocksOfDumps, type RankedDump, rankDumps } from '../collectives/index.ts';
import { alignmentChanges } from './changes.ts';
import { type ClockKind, clockKinds } from './clock-kinds.ts';
import { describeClocks, type Evidence } from './describe.ts';
import { addClockNotes, cutAtSteps } from './evidence/clock-notes.ts';
import { EvidenceTable, UTC } from './evidence/evidence-table.ts';
import { precisionIn, strengthIn } from './evidence/kinds.ts';
import { API, addKubernetes } from './evidence/kubernetes.ts';
import { addLogLines } from './evidence/log-lines.ts';
import { addRecorders } from './evidence/recorder.ts';
import { addSetUps } from './evidence/set-ups.ts';
import { addTimeServices } from './evidence/time-service.ts';
import { firstTrouble, newestStamps } from './moments.ts';
import { type ClockOverride, setByAnalyst } from './overrides.ts';
import { rememberAlignment } from './pair-bounds.ts';
import { type Aligned, align } from './solver/align.ts';

export { whatAlignmentChanged } from './changes.ts';
export { type Clocked, canCompare, clockOf, leastMsBetween, orderOf } from './order.ts';
export type { ClockOverride } from './overrides.ts';
export { type OffsetBounds, offsetBetween } from './pair-bounds.ts';

/**
 * Clocks by kind (API server, nodes, streams), then name. `events` are the placed ones: their clocks are the streams of
 * Pods and files whose node is not known. `overrides` are the analyst's: each takes the place of all other evidence about
 * its clock.
 */
export function computeClocks(
  input: IncidentInput,
  rankMap: RankMapFact,
  events: readonly PlacedEvent[] = [],
  overrides: readonly ClockOverride[] = [],
): ClocksFact {
  const kinds = clockKinds(input, rankMap, events);
  const names = [...kinds.keys(), UTC];
  const { evidence, aligned } = alignTwice((suspects) =>
    gather(input, { rankMap, events, names, overrides, suspects }),
  );
  const { table, moments } = evidence;
  const fact = describeClocks({ kinds, names, evidence, aligned });
  rememberAlignment(fact, { names, table, moments, aligned });
  const changed = alignmentChanges({ events, dumps: evidence.ranked, clockOf: evidence.clockOf }, fact);
  if (changed.length === 0) return fact;
  const told = { ...fact, changed };
  rememberAlignment(told, { names, table, moments, aligned });
  return told;
}

/**
 * Once, and where clocks contradict each other once more with the doubt that it is a single rank of theirs. The second attempt counts only
 * if it finds such a rank.
 */
function alignTwice(gathered: (suspects: ReadonlySet<number>) => Gathered): {
  readonly evidence: Gathered;
  readonly aligned: Aligned;
} {
  const evidence = gathered(new Set());
  const first = { evidence, aligned: alignEvidence(evidence) };
  const { steps, unreconciled } = first.aligned.resolution;
  const suspects = new Set([...steps, ...unreconciled].flatMap(({ domain, others }) => [domain, ...others]));
  if (suspects.size === 0) return first;
  const again = gathered(suspects);
  if (again.recorder.misnumbered.length <= evidence.recorder.misnumbered.length) return first;
  return { evidence: again, aligned: alignEvidence(again) };
}

function alignEvidence({ operations, moments, table, names }: Gathered): Aligned {
  const api = names.indexOf(API);
  const utc = names.length - 1;
  return align({
    operations,
    moments,
    trusted: new Set(api < 0 ? [utc] : [api, utc]),
    hidden: new Set([utc]),
    preferred: api < 0 ? undefined : api,
    strength: strengthIn(table),
    precision: precisionIn(table),
  });
}

interface Gathering {
  readonly rankMap: RankMapFact;
  readonly events: readonly PlacedEvent[];
  readonly names: readonly string[];
  readonly overrides: readonly ClockOverride[];
  readonly suspects: ReadonlySet<number>;
}

interface Gathered extends Evidence {
  readonly names: readonly string[];
  readonly ranked: readonly RankedDump[];
  readonly clockOf: ClockOfDump;
}

function gather(input: IncidentInput, { rankMap, events, names, overrides, suspects }: Gathering): Gathered {
  const { ranked } = rankDumps(input.dumps, rankMap, events);
  const clocks = clocksOfDumps(rankMap, events);
  const newest = newestStamps(events);
  const table = new EvidenceTable(names, baseOf(input, newest));
  const trouble = firstTrouble(events);
  const recorder = addRecorders(table, {
    // Calls of two attempts bear the same numbers, and the attempts may lie minutes apart.
    dumps: ranked.filter(({ attemptUntold }) => attemptUntold !== true),
    worldSize: rankMap.worldSize,
    clockOf: clocks,
    troubleOf: (clock) => trouble.get(clock),
    suspects,
  });
  addKubernetes(table, input);
  addLogLines(table, events);
  addSetUps(table, events);
  const toldSteps = addClockNotes(table, events);
  const moments = new Float64Array(names.length).fill(Number.NaN);
  for (const [index, name] of names.entries()) {
    const stamp = newest.get(name);
    if (stamp !== undefined) moments[index] = table.relative(stamp) ?? Number.NaN;
  }
  const nodes = names.filter(
    (name) => rankMap.pods.some(({ node }) => node === name) || input.leases.some(({ node }) => node === name),
  );
  addTimeServices(table, input.timeReports ?? [], { entries: input.entries, nodes, moments });
  const { operations, notes, taken } = setByAnalyst(table, overrides, moments);
  const stamps = stampsByClock(table, events);
  // What an analyst set holds whatever a service wrote.
  const own = toldSteps.filter(({ domain }) => !taken.some(({ clock }) => clock === names[domain]));
  const steps = cutAtSteps(operations, own, moments, (d) => stamps.get(d) ?? []);
  momentsOfEvidence(operations, moments);
  const told = [...recorder.notes, ...notes];
  return { table, operations, moments, recorder, steps, notes: told, overrides: taken, names, ranked, clockOf: clocks };
}

/** First and last stamp of the job's own records, by clock: time services write their own. */
function stampsByClock(table: EvidenceTable, events: readonly PlacedEvent[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, [number, number]>();
  for (const { clock, event } of events) {
    const { stamp, body } = event;
    const d = table.indexOf(clock);
    if (d === undefined || stamp === undefined || stamp.zoneAssumed || stamp.kind === 'boot') continue;
    const at = body.kind === 'clock-note' ? undefined : table.relative(stamp.ns);
    if (at === undefined) continue;
    const known = found.get(d);
    found.set(d, known === undefined ? [at, at] : [Math.min(known[0], at), Math.max(known[1], at)]);
  }
  return found;
}

/** Any instant near the bundle's: the newest stamp of the first clock that has one, else of any evidence. */
function baseOf(input: IncidentInput, newest: ReadonlyMap<string, bigint>): bigint {
  const first = [...newest].sort(([a], [b]) => (a < b ? -1 : 1))[0]?.[1];
  if (first !== undefined) return first;
  for (const { columns } of input.dumps) for (const ns of columns.createdNs) if (ns > 0n) return ns;
  const stamps = [
    ...input.leases.flatMap(({ renewTime, managedAt }) => [renewTime, managedAt]),
    ...input.pods.flatMap(({ created, startTime }) => [created, startTime]),
    ...input.kubeEvents.flatMap(({ first: seen, created }) => [seen, created]),
    ...input.nodes.map(({ statusManagedAt }) => statusManagedAt),
    ...(input.timeReports ?? []).map(({ at }) => at),
  ].filter((stamp) => stamp !== undefined);
  return stamps[0] ?? 0n;
}

/** Without a moment of its own a clock is asked about at the newest evidence that it has. */
function momentsOfEvidence(operations: Evidence['operations'], moments: Float64Array): void {
  const newest = new Float64Array(moments.length).fill(Number.NaN);
  for (let row = 0; row < operations.domain.length; row++) {
    const d = operations.domain[row] ?? 0;
    for (const column of [operations.low, operations.high, operations.likelyLow, operations.likelyHigh]) {
      const t = column[row] ?? Number.NaN;
      if (Number.isFinite(t) && !(t <= (newest[d] ?? Number.NaN))) newest[d] = t;
    }
  }
  for (let d = 0; d < moments.length; d++) {
    if (!Number.isFinite(moments[d])) moments[d] = Number.isFinite(newest[d]) ? (newest[d] ?? 0) : 0;
  }
}

export type { ClockKind };
