/**
 * The blocks of all log files as columns, in the order of files and then of bytes, with the span of the keys of their lines.
 *
 * A key is a line's place in time, ns from the origin, raw. Inside a file keys never fall, so that merging files keeps the order in
 * each. The key of a line is its own time held between the ends of its block; the ends follow from the blocks before and after:
 *
 *   lo  after the highest key of the block before (a line without a time in front takes this)
 *   hi  the latest time in the block, but not later than the latest time of ANY block after it: one stamp from a wrong
 *       century must not push the rest of the file with it
 *
 * Blocks without times get 1 ns each behind the block before. Files without any time come after all others.
 */
import type { BlockInfo } from '../store/queries/log-queries.ts';

export interface BlockTable {
  readonly count: number;
  /** Row id in the store. */
  readonly id: Float64Array;
  readonly file: Int32Array;
  readonly firstLine: Float64Array;
  readonly lines: Int32Array;
  readonly byte: Float64Array;
  readonly bytes: Int32Array;
  readonly skip: Int32Array;
  /** 0 = UTF-8, 1 = UTF-16 little endian, 2 = big endian. */
  readonly encoding: Uint8Array;
  /** Ends of the keys, both inside. Raw; a basis adds one offset a file. */
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** First block of each file, and one more at the end. */
  readonly fileStart: Int32Array;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** From the first to the last time of any line; null if no line has one. */
  readonly span: { readonly fromNs: number; readonly toNs: number } | null;
}

/** Keys of files without times begin here: 100 days behind the origin in ns, exact as a double. */
export const UNTIMED_NS = 8.64e15;

const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be'];

/** `files`: the blocks of each file. `originMs`: ms since 1970 as a double. */
export function makeBlockTable(files: readonly (readonly BlockInfo[])[], originMs: number): BlockTable {
  const kept = files.map((blocks) => blocks.filter(({ lines }) => lines > 0));
  const count = kept.reduce((sum, blocks) => sum + blocks.length, 0);
  const table = {
    count,
    id: new Float64Array(count),
    file: new Int32Array(count),
    firstLine: new Float64Array(count),
    lines: new Int32Array(count),
    byte: new Float64Array(count),
    bytes: new Int32Array(count),
    skip: new Int32Array(count),
    encoding: new Uint8Array(count),
    lo: new Float64Array(count),
    hi: new Float64Array(count),
    fileStart: new Int32Array(kept.length + 1),
  };
  let at = 0;
  let totalBytes = 0;
  let totalLines = 0;
  let untimed = UNTIMED_NS;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const [file, blocks] of kept.entries()) {
    table.fileStart[file] = at;
    for (const [i, block] of blocks.entries()) {
      const row = at + i;
      table.id[row] = block.id;
      table.file[row] = file;
      table.firstLine[row] = block.firstLine;
      table.lines[row] = block.lines;
      table.byte[row] = block.byte;
      table.bytes[row] = block.bytes;
      table.skip[row] = block.skip;
      table.encoding[row] = Math.max(0, ENCODINGS.indexOf(block.encoding));
      totalBytes += block.bytes;
      totalLines += block.lines;
    }
    const times = timesOf(blocks, originMs);
    if (!spanKeys(times, table.lo.subarray(at, at + blocks.length), table.hi.subarray(at, at + blocks.length))) {
      for (let row = at; row < at + blocks.length; row += 1) {
        untimed += 1000;
        table.lo[row] = untimed;
        table.hi[row] = untimed;
      }
    } else if (blocks.length > 0) {
      from = Math.min(from, table.lo[at] ?? from);
      to = Math.max(to, table.hi[at + blocks.length - 1] ?? to);
    }
    at += blocks.length;
  }
  table.fileStart[kept.length] = at;
  return { ...table, totalBytes, totalLines, span: from <= to ? { fromNs: from, toNs: to } : null };
}

interface BlockTimes {
  /** ns from the origin; NaN if no line of the block has a time. The last is rounded up to the next ms. */
  readonly first: number;
  readonly last: number;
}

const timesOf = (blocks: readonly BlockInfo[], originMs: number): readonly BlockTimes[] =>
  blocks.map(({ t0, t1 }) => ({
    first: t0 === null ? Number.NaN : (t0 - originMs) * 1e6,
    last: t1 === null ? Number.NaN : (t1 + 1 - originMs) * 1e6,
  }));

/** False if no block has a time. */
function spanKeys(times: readonly BlockTimes[], lo: Float64Array, hi: Float64Array): boolean {
  const cap = new Float64Array(times.length);
  let least = Number.POSITIVE_INFINITY;
  for (let i = times.length - 1; i >= 0; i -= 1) {
    cap[i] = least;
    const { last } = times[i] ?? { last: Number.NaN };
    if (last < least) least = last;
  }
  const start = times.find(({ first }) => !Number.isNaN(first))?.first;
  if (start === undefined) return false;
  let before = Number.NaN;
  for (const [i, { first, last }] of times.entries()) {
    const own = Number.isNaN(first) ? start : Math.min(first, cap[i] ?? first);
    const low = Number.isNaN(before) ? own : before + 1;
    const high = Number.isNaN(last) ? low : Math.max(low, Math.min(last, cap[i] ?? last));
    lo[i] = low;
    hi[i] = high;
    before = high;
  }
  return true;
}
