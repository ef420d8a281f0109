/**
 * Curves of a case over time: what ranks print of their progress, what their recorders tell, how far clocks may be off.
 *
 *   progress lines ─ read-measures ─► samples ─┐
 *   calls of the lanes ─────────────► recorder ─┼─► members, a row each ─► curve: band, median, single ranks
 *   clocks ────────────────────────────────────┤
 *   rows of nvidia-smi ── gpus ────────────────┘
 *
 * Pure. The store is made once a case; a curve costs its ranks times the columns that are drawn.
 */
import { boundHalfNs, shiftOf } from '../clock-correction.ts';
import type { LanesView } from '../types.ts';
import { curveOf } from './curve.ts';
import { type GpuSeries, gpuMetrics } from './gpus.ts';
import { type MeasureUnit, readMeasures } from './read-measures.ts';
import { callRateMember, lookBackOf, recordedLanes, timeInCallsMember } from './recorder.ts';
import { printedMember, type Samples, stepMember, stepTimeMember } from './samples.ts';
import { MADE_METRICS, type Member, type MetricCurve, type MetricInfo, type MetricRequest } from './types.ts';

export { GPU_METRICS, type GpuSeries } from './gpus.ts';
export { type Measure, type MeasureUnit, readMeasures } from './read-measures.ts';
export { MADE_METRICS, type MadeMetric, type MetricCurve, type MetricInfo, type MetricRequest } from './types.ts';

/** A line of progress as import kept it. */
export interface ProgressLine {
  /** Null: nothing tells who printed it. */
  readonly rank: number | null;
  readonly entry: number;
  readonly step: number | null;
  /** Raw, ns from the origin of the lanes. */
  readonly rawNs: number;
  readonly text: string;
}

export interface MetricStore {
  readonly infos: readonly MetricInfo[];
  /** Names beyond the limit, the rarest. */
  readonly leftOut: number;
  readonly members: (id: string) => readonly Member[];
}

/** Printed names that are kept: more are no measures but text that looks like them. */
const MOST_PRINTED = 24;
/** Different names looked at; hostile lines have a new one each. */
const MOST_NAMES = 400;

export function buildMetrics(
  view: LanesView,
  unsorted: readonly ProgressLine[],
  gpus: readonly GpuSeries[] = [],
): MetricStore {
  // Files come in the order of their import.
  const lines = [...unsorted].sort((a, b) => a.rawNs - b.rawNs || a.entry - b.entry || (a.text < b.text ? -1 : 1));
  const printed = printedSamples(view, lines);
  const steps = stepSamples(view, lines).filter(({ value }) => value.some((step) => step !== value[0]));
  const lanes = recordedLanes(view);
  const backNs = lookBackOf(view);
  const laneOf = new Map(view.lanes.flatMap((lane) => (lane.rank === null ? [] : [[lane.rank, lane] as const])));
  const made: Readonly<Record<(typeof MADE_METRICS)[number], () => readonly Member[]>> = {
    'step-time': () => steps.map((samples) => stepTimeMember(view, samples)),
    step: () =>
      steps.map((samples) => {
        const lane = samples.rank === null ? undefined : laneOf.get(samples.rank);
        return stepMember(view, samples, lane?.log === 'own' ? (lane.logToNs ?? 0) : 0);
      }),
    'time-in-calls': () => lanes.map((lane) => timeInCallsMember(view, lane, backNs)),
    'calls-per-second': () => lanes.map((lane) => callRateMember(view, lane, backNs)),
    'clock-bound': () => clockMembers(view),
  };
  const units: Readonly<Record<(typeof MADE_METRICS)[number], MeasureUnit>> = {
    ...{ 'step-time': 'ms', step: '', 'time-in-calls': '%', 'calls-per-second': 'calls/s', 'clock-bound': 'ms' },
  };
  const sources = { 'step-time': 'lines', step: 'lines', 'clock-bound': 'clocks' } as const;
  const infos: MetricInfo[] = MADE_METRICS.map((id) => {
    const members = made[id]();
    const source = id in sources ? sources[id as keyof typeof sources] : ('recorder' as const);
    const unplaced = source === 'lines' ? members.filter(({ rank }) => rank === null).length : 0;
    return { id, name: '', unit: units[id], source, members: members.length, unplaced };
  });
  for (const [id, { name, unit, samples }] of printed.kept)
    infos.push({
      ...{ id, name, unit, source: 'lines', members: samples.length },
      unplaced: samples.filter(({ rank }) => rank === null).length,
    });
  const measured = gpuMetrics(view, gpus);
  infos.push(...measured.infos);
  return {
    infos: infos.filter(({ members }) => members > 0),
    leftOut: printed.leftOut,
    members(id) {
      const gpu = measured.members.get(id);
      if (gpu !== undefined) return gpu;
      const own = MADE_METRICS.find((one) => one === id);
      if (own !== undefined) return made[own]();
      return (printed.kept.get(id)?.samples ?? []).map((samples) => printedMember(view, samples));
    },
  };
}

/** Null if the case has no such curve. */
export function metricCurve(store: MetricStore, id: string, request: MetricRequest): MetricCurve | null {
  const members = store.members(id);
  return members.length === 0 ? null : curveOf(id, members, request);
}

class Gathered {
  readonly rank: number | null;
  readonly clock: number;
  readonly points: { readonly at: number; readonly value: number }[] = [];

  constructor(rank: number | null, clock: number) {
    this.rank = rank;
    this.clock = clock;
  }

  /** Of one moment the greatest value, whatever the order of files. */
  samples(): Samples {
    const sorted = this.points.sort((a, b) => a.at - b.at || a.value - b.value);
    const { rank, clock } = this;
    return {
      ...{ rank, clock },
      atNs: Float64Array.from(sorted, ({ at }) => at),
      value: Float64Array.from(sorted, ({ value }) => value),
    };
  }
}

/** One printer a rank and clock, or a file where the rank is not known; by rank, then file. */
class Printers {
  readonly #view: LanesView;
  readonly #clockOf: ReadonlyMap<number, number>;
  readonly #laneClock: ReadonlyMap<number, number>;
  readonly #byKey = new Map<string, Gathered>();

  constructor(view: LanesView) {
    this.#view = view;
    this.#clockOf = new Map(view.files.map(({ entry, clock }) => [entry, clock]));
    this.#laneClock = new Map(view.lanes.flatMap(({ rank, clock }) => (rank === null ? [] : [[rank, clock] as const])));
  }

  add(line: ProgressLine, value: number): void {
    if (line.rank !== null && !this.#laneClock.has(line.rank)) return;
    const own = line.rank === null ? -1 : (this.#laneClock.get(line.rank) ?? -1);
    const clock = this.#clockOf.get(line.entry) ?? own;
    const key = line.rank === null ? `file ${line.entry}` : `${line.rank}`;
    const known = this.#byKey.get(key) ?? new Gathered(line.rank, clock < 0 ? own : clock);
    this.#byKey.set(key, known);
    // Stamps of a second file move onto the clock of the first.
    const away = clock < 0 || clock === known.clock ? 0 : this.#between(clock, known.clock);
    known.points.push({ at: line.rawNs - away, value });
  }

  #between = (clock: number, other: number): number =>
    shiftOf(this.#view, clock, 'corrected') - shiftOf(this.#view, other, 'corrected');

  all(): Samples[] {
    const order = ({ rank }: Samples): number => rank ?? Number.POSITIVE_INFINITY;
    return [...this.#byKey.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, one]) => one.samples())
      .sort((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
  }
}

function stepSamples(view: LanesView, lines: readonly ProgressLine[]): Samples[] {
  const printers = new Printers(view);
  for (const line of lines) if (line.step !== null) printers.add(line, line.step);
  return printers.all();
}

interface Printed {
  readonly name: string;
  readonly unit: MeasureUnit;
  readonly samples: readonly Samples[];
}

function printedSamples(
  view: LanesView,
  lines: readonly ProgressLine[],
): { readonly kept: ReadonlyMap<string, Printed>; readonly leftOut: number } {
  const byId = new Map<string, { name: string; unit: MeasureUnit; count: number; printers: Printers }>();
  for (const line of lines) {
    for (const { name, unit, value } of readMeasures(line.text)) {
      const id = `line:${unit}:${name}`;
      let known = byId.get(id);
      if (known === undefined) {
        if (byId.size >= MOST_NAMES) continue;
        known = { name, unit, count: 0, printers: new Printers(view) };
        byId.set(id, known);
      }
      known.count += 1;
      known.printers.add(line, value);
    }
  }
  // What is printed once is no curve.
  const often = [...byId].filter(([, { count }]) => count > 1);
  often.sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1));
  const kept = often.slice(0, MOST_PRINTED).map(([id, { name, unit, printers }]): [string, Printed] => {
    return [id, { name, unit, samples: printers.all() }];
  });
  return { kept: new Map(kept.filter(([, { samples }]) => samples.length > 0)), leftOut: often.length - kept.length };
}

/** Half width of what is guaranteed of each clock that is related to the others and is not the one they are related to. */
function clockMembers(view: LanesView): Member[] {
  return view.clocks.flatMap((clock, at) => {
    if (clock.reference || clock.offsetNs === null || boundHalfNs(clock, clock.momentNs ?? 0) === null) return [];
    const ranks = view.lanes.flatMap((lane) => (lane.clock === at && lane.rank !== null ? [lane.rank] : []));
    return [
      {
        rank: null,
        ranks,
        fill({ values }, { basis, from, to, columns }): boolean {
          const shift = shiftOf(view, at, basis);
          for (let i = 0; i < columns; i++) {
            const half = boundHalfNs(clock, from + ((i + 0.5) / columns) * (to - from) + shift);
            if (half !== null) values[i] = half / 1e6;
          }
          return true;
        },
      },
    ];
  });
}
