/** Blocks that were read last, as long as they fit into what is set aside for them. */
import { ROOM_BYTES } from '../store/block-unpacker.ts';
import { BlockFacts, LineColumns } from './block-facts.ts';
import { BlockHelper, MAX_UNPACKED, type UnpackJob } from './block-helper.ts';
import { BlockLines } from './block-lines.ts';
import type { BlockOutlines } from './block-outline.ts';
import type { CaseIndex } from './case-index.ts';

/** Lines of a block that was read; what they say about themselves is read as far as it is asked for. */
export interface ReadBlock {
  readonly lines: BlockLines;
  readonly facts: BlockFacts;
}

interface Kept extends ReadBlock {
  readonly columns: LineColumns;
}

/** About 400 blocks of usual lines: two windows of 200 lines, each of another file. Chosen. */
const MAX_BYTES = 32_000_000;
/** End of a line and the columns of what it says. */
const LINE_BYTES = 30;
/** More would drive each other out. */
const MAX_PREPARED = 256;
/** Fewer are read one by one. Chosen. */
const WORTH_HELP = 8;
/** Columns of more lines are not kept for the next block. */
const USUAL_LINES = 4_096;

export class BlockCache {
  readonly #index: CaseIndex;
  readonly #outlines: BlockOutlines;
  readonly #kept = new Map<number, Kept>();
  /** Of blocks that were let go, to be filled again: garbage of this size would stop the list again and again. */
  readonly #columns: LineColumns[] = [];
  readonly #rooms: Buffer[] = [];
  readonly #helper: BlockHelper;
  #bytes = 0;

  /** `ask`: see `BlockHelper`. */
  constructor(index: CaseIndex, outlines: BlockOutlines, ask: (job: UnpackJob) => boolean = () => false) {
    this.#index = index;
    this.#outlines = outlines;
    this.#helper = new BlockHelper(index.store, ask);
  }

  /** Reads many blocks that will be asked for, faster than one by one. */
  prepare(blocks: readonly number[]): void {
    const missing = blocks.filter((block) => !this.#kept.has(block));
    if (missing.length < WORTH_HELP) return;
    for (let at = 0; at < Math.min(missing.length, MAX_PREPARED); at += MAX_UNPACKED) {
      const asked = missing.slice(at, at + MAX_UNPACKED);
      const ids = asked.map((block) => this.#index.blocks.id[block] ?? -1);
      const found = this.#helper.unpack(ids, () => this.#room());
      for (const [i, block] of asked.entries()) {
        const bytes = found[i];
        if (bytes !== undefined) this.#keep(block, bytes);
      }
    }
  }

  /**
   * Visits items block by block, so that each block is unpacked once however many there are, and those that are unpacked together are so with
   * help. `at`: index of the item.
   */
  visit<T extends { readonly block: number }>(items: readonly T[], act: (item: T, at: number) => void): void {
    const order = Uint32Array.from(items.keys()).sort(
      (a, b) => (items[a]?.block ?? 0) - (items[b]?.block ?? 0) || a - b,
    );
    let ready = 0;
    for (const [i, at] of order.entries()) {
      if (i === ready) ready = this.#prepareFrom(order, i, items);
      const item = items[at];
      if (item !== undefined) act(item, at);
    }
  }

  /** Reads the blocks of the next items, as many as are held together. Returns the first of the others. */
  #prepareFrom(order: Uint32Array, from: number, items: readonly { readonly block: number }[]): number {
    const blocks: number[] = [];
    let i = from;
    for (; i < order.length; i += 1) {
      const block = items[order[i] ?? 0]?.block ?? 0;
      if (block === blocks.at(-1)) continue;
      if (blocks.length === MAX_PREPARED) break;
      blocks.push(block);
    }
    this.prepare(blocks);
    return i;
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
    return bytes === undefined ? undefined : this.#keep(block, bytes);
  }

  #keep(block: number, bytes: Buffer): ReadBlock {
    const outline = this.#outlines.of(block);
    const lines = new BlockLines(bytes, this.#index, block, undefined, outline);
    const columns = this.#columns.pop() ?? new LineColumns();
    const read = { lines, facts: new BlockFacts(this.#index, block, lines, columns, outline), columns };
    this.#kept.set(block, read);
    this.#bytes += weightOf(read);
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= MAX_BYTES || oldest === block) break;
      this.#kept.delete(oldest);
      this.#bytes -= weightOf(old);
      if (old.lines.count <= USUAL_LINES) this.#columns.push(old.columns);
      const { bytes: room } = old.lines;
      if (room.buffer.byteLength === ROOM_BYTES && room.byteOffset === 0) this.#rooms.push(Buffer.from(room.buffer));
    }
    return read;
  }

  #room(): Buffer {
    return this.#rooms.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  }

  #unpacked(block: number): Buffer | undefined {
    try {
      return this.#index.store.block(this.#index.blocks.id[block] ?? -1, this.#room());
    } catch (error) {
      if (error instanceof Error && error.name === 'UnreadableBlockError') return undefined;
      throw error;
    }
  }
}

const weightOf = ({ lines }: ReadBlock): number => lines.bytes.length + LINE_BYTES * lines.count;
