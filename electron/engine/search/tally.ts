/** What is counted of the lines that match: by severity, rank, file, and in time. Small, and adds up over threads. */
import { LEVELS, type Level } from '#shared/search/query.ts';

/** 0 = no severity, then LEVELS from the mildest. */
export const LEVEL_SLOTS = LEVELS.length + 1;
export const levelSlot = (level: Level | null): number => (level === null ? 0 : LEVELS.indexOf(level) + 1);
export const WARN_SLOT = levelSlot('warn');
export const ERROR_SLOT = levelSlot('error');

export interface TallySnapshot {
  readonly levels: readonly number[];
  /** Rank −1: not known. */
  readonly ranks: readonly (readonly [number, number])[];
  readonly files: readonly (readonly [number, number])[];
  /** By cell × 3 + kind: errors and worse, warnings, others. See `DensityCells`. */
  readonly density: readonly (readonly [number, number])[];
}

export class Tally {
  readonly levels = new Float64Array(LEVEL_SLOTS);
  readonly ranks = new Map<number, number>();
  readonly files = new Map<number, number>();
  readonly #density = new Map<number, number>();
  #file = -1;
  #rank = -1;
  #ofRank = 0;
  #cell = -1;
  #ofCell = 0;

  /** All but the density, of which a search keeps columns. */
  add(snapshot: TallySnapshot): void {
    for (const [slot, count] of snapshot.levels.entries()) this.levels[slot] = (this.levels[slot] ?? 0) + count;
    for (const [rank, count] of snapshot.ranks) bump(this.ranks, rank, count);
    for (const [file, count] of snapshot.files) bump(this.files, file, count);
  }

  /**
   * One line more. `rank` −1: not known. `place`: its cell, −1 without a time. Neighbouring lines mostly share rank and cell: they are added up first, and
   * `ranks` and `files` hold all of them after `snapshot`.
   */
  count(file: number, rank: number, slot: number, place: number): void {
    this.levels[slot] = (this.levels[slot] ?? 0) + 1;
    if (file !== this.#file || rank !== this.#rank) {
      this.#flushRank();
      this.#file = file;
      this.#rank = rank;
    }
    this.#ofRank += 1;
    if (place < 0) return;
    const kind = slot >= ERROR_SLOT ? 0 : slot === WARN_SLOT ? 1 : 2;
    const cell = place * 3 + kind;
    if (cell !== this.#cell) {
      this.#flushCell();
      this.#cell = cell;
    }
    this.#ofCell += 1;
  }

  snapshot(): TallySnapshot {
    this.#flushRank();
    this.#flushCell();
    return {
      levels: [...this.levels],
      ranks: [...this.ranks],
      files: [...this.files],
      density: [...this.#density],
    };
  }

  #flushRank(): void {
    if (this.#ofRank === 0) return;
    bump(this.ranks, this.#rank, this.#ofRank);
    bump(this.files, this.#file, this.#ofRank);
    this.#ofRank = 0;
  }

  #flushCell(): void {
    if (this.#ofCell === 0) return;
    bump(this.#density, this.#cell, this.#ofCell);
    this.#ofCell = 0;
  }
}

function bump(map: Map<number, number>, key: number, by: number): void {
  map.set(key, (map.get(key) ?? 0) + by);
}
