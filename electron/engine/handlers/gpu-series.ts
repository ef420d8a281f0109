/** What nvidia-smi measured over time, out of the stored text of its tables: read once a case, when a curve is first asked for. */
import { type GpuRow, readGpuRows } from '#shared/formats/gpu-state/smi-samples.ts';
import { COVERAGE_VIEW } from '#shared/views/coverage/types.ts';
import type { GpuSeries, LanesView } from '#shared/views/lanes/index.ts';
import { asCoverageView } from '#shared/views/stored.ts';
import type { CaseReader } from '../store/case-reader.ts';

/** Rows of all files together: more of them change no curve that fits a screen. */
const MOST_ROWS = 400_000;
const ROWS_AT_ONCE = 4000;
const LONGEST_LINE = 4096;
const ENTRIES_AT_ONCE = 1000;
/** GPUs of one file; hostile text can name any number. */
const MOST_GPUS = 64;

export function gpuSeries(view: LanesView, reader: CaseReader): GpuSeries[] {
  const coverage = asCoverageView(reader.view(COVERAGE_VIEW));
  const files = new Map(coverage?.files.map((file) => [file.entry, file]));
  const found: GpuSeries[] = [];
  let left = MOST_ROWS;
  for (let offset = 0; offset < reader.entryCount(); offset += ENTRIES_AT_ONCE) {
    for (const entry of reader.entryPage(offset, ENTRIES_AT_ONCE)) {
      if (entry.format !== 'gpu-state' || left <= 0) continue;
      const rows = [...rowsOf(reader, entry.contentSlot, left)];
      left -= rows.length;
      const file = files.get(entry.id);
      const [first] = rows;
      if (first === undefined) continue;
      // The import has settled the zone of the file: its first stamp says where the others stand.
      const originNs = file?.fromNs == null ? Number(first.ns - BigInt(view.originNs)) : file.fromNs;
      const node = file?.nodes.length === 1 ? (file.nodes[0] ?? null) : null;
      const at = ({ ns }: GpuRow): number => originNs + Number(ns - first.ns);
      found.push(...seriesOf(rows, at, { node, clock: file?.clock ?? -1 }));
    }
  }
  return found;
}

function* rowsOf(reader: CaseReader, slot: number, most: number): Generator<GpuRow> {
  let read: ReturnType<typeof readGpuRows>;
  let count = 0;
  for (let fromLine = 1; count < most; fromLine += ROWS_AT_ONCE) {
    const { lines, total } = reader.lines(slot, { fromLine, maxLines: ROWS_AT_ONCE, maxLineBytes: LONGEST_LINE });
    for (const { bytes } of lines) {
      const text = bytes.toString('utf8');
      if (read === undefined) {
        read = readGpuRows(text);
        // Its header is the first line; other forms of this format hold one moment only.
        if (read === undefined) return;
        continue;
      }
      const row = read(text);
      if (row !== undefined && count++ < most) yield row;
    }
    if (fromLine + ROWS_AT_ONCE > total) return;
  }
}

function seriesOf(
  rows: readonly GpuRow[],
  at: (row: GpuRow) => number,
  place: Pick<GpuSeries, 'node' | 'clock'>,
): GpuSeries[] {
  const byGpu = new Map<string, GpuRow[]>();
  for (const row of rows) {
    const key = row.pci ?? `${row.index}`;
    const known = byGpu.get(key);
    if (known !== undefined) known.push(row);
    else if (byGpu.size < MOST_GPUS) byGpu.set(key, [row]);
  }
  return [...byGpu.values()].map((list): GpuSeries => {
    const sorted = list.map((row) => ({ row, at: at(row) })).sort((a, b) => a.at - b.at);
    const [first] = list;
    const measures = new Set(list.flatMap(({ values }) => values.map(({ measure }) => measure)));
    return {
      ...place,
      index: first?.index ?? null,
      pci: first?.pci ?? null,
      beside: byGpu.size,
      measures: new Map(
        [...measures].map((measure) => {
          const known = sorted.flatMap(({ row, at: ns }) => {
            const value = row.values.find((one) => one.measure === measure)?.value;
            return value === undefined ? [] : [{ ns, value }];
          });
          const samples = {
            atNs: Float64Array.from(known, ({ ns }) => ns),
            value: Float64Array.from(known, ({ value }) => value),
          };
          return [measure, samples];
        }),
      ),
    };
  });
}
