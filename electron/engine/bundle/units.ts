/**
 * The files that a bundle counts: those of its folders, or the members of the zip that it is. They are read in the order of their value, keep
 * the place that they have in path order, and one that an earlier, interrupted run has stored is not read again.
 */
import type { Budget } from './budget.ts';
import type { BundleItem } from './bundle-item.ts';
import type { Value } from './value-order.ts';

/** What the importer wants to be told of files as a whole, and tells of those it has. */
export interface UnitHooks {
  /** True: do not open it, say `stored-unit` instead. */
  isStored(key: string): boolean;
}

export class UnitTracker {
  /** The bundle is one file: if it is a zip, its members are counted. */
  readonly isOnlyFile: boolean;
  readonly hooks: UnitHooks | undefined;
  #places = 0;
  #isListed = false;
  #value: Value = 0;
  /** An item that comes now belongs to the file that is being read, not to the bundle around it. */
  isInside = false;

  constructor(options: { readonly isOnlyFile: boolean; readonly hooks: UnitHooks | undefined }) {
    this.isOnlyFile = options.isOnlyFile;
    this.hooks = options.hooks;
  }

  /** Places that entries may name; 0 if nothing was listed. */
  get places(): number {
    return this.#places;
  }

  /** The directory was listed. */
  reserve(places: number): void {
    this.#places = places;
    this.#isListed = true;
  }

  begin(value: Value): void {
    this.#value = value;
  }

  /** Every file that can be told by its name to be an object or a dump was read; false where reading alone tells. */
  get hasReadValuable(): boolean {
    return this.#isListed && this.#value === 2;
  }

  get isListed(): boolean {
    return this.#isListed;
  }
}

export interface Valued<T> {
  readonly item: T;
  /** Position in `items`. */
  readonly place: number;
  readonly value: Value;
}

/** In order of value; equals stay in their order. */
export function byValue<T>(items: readonly T[], valueFor: (item: T) => Value): Valued<T>[] {
  return items
    .map((item, place) => ({ item, place, value: valueFor(item) }))
    .sort((a, b) => a.value - b.value || a.place - b.place);
}

interface UnitOptions {
  /** Undefined: it is read in every run. */
  readonly key: string | undefined;
  readonly place: number;
  readonly open: () => AsyncGenerator<BundleItem>;
  readonly budget: Budget;
  readonly units: UnitTracker;
  /** See UnitEndItem; asked when the file was read. */
  readonly sha256?: () => string | undefined;
}

/** The items of one file, the first entry with its place. */
export async function* unitItems(options: UnitOptions): AsyncGenerator<BundleItem> {
  const { key, place, open, budget, units } = options;
  if (key !== undefined && units.hooks?.isStored(key) === true) {
    yield { kind: 'stored-unit', key };
    return;
  }
  const before = budget.totals();
  let isPlaced = false;
  units.isInside = true;
  for await (const item of open()) {
    if (isPlaced || (item.kind !== 'entry' && item.kind !== 'refused')) yield item;
    else {
      isPlaced = true;
      // The item itself, not a copy: how its bytes end is told through it later.
      yield Object.assign(item, { place });
    }
  }
  units.isInside = false;
  if (key === undefined || units.hooks === undefined || budget.exceeded !== undefined) return;
  const after = budget.totals();
  const totals = {
    entries: after.entries - before.entries,
    bytes: after.bytes - before.bytes,
    work: after.work - before.work,
  };
  yield { kind: 'unit-end', key, totals, sha256: options.sha256?.() };
}
