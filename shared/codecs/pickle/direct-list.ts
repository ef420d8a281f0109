/**
 * A way past the arena for the one list that is nearly all of a large file: its reader takes the opcodes themselves.
 *
 *   80 02 7d 28 … 58 .. "entries" 5d 28 │ 7d 28 … 75  7d 28 … 75 … 65 │ 75 2e
 *                                        └ DirectList.read ──────────┘
 *
 * The reader may give up at any byte that it does not expect; then the whole pickle is read again the general way, so that it only needs to
 * know the usual shape, and every unusual file has the outcome that the general way gives it.
 */
import type { ValueArena } from '../value-arena/index.ts';
import type { PickleMemo } from './memo.ts';

/** What a `DirectList` leaves in the memo for its own values: if anybody else asks for one, the pickle is read the general way. */
export const FOREIGN = 64;

export interface RawOpcodes {
  readonly bytes: Uint8Array;
  /** Offset of the opcode behind the list's MARK. */
  readonly at: number;
  readonly arena: ValueArena;
  readonly memo: PickleMemo;
}

export interface DirectList {
  /** Key of the list in the outermost dict. */
  readonly key: string;
  /** The arena's container that stands for the list; it stays empty. */
  container: number;
  /** Reads up to and including the list's APPENDS. Returns the offset behind it, -1 to give up. Called once. */
  read(from: RawOpcodes): number;
}
