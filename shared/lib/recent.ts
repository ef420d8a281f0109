/** What was seen last, to be used again: thousands of equal parts are held once, and comparing stays cheap however many differ. */
export class Recent<T> {
  private readonly same: (a: T, b: T) => boolean;
  private readonly most: number;
  private readonly list: T[] = [];

  /** `most`: how many are remembered, newest use first; each look compares with at most so many. */
  constructor(same: (a: T, b: T) => boolean, most: number) {
    this.same = same;
    this.most = most;
  }

  /** An equal one of before, or the value itself. `keep` makes what is remembered of a value that is new. */
  of(value: T, keep: (value: T) => T = (one) => one): T {
    const at = this.list.findIndex((known) => this.same(known, value));
    const [known] = at < 0 ? [] : this.list.splice(at, 1);
    const kept = known ?? keep(value);
    this.list.unshift(kept);
    if (this.list.length > this.most) this.list.pop();
    return kept;
  }
}

/** Numbers or texts in the same order. NaN is equal to nothing. */
export function sameItems<T extends number | string>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
