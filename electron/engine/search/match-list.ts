/**
 * The whole result in order, while it is small enough to be held: then rows can be folded, gaps shown, and the next error found without
 * reading. One column an attribute; positions in the columns are the order of the list.
 */
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import type { HitDetail } from './scan-block.ts';

export interface MatchList {
  readonly count: number;
  readonly block: Int32Array;
  /** Index in the block. */
  readonly line: Int32Array;
  /** On the basis, ns. */
  readonly keyNs: Float64Array;
  /** −1 = not known. */
  readonly rank: Int32Array;
  readonly slot: Uint8Array;
  readonly shape: Uint32Array;
  readonly continues: Uint8Array;
}

/** O(n log n) in matches. */
export function makeMatchList(index: CaseIndex, basis: Basis, details: ReadonlyMap<number, HitDetail>): MatchList {
  const blocks = [...details.keys()].sort((a, b) => a - b);
  const count = blocks.reduce((sum, block) => sum + (details.get(block)?.line.length ?? 0), 0);
  const keys = new Float64Array(count);
  const owner = new Int32Array(count);
  const place = new Int32Array(count);
  let at = 0;
  for (const block of blocks) {
    const detail = details.get(block);
    if (detail === undefined) continue;
    const shift = shiftOf(index.files[index.blocks.file[block] ?? 0], basis);
    for (let i = 0; i < detail.line.length; i += 1, at += 1) {
      keys[at] = (detail.keyNs[i] ?? 0) - shift;
      owner[at] = block;
      place[at] = i;
    }
  }
  // Positions rise with block and line, so that a stable order of equal keys is theirs.
  const order = Uint32Array.from(keys.keys()).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
  const list = {
    count,
    block: new Int32Array(count),
    line: new Int32Array(count),
    keyNs: new Float64Array(count),
    rank: new Int32Array(count),
    slot: new Uint8Array(count),
    shape: new Uint32Array(count),
    continues: new Uint8Array(count),
  };
  for (const [to, from] of order.entries()) {
    const block = owner[from] ?? 0;
    const i = place[from] ?? 0;
    const detail = details.get(block);
    list.block[to] = block;
    list.keyNs[to] = keys[from] ?? 0;
    list.line[to] = detail?.line[i] ?? 0;
    list.rank[to] = detail?.rank[i] ?? -1;
    list.slot[to] = detail?.slot[i] ?? 0;
    list.shape[to] = detail?.shape[i] ?? 0;
    list.continues[to] = detail?.continues[i] ?? 0;
  }
  return list;
}

/** Position of the first match at or after a moment. */
export function firstAt(list: MatchList, timeNs: number): number {
  let low = 0;
  let high = list.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list.keyNs[middle] ?? 0) < timeNs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of a line, or of the first match behind it. */
export function positionOf(
  list: MatchList,
  ref: { readonly block: number; readonly line: number; readonly keyNs: number },
): number {
  let at = firstAt(list, ref.keyNs);
  while (at < list.count && list.keyNs[at] === ref.keyNs) {
    const block = list.block[at] ?? 0;
    if (block > ref.block || (block === ref.block && (list.line[at] ?? 0) >= ref.line)) break;
    at += 1;
  }
  return at;
}
