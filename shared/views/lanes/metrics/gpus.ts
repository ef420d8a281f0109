/**
 * GPUs as members: what nvidia-smi measured of each, over the time since its measurement before. A GPU is a rank's only by its address on
 * the bus, or by its index where the ranks of the node stand on all of its GPUs: else nothing tells which process saw which GPU under
 * which number.
 */
import type { Lane, LanesView } from '../types.ts';
import type { MeasureUnit } from './read-measures.ts';
import { printedMember } from './samples.ts';
import type { Member, MetricInfo } from './types.ts';

/** One GPU of one node over time. */
export interface GpuSeries {
  /** Null: the file does not tell. */
  readonly node: string | null;
  /** Index into the clocks of the view; -1 = unknown. */
  readonly clock: number;
  readonly index: number | null;
  /** `0000:9d:00.0` */
  readonly pci: string | null;
  /** GPUs that were measured beside it, itself among them. */
  readonly beside: number;
  /** Of a measure by its name; raw ns from the origin, ascending. */
  readonly measures: ReadonlyMap<string, { readonly atNs: Float64Array; readonly value: Float64Array }>;
}

/** As nvidia-smi names them. */
export const GPU_METRICS: readonly { readonly measure: string; readonly name: string; readonly unit: MeasureUnit }[] = [
  { measure: 'utilization.gpu', name: 'GPU utilisation', unit: '%' },
  { measure: 'memory.used', name: 'GPU memory', unit: 'bytes' },
  { measure: 'power.draw', name: 'GPU power', unit: 'W' },
  { measure: 'temperature.gpu', name: 'GPU temperature', unit: '°C' },
];

export function gpuMetrics(
  view: LanesView,
  gpus: readonly GpuSeries[],
): { readonly infos: readonly MetricInfo[]; readonly members: ReadonlyMap<string, readonly Member[]> } {
  const members = new Map<string, readonly Member[]>();
  const infos = GPU_METRICS.flatMap(({ measure, name, unit }): MetricInfo[] => {
    const id = `gpu:${measure}`;
    const found = gpus.flatMap((gpu): Member[] => {
      const samples = gpu.measures.get(measure);
      if (samples === undefined || samples.atNs.length < 2) return [];
      return [printedMember(view, { rank: rankOf(view, gpu), clock: gpu.clock, ...samples })];
    });
    if (found.length === 0) return [];
    members.set(id, found);
    const unplaced = found.filter(({ rank }) => rank === null).length;
    return [{ id, name, unit, source: 'gpu', members: found.length, unplaced }];
  });
  return { infos, members };
}

function rankOf(view: LanesView, { node, index, pci, beside }: GpuSeries): number | null {
  const there = view.lanes.filter((lane) => lane.rank !== null && node !== null && lane.node === node);
  const byAddress = there.filter(({ gpu }) => pci !== null && gpu?.toLowerCase().includes(pci) === true);
  if (byAddress.length === 1) return byAddress[0]?.rank ?? null;
  const numbers = there.map(numberOf);
  const all = beside === there.length && new Set(numbers).size === there.length && !numbers.includes(null);
  return all ? (there.find((lane) => numberOf(lane) === index)?.rank ?? null) : null;
}

const numberOf = ({ gpu }: Lane): number | null => {
  const digits = /^\d{1,3}(?= |$)/.exec(gpu ?? '')?.[0];
  return digits === undefined ? null : Number(digits);
};
