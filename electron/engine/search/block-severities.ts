/**
 * What is known of the severities in each block before a search for a severity reads it: where an event of the case says that something
 * went wrong (read first), and what an earlier search that took every line of a block counted there (exact: others need not be read).
 *
 * Costs the import nothing and needs nothing stored: telling it for every block while importing is a pass over all bytes.
 */
import type { CaseIndex } from './case-index.ts';
import type { BlockHits } from './scan-block.ts';
import { ERROR_SLOT, WARN_SLOT } from './tally.ts';

/** No block was counted as this. */
const UNKNOWN = 255;

/** Kinds of events that go on in a healthy job. */
const CALM_KINDS: readonly string[] = [
  'rank-announced',
  'group-ready',
  'progress',
  'operation-start',
  'operation-end',
  'finished',
  'software',
  'monitored-barrier-reached',
  'set-up-begun',
  'set-up-over',
  'nccl-init',
  'nccl-network',
  'nccl-collective',
  'ras-count',
  'clock-note',
];

export class BlockSeverities {
  readonly #index: CaseIndex;
  /** Slot of the worst line; of errors and worse ERROR_SLOT, below warnings 0. */
  readonly #worst: Uint8Array;
  #promising: Uint8Array | undefined;

  constructor(index: CaseIndex) {
    this.#index = index;
    this.#worst = new Uint8Array(index.blocks.count).fill(UNKNOWN);
  }

  /** Takes what was counted of a block, if all its lines were. */
  learn({ block, bits, count, errors, warnings }: BlockHits): void {
    if (bits !== null || count !== this.#index.blocks.lines[block]) return;
    this.#worst[block] = errors > 0 ? ERROR_SLOT : warnings > 0 ? WARN_SLOT : 0;
  }

  /** False if no line of the block is as severe as `slot`. */
  mayHold(block: number, slot: number): boolean {
    const worst = this.#worst[block] ?? UNKNOWN;
    return slot < WARN_SLOT || worst >= Math.min(slot, ERROR_SLOT);
  }

  /** By block: 1 if an event in it tells of trouble. */
  promising(): Uint8Array {
    this.#promising ??= this.#find();
    return this.#promising;
  }

  #find(): Uint8Array {
    const { blocks, files, store } = this.#index;
    const found = new Uint8Array(blocks.count);
    const bySlot = new Map(files.map(({ index, record }) => [record.slot, index]));
    for (const { slot, line } of store.eventLines(CALM_KINDS)) {
      const file = bySlot.get(slot);
      if (file === undefined) continue;
      const block = blockOfLine(this.#index, file, line);
      if (block >= 0) found[block] = 1;
    }
    return found;
  }
}

/** The block in which a line begins, 1-based; -1 if there is none. */
function blockOfLine({ blocks }: CaseIndex, file: number, line: number): number {
  let low = blocks.fileStart[file] ?? 0;
  let high = blocks.fileStart[file + 1] ?? low;
  const start = low;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks.firstLine[middle] ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low > start ? low - 1 : -1;
}
