/** What main and worker threads know of a case before any line is read. The same in each of them: it follows from the file alone. */
import { LogStore } from '../store/log-store.ts';
import type { BlockInfo } from '../store/queries/log-queries.ts';
import { type BlockTable, makeBlockTable } from './block-table.ts';
import { type LogFile, type LogFiles, readLogFiles } from './log-files.ts';

export type Basis = 'raw' | 'corrected';

export interface CaseIndex extends LogFiles {
  readonly store: LogStore;
  readonly blocks: BlockTable;
  readonly density: DensityCells;
}

/** Where lines are counted in time: a row of buckets for each offset that files have, not for each file, of which there may be thousands. */
export interface DensityCells {
  /** Of the case's span; views add them up to pixels. */
  readonly buckets: number;
  /** Row of each file. */
  readonly rowOf: Int32Array;
  /** Offset of each row, ns. */
  readonly offsetsNs: readonly number[];
}

const MAX_BUCKETS = 4096;
/** Where every file has an offset of its own. Chosen: pixels of half a screen. */
const MIN_BUCKETS = 512;
/** Cells of all rows. */
const MAX_CELLS = 2 ** 20;

export function layOutDensity(files: readonly Pick<LogFile, 'offsetNs'>[]): DensityCells {
  const rows = new Map<number, number>();
  for (const { offsetNs } of files) if (!rows.has(offsetNs)) rows.set(offsetNs, rows.size);
  return {
    buckets: Math.max(MIN_BUCKETS, Math.min(MAX_BUCKETS, Math.floor(MAX_CELLS / Math.max(1, rows.size)))),
    rowOf: Int32Array.from(files, ({ offsetNs }) => rows.get(offsetNs) ?? 0),
    offsetsNs: [...rows.keys()],
  };
}

/** What the lines of a block are read with. */
export type BlockPlace = Pick<CaseIndex, 'files' | 'origin' | 'blocks'>;

/** Opens a connection of its own; `index.store.close()` ends it. Throws if the file cannot be read. */
export function openCaseIndex(caseFile: string): CaseIndex {
  const store = new LogStore(caseFile);
  const files = readLogFiles(store);
  const originMs = Number(files.originNs / 1_000_000n) + Number(files.originNs % 1_000_000n) / 1e6;
  const blocks = makeBlockTable(
    files.files.map(({ record, zoneNs }) => inUtc(store.blocksOf(record.contentSlot), zoneNs)),
    originMs,
  );
  return { ...files, store, blocks, density: layOutDensity(files.files) };
}

/** Times of blocks are stored as they were written; here they get the zone that the case proved later. */
function inUtc(blocks: readonly BlockInfo[], zoneNs: number | null): readonly BlockInfo[] {
  const ms = (zoneNs ?? 0) / 1e6;
  if (ms === 0) return blocks;
  return blocks.map((block) => ({
    ...block,
    t0: block.t0 === null ? null : block.t0 - ms,
    t1: block.t1 === null ? null : block.t1 - ms,
  }));
}

/** What a basis takes off the raw times of a file, ns. */
export const shiftOf = (file: LogFile | undefined, basis: Basis): number =>
  file === undefined || basis === 'raw' ? 0 : file.offsetNs;
