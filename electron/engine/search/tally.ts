/** What is counted of the lines that match: by severity, rank, file, and in time. Small, and adds up over threads. */
import { LEVELS, type Level } from '#shared/search/query.ts';

/** 0 = no severity, then LEVELS from the mildest. */
export const LEVEL_SLOTS = LEVELS.length + 1;
export const levelSlot = (level: Level | null): number => (level === null ? 0 : LEVELS.indexOf(level) + 1);
export const WARN_SLOT = levelSlot('warn');
export const ERROR_SLOT = levelSlot('error');

/** Buckets of the case's span that density is counted in; views add them up to pixels. */
export const DENSITY_BUCKETS = 4096;

export interface TallySnapshot {
  readonly levels: readonly number[];
  /** Rank −1: not known. */
  readonly ranks: readonly (readonly [number, number])[];
  readonly files: readonly (readonly [number, number])[];
  /** [clock of the file × bucket × 3]: errors and worse, warnings, others; key = (file's shift class × buckets + bucket) × 3 + kind. */
  readonly density: readonly (readonly [number, number])[];
}

export class Tally {
  readonly levels = new Float64Array(LEVEL_SLOTS);
  readonly ranks = new Map<number, number>();
  readonly files = new Map<number, number>();
  readonly density = new Map<number, number>();

  add(snapshot: TallySnapshot): void {
    for (const [slot, count] of snapshot.levels.entries()) this.levels[slot] = (this.levels[slot] ?? 0) + count;
    for (const [rank, count] of snapshot.ranks) bump(this.ranks, rank, count);
    for (const [file, count] of snapshot.files) bump(this.files, file, count);
    for (const [cell, count] of snapshot.density) bump(this.density, cell, count);
  }

  /** `bucket` −1: no time. */
  count(file: number, rank: number | null, slot: number, bucket: number): void {
    this.levels[slot] = (this.levels[slot] ?? 0) + 1;
    bump(this.ranks, rank ?? -1, 1);
    bump(this.files, file, 1);
    if (bucket < 0) return;
    const kind = slot >= ERROR_SLOT ? 0 : slot === WARN_SLOT ? 1 : 2;
    bump(this.density, (file * DENSITY_BUCKETS + bucket) * 3 + kind, 1);
  }

  snapshot(): TallySnapshot {
    return {
      levels: [...this.levels],
      ranks: [...this.ranks],
      files: [...this.files],
      density: [...this.density],
    };
  }
}

function bump(map: Map<number, number>, key: number, by: number): void {
  map.set(key, (map.get(key) ?? 0) + by);
}
