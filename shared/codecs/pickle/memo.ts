/** What a pickle wrote down for later: one kind and number a memo index, as on the stack. */
import { MARK, NONE } from '../value-arena/index.ts';

/** Memo entries whose arrays are kept for the next pickle: 1 MB. */
const MAX_SPARE = 1 << 17;
let spare: { readonly kinds: Uint8Array; readonly nums: Float64Array } | undefined;

export class PickleMemo {
  private kinds: Uint8Array = new Uint8Array(0);
  private nums: Float64Array = new Float64Array(0);
  /** Highest index that was written, plus one. */
  count = 0;

  constructor() {
    // Dumps come one after the other: growing these anew for each costs more in collections than in copies.
    if (spare === undefined) this.grow(256);
    else ({ kinds: this.kinds, nums: this.nums } = spare);
    spare = undefined;
  }

  /** Gives the arrays to the next memo. Nothing of their old content is read: not beyond `count`, which starts at 0. */
  release(): void {
    if (this.kinds.length <= MAX_SPARE) spare = { kinds: this.kinds, nums: this.nums };
  }

  /** MARK if nothing was ever written there. */
  kindAt(index: number): number {
    return index < this.count ? (this.kinds[index] ?? MARK) : MARK;
  }
  numAt(index: number): number {
    return this.nums[index] ?? 0;
  }

  put(index: number, kind: number, num: number): void {
    if (index >= this.kinds.length) this.grow(index + 1);
    this.kinds[index] = kind;
    this.nums[index] = num;
    if (index < this.count) return;
    this.kinds.fill(MARK, this.count, index);
    this.count = index + 1;
  }

  private grow(need: number): void {
    let size = Math.max(256, this.kinds.length);
    while (size < need) size *= 2;
    const kinds = new Uint8Array(size).fill(NONE);
    kinds.set(this.kinds);
    const nums = new Float64Array(size);
    nums.set(this.nums);
    this.kinds = kinds;
    this.nums = nums;
  }
}
