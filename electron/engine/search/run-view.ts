/** A search laid out as a list: folded while it is small, by windows over the blocks otherwise. One per search and choice. */

import type { ListChoice, LogRow, RowWish, SearchState } from '#shared/rpc/areas/logs.ts';
import { shapeOf } from '#shared/search/line-shape.ts';
import type { BlockCache } from './block-cache.ts';
import type { BlockOutlines } from './block-outline.ts';
import type { RowRef } from './block-rows.ts';
import { UNTIMED_NS } from './block-table.ts';
import { type CaseIndex, shiftOf } from './case-index.ts';
import { foldRows, type ListRow } from './fold.ts';
import { foldOptionsFor, lineRow, listRow, refAt } from './log-rows.ts';
import { firstAt, type MatchList, makeMatchList, positionOf } from './match-list.ts';
import { MergedWindow } from './merged-window.ts';
import type { SearchRun } from './search-run.ts';
import { ERROR_SLOT, WARN_SLOT } from './tally.ts';

export interface RunViewOptions {
  readonly run: SearchRun;
  readonly cache: BlockCache;
  readonly outlines: BlockOutlines;
  readonly choice: ListChoice;
  /** Ranks that are never folded away. */
  readonly keep: ReadonlySet<number>;
}

type StepKind = 'error' | 'warning' | 'record';

/** Rows that are looked at in one go: records are shorter. */
const STEP_ROWS = 200;

export class RunView {
  readonly version: number;
  readonly #index: CaseIndex;
  readonly #cache: BlockCache;
  readonly #choice: ListChoice;
  readonly #list: MatchList | undefined;
  readonly #rows: readonly ListRow[] | undefined;
  /** Made when rows are asked for: the counts of a search that goes on are asked for far more often. */
  #window: MergedWindow | undefined;
  readonly #makeWindow: (() => MergedWindow) | undefined;
  readonly #matches: number;
  readonly notFolded: SearchState['notFolded'];

  constructor({ run, cache, outlines, choice, keep }: RunViewOptions) {
    this.#index = run.index;
    this.#cache = cache;
    this.#choice = choice;
    this.version = run.version;
    this.#matches = run.matches;
    if (run.status === 'done' && run.details !== undefined) {
      this.#list = makeMatchList(run.index, choice.basis, run.details);
      this.#rows = foldRows(
        this.#list,
        foldOptionsFor(run.index, this.#list, {
          fold: choice.fold,
          keep,
          open: new Set(choice.open),
          timedNs: UNTIMED_NS / 2,
        }),
      );
      this.notFolded = choice.fold ? null : 'off';
    } else {
      this.#makeWindow = () =>
        new MergedWindow({ index: run.index, cache, outlines, basis: choice.basis, hits: run.hits });
      this.notFolded = choice.fold ? (run.status === 'searching' ? 'searching' : 'too-many') : 'off';
    }
  }

  get total(): number {
    return this.#rows?.length ?? this.#matches;
  }

  #windows(): MergedWindow | undefined {
    this.#window ??= this.#makeWindow?.();
    return this.#window;
  }

  rows(from: number, maxRows: number): readonly LogRow[] {
    const { basis } = this.#choice;
    const list = this.#list;
    const made: LogRow[] = [];
    if (list !== undefined && this.#rows !== undefined) {
      const lines: { block: number; to: number; row: ListRow }[] = [];
      for (const [to, row] of this.#rows.slice(from, from + maxRows).entries()) {
        if (row.kind === 'line') lines.push({ block: list.block[row.at] ?? 0, to, row });
        else made[to] = listRow(this.#index, this.#cache, basis, list, row);
      }
      this.#cache.visit(lines, ({ row, to }) => {
        made[to] = listRow(this.#index, this.#cache, basis, list, row);
      });
      return made;
    }
    this.#cache.visit(this.#windows()?.rows(from, maxRows) ?? [], (ref, at) => {
      made[at] = lineRow(this.#index, this.#cache, basis, ref);
    });
    return made;
  }

  locate(wish: RowWish): { readonly row: number; readonly exact: boolean } {
    if (wish.kind === 'row') return { row: Math.min(wish.row, this.total), exact: wish.row < this.total };
    const ref = wish.kind === 'line' ? this.#refOf(wish.entryId, wish.line) : undefined;
    if (wish.kind === 'line' && ref === undefined) return { row: 0, exact: false };
    if (this.#list === undefined || this.#rows === undefined) {
      const window = this.#windows();
      if (window === undefined) return { row: 0, exact: false };
      const row =
        ref === undefined ? window.rowAt(wish.kind === 'time' ? wish.timeNs : 0) : window.rowOf(ref.block, ref.line);
      const [found] = window.rows(row, 1);
      return { row, exact: ref === undefined || (found?.block === ref.block && found.line === ref.line) };
    }
    const at =
      ref === undefined ? firstAt(this.#list, wish.kind === 'time' ? wish.timeNs : 0) : positionOf(this.#list, ref);
    const found = at < this.#list.count ? refAt(this.#list, at) : undefined;
    return {
      row: this.#rowOfPosition(at),
      exact: ref === undefined || (found?.block === ref.block && found.line === ref.line),
    };
  }

  step(row: number, to: StepKind, by: 1 | -1): number | null {
    if (this.#list !== undefined && this.#rows !== undefined) {
      for (let at = row + by; at >= 0 && at < this.#rows.length; at += by) {
        const found = this.#rows[at];
        if (
          found?.kind === 'line' &&
          this.#isA(this.#list.slot[found.at] ?? 0, this.#list.continues[found.at] === 1, to)
        )
          return at;
      }
      return null;
    }
    return this.#stepInWindows(row, to, by);
  }

  map(buckets: number): { readonly errors: Uint32Array; readonly warnings: Uint32Array } {
    if (this.#list === undefined || this.#rows === undefined)
      return this.#windows()?.map(buckets) ?? { errors: new Uint32Array(buckets), warnings: new Uint32Array(buckets) };
    const errors = new Uint32Array(buckets);
    const warnings = new Uint32Array(buckets);
    for (const [at, row] of this.#rows.entries()) {
      if (row.kind !== 'line') continue;
      const slot = this.#list.slot[row.at] ?? 0;
      const bucket = Math.min(buckets - 1, Math.floor((at / this.#rows.length) * buckets));
      if (slot >= ERROR_SLOT) errors[bucket] = (errors[bucket] ?? 0) + 1;
      else if (slot === WARN_SLOT) warnings[bucket] = (warnings[bucket] ?? 0) + 1;
    }
    return { errors, warnings };
  }

  /** The shapes with most lines, each with one of its lines; nothing while the result is not listed. */
  shapes(most: number): SearchState['shapes'] {
    const list = this.#list;
    if (list === undefined) return [];
    const counts = new Map<number, { lines: number; readonly first: number }>();
    for (let at = 0; at < list.count; at += 1) {
      if (list.continues[at] === 1) continue;
      const shape = list.shape[at] ?? 0;
      const known = counts.get(shape);
      if (known === undefined) counts.set(shape, { lines: 1, first: at });
      else known.lines += 1;
    }
    return [...counts.values()]
      .filter(({ lines }) => lines > 1)
      .sort((a, b) => b.lines - a.lines || a.first - b.first)
      .slice(0, most)
      .map(({ lines, first }) => ({ lines, sample: shapeOf(this.#textAt(refAt(list, first))).slice(0, 200) }))
      .filter(({ sample }) => sample.trim() !== '');
  }

  #textAt(ref: RowRef): string {
    return this.#cache.read(ref.block)?.facts.facts(ref.line).message ?? '';
  }

  #isA(slot: number, continues: boolean, to: StepKind): boolean {
    if (continues) return false;
    if (to === 'record') return true;
    return to === 'error' ? slot >= ERROR_SLOT : slot === WARN_SLOT;
  }

  #stepInWindows(row: number, to: StepKind, by: 1 | -1): number | null {
    const window = this.#windows();
    if (window === undefined) return null;
    const [from] = window.rows(row, 1);
    if (to !== 'record') {
      const found = from && window.next(from, to === 'error' ? 'errors' : 'warnings', by);
      return found ? window.rowOf(found.block, found.line) : null;
    }
    for (let at = row + by; at >= 0 && at < window.total; at += by * STEP_ROWS) {
      const start = by === 1 ? at : Math.max(0, at - STEP_ROWS + 1);
      const refs = window.rows(start, by === 1 ? STEP_ROWS : at - start + 1);
      for (let i = by === 1 ? 0 : refs.length - 1; i >= 0 && i < refs.length; i += by) {
        const ref = refs[i];
        if (ref && this.#cache.read(ref.block)?.facts.continues(ref.line) === false) return start + i;
      }
    }
    return null;
  }

  #refOf(entryId: number, line: number): RowRef | undefined {
    const { files, blocks } = this.#index;
    const file = files.find(({ record }) => record.id === entryId);
    if (file === undefined) return undefined;
    const start = blocks.fileStart[file.index] ?? 0;
    const end = blocks.fileStart[file.index + 1] ?? start;
    for (let block = end - 1; block >= start; block -= 1) {
      const first = blocks.firstLine[block] ?? 1;
      if (first > line) continue;
      const at = Math.min(line - first, (blocks.lines[block] ?? 1) - 1);
      const key = this.#cache.read(block)?.facts.keyNs(at) ?? blocks.lo[block] ?? 0;
      return { block, line: at, keyNs: key - shiftOf(file, this.#choice.basis) };
    }
    return undefined;
  }

  /** A folded line has a row of its own while its fold is open, else it is where its fold is. */
  #rowOfPosition(at: number): number {
    const rows = this.#rows ?? [];
    let low = 0;
    let high = rows.length;
    // Rows rise with the position of the line that heads them; folded members stand with their head.
    const positionAt = (row: number): number => {
      for (let i = row; i >= 0; i -= 1) {
        const found = rows[i];
        if (found?.kind === 'line' && !found.folded) return found.at;
      }
      return -1;
    };
    while (low < high) {
      const middle = (low + high) >> 1;
      if (positionAt(middle) < at) low = middle + 1;
      else high = middle;
    }
    const direct = rows[low];
    if (direct?.kind === 'line' && direct.at === at) return low;
    const shown = rows.findIndex((row) => row.kind === 'line' && row.folded && row.at === at);
    if (shown >= 0) return shown;
    const fold = rows.findIndex((row) => row.kind === 'fold' && row.members.includes(at));
    if (fold >= 0) return fold;
    return Math.min(low, Math.max(0, rows.length - 1));
  }
}
