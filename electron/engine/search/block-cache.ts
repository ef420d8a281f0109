/** Blocks that were read last, as long as they fit into what is set aside for them. */
import { BlockFacts, LineColumns } from './block-facts.ts';
import { BlockLines } from './block-lines.ts';
import type { CaseIndex } from './case-index.ts';

/** Lines of a block that was read; what they say about themselves is read as far as it is asked for. */
export interface ReadBlock {
  readonly lines: BlockLines;
  readonly facts: BlockFacts;
}

interface Kept extends ReadBlock {
  readonly columns: LineColumns;
}

/** About 250 blocks of usual lines: a window of 64 files needs about 128. Chosen. */
const MAX_BYTES = 20_000_000;
/** End of a line and the columns of what it says. */
const LINE_BYTES = 30;
/** Columns of more lines are not kept for the next block. */
const USUAL_LINES = 4_096;

export class BlockCache {
  readonly #index: CaseIndex;
  readonly #kept = new Map<number, Kept>();
  /** Of blocks that were let go, to be filled again: garbage of this size would stop the list again and again. */
  readonly #columns: LineColumns[] = [];
  #bytes = 0;

  constructor(index: CaseIndex) {
    this.#index = index;
  }

  /** Undefined if the block is damaged. What is returned may be used until the next call. */
  read(block: number): ReadBlock | undefined {
    const known = this.#kept.get(block);
    if (known !== undefined) {
      this.#kept.delete(block);
      this.#kept.set(block, known);
      return known;
    }
    const bytes = this.#unpacked(block);
    if (bytes === undefined) return undefined;
    const lines = new BlockLines(bytes, this.#index, block);
    const columns = this.#columns.pop() ?? new LineColumns();
    const read = { lines, facts: new BlockFacts(this.#index, block, lines, columns), columns };
    this.#kept.set(block, read);
    this.#bytes += weightOf(read);
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= MAX_BYTES || oldest === block) break;
      this.#kept.delete(oldest);
      this.#bytes -= weightOf(old);
      if (old.lines.count <= USUAL_LINES) this.#columns.push(old.columns);
    }
    return read;
  }

  #unpacked(block: number): Buffer | undefined {
    try {
      return this.#index.store.block(this.#index.blocks.id[block] ?? -1);
    } catch (error) {
      if (error instanceof Error && error.name === 'UnreadableBlockError') return undefined;
      throw error;
    }
  }
}

const weightOf = ({ lines }: ReadBlock): number => lines.bytes.length + LINE_BYTES * lines.count;
