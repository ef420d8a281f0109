/**
 * `nvidia-smi --query-gpu=… --format=csv`: a header with the names that were asked for, one row a GPU, repeated with `-l`.
 *
 *   timestamp, index, pci.bus_id, ecc.errors.uncorrected.volatile.total, temperature.gpu
 *   2026/03/14 10:25:02.123, 5, 00000000:9D:00.0, 2, [GPU is lost]
 *
 * Without its header (`noheader`) nothing tells the columns.
 */
import { pciAddress } from '../log/signatures/device-fault.ts';
import { type RawStamp, readIsoStamp } from '../log/stamp.ts';
import type { GpuState } from './smi-tree.ts';

/** A column by which a row can be told, and one that only this program names so. */
const KEY = /^(?:index|gpu_uuid|uuid|pci\.bus_id|gpu_bus_id)$/;
const OWN =
  /^(?:ecc\.|retired_pages\.|remapped_rows\.|clocks[._]|utilization\.|temperature\.|power\.|memory\.(?:total|used|free)|pstate|driver_version|pci\.|fan\.speed|gpu_)/;
/** `memory.used [MiB]` → `memory.used` */
const nameOf = (cell: string): string => cell.trim().replace(/ \[[^\]]{1,20}\]$/, '');

export interface SmiCsv {
  /** What a row says of its GPU; undefined as well if the line is no row. */
  row(text: string): { readonly body: GpuState; readonly stamp: RawStamp | undefined } | undefined;
  readonly gpus: number;
  readonly stamp: RawStamp | undefined;
}

/** Undefined if the line is no header of such a table. */
export function readSmiCsvHeader(text: string): SmiCsv | undefined {
  if (text.length > 4000 || !text.includes(', ')) return undefined;
  const names = text.split(',').map(nameOf);
  if (names.length < 2 || !names.some((name) => KEY.test(name)) || !names.some((name) => OWN.test(name)))
    return undefined;
  if (!names.every((name) => /^[a-z][a-z0-9_.]{0,80}$/.test(name))) return undefined;
  const seen = new Set<string>();
  let last: RawStamp | undefined;
  return {
    row(line) {
      const cells = line.slice(0, 8000).split(',');
      if (cells.length !== names.length) return undefined;
      const byName = new Map(names.map((name, at) => [name, (cells[at] ?? '').trim()]));
      const pci = pciAddress(byName.get('pci.bus_id') ?? byName.get('gpu_bus_id') ?? '');
      const digits = /^\d{1,3}$/.exec(byName.get('index') ?? '')?.[0];
      const uuid = byName.get('uuid') ?? byName.get('gpu_uuid');
      if (pci === undefined && digits === undefined && uuid === undefined) return undefined;
      if (seen.size < 4096) seen.add(pci ?? digits ?? uuid ?? '');
      last = readSmiStamp(byName.get('timestamp') ?? '') ?? last;
      const place = { pci, index: digits === undefined ? undefined : Number(digits) };
      for (const [name, value] of byName) {
        const what = fault(name, value);
        if (what !== undefined)
          return { body: { kind: 'gpu-state', what, ...place, text: `${name}: ${value.slice(0, 100)}` }, stamp: last };
      }
      return undefined;
    },
    get gpus() {
      return seen.size;
    },
    get stamp() {
      return last;
    },
  };
}

/** `2026/03/14 10:25:02.123`: the node's local time. */
const readSmiStamp = (text: string): RawStamp | undefined =>
  /^\d{4}\/\d\d\/\d\d /.test(text) ? readIsoStamp(text.replaceAll('/', '-'), 0)?.raw : undefined;

function fault(name: string, value: string): GpuState['what'] | undefined {
  if (/^\[(?:GPU is lost|Unknown Error|GPU requires reset)\]$/i.test(value)) return 'lost';
  if (/^ecc\.errors\.uncorrected\.volatile\./.test(name) && Number(value) > 0) return 'memory-error';
  if (/^(?:retired_pages\.pending|remapped_rows\.(?:pending|failure))$/.test(name) && /^yes$|^[1-9]\d*$/i.test(value))
    return 'remap';
  if (name === 'gpu_recovery_action' && !/^(?:None|N\/A|\[N\/A\]|\[Not Supported\]|)$/i.test(value))
    return 'recovery-action';
  return undefined;
}
