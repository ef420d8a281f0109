/** Ranks that agree, each with some other one, as sides. */

export class Sides {
  private readonly parent = new Map<number, number>();

  add(rank: number): void {
    if (!this.parent.has(rank)) this.parent.set(rank, rank);
  }

  join(a: number, b: number): void {
    this.add(a);
    this.add(b);
    const [low, high] = [this.top(a), this.top(b)].sort((x, y) => x - y);
    if (low !== undefined && high !== undefined && low !== high) this.parent.set(high, low);
  }

  same(a: number, b: number): boolean {
    return this.top(a) === this.top(b);
  }

  /** Largest first, each sorted. */
  lists(): number[][] {
    const sides = new Map<number, number[]>();
    for (const rank of [...this.parent.keys()].sort((a, b) => a - b)) {
      const top = this.top(rank);
      sides.set(top, [...(sides.get(top) ?? []), rank]);
    }
    return [...sides.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  }

  private top(rank: number): number {
    let at = rank;
    for (let up = this.parent.get(at); up !== undefined && up !== at; up = this.parent.get(at)) at = up;
    return at;
  }
}
