/**
 * What `nvidia-smi --query-gpu=… --format=csv -l N` measured of each GPU, row by row:
 *
 *   timestamp, index, pci.bus_id, utilization.gpu [%], memory.used [MiB], power.draw [W], temperature.gpu
 *   2026/03/14 10:25:02.123, 5, 00000000:9D:00.0, 98 %, 71234 MiB, 612.40 W, 61
 *
 * Rows without a stamp or a GPU, and values that are no numbers (`[N/A]`), are passed over: a wrong curve is worse than none.
 */
import { pciAddress } from '../log/signatures/device-fault.ts';
import { readIsoStamp, toStamp } from '../log/stamp.ts';
import { readSmiCsvHeader } from './smi-csv.ts';

export const GPU_MEASURES = ['utilization.gpu', 'memory.used', 'power.draw', 'temperature.gpu'] as const;
export type GpuMeasure = (typeof GPU_MEASURES)[number];

export interface GpuRow {
  /** Epoch ns of the stamp, read as if its local time were UTC. */
  readonly ns: bigint;
  readonly index: number | undefined;
  /** `0000:9d:00.0` */
  readonly pci: string | undefined;
  /** Percent, bytes, watts, degrees Celsius. */
  readonly values: readonly { readonly measure: GpuMeasure; readonly value: number }[];
}

const MIB = 2 ** 20;

/** A reader of the rows under a header; undefined if the line is no such header, or names no time or none of the measures. */
export function readGpuRows(header: string): ((line: string) => GpuRow | undefined) | undefined {
  if (readSmiCsvHeader(header) === undefined) return undefined;
  const names = header.split(',').map((cell) => cell.trim().replace(/ \[[^\]]{1,20}\]$/, ''));
  const at = (name: string): number => names.indexOf(name);
  const columns = GPU_MEASURES.flatMap((measure) => (at(measure) < 0 ? [] : [{ measure, column: at(measure) }]));
  if (at('timestamp') < 0 || columns.length === 0) return undefined;
  return (line) => {
    const cells = line.slice(0, 8000).split(',');
    if (cells.length !== names.length) return undefined;
    const cell = (column: number): string => (column < 0 ? '' : (cells[column] ?? '').trim());
    const stamp = /^\d{4}\/\d\d\/\d\d /.test(cell(at('timestamp')))
      ? readIsoStamp(cell(at('timestamp')).replaceAll('/', '-'), 0)?.raw
      : undefined;
    if (stamp === undefined) return undefined;
    const digits = /^\d{1,3}$/.exec(cell(at('index')))?.[0];
    const pci = pciAddress(cell(at('pci.bus_id')) || cell(at('gpu_bus_id')));
    if (digits === undefined && pci === undefined) return undefined;
    const values = columns.flatMap(({ measure, column }) => {
      const number = /^(\d{1,9}(?:\.\d{1,6})?)(?: (?:%|MiB|W|C))?$/.exec(cell(column))?.[1];
      return number === undefined ? [] : [{ measure, value: Number(number) * (measure === 'memory.used' ? MIB : 1) }];
    });
    return { ns: toStamp(stamp).ns, index: digits === undefined ? undefined : Number(digits), pci, values };
  };
}
