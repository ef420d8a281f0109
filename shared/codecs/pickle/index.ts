/**
 * Reads the safe subset of Python's pickle format (protocols 2 to 5) into a `ValueArena`.
 *
 *   80 02 7d 28 58 01 00 00 00 61 71 00 4b 07 75 2e   →   { "a": 7 }
 *
 * Nothing is ever looked up, called or built: the first opcode outside the subset ends the file, and its name and
 * offset (with module and name for the ones that carry them) are returned as text.
 * Every length is checked against the bytes that are left before anything is allocated; nesting, memo and values have limits.
 * Source: Python 3.14 `pickletools`, PyTorch 2.13 `torch/csrc/jit/serialization/pickler.cpp`. Not covered: protocols 0 and 1,
 * bytes, sets, persistent ids, out-of-band buffers, and containers that change after they were stored in another one
 * (only self-containing structures need that).
 * Cost: O(bytes). Does not throw because of input.
 */
import { type ArenaLimits, DEFAULT_ARENA_LIMITS, ValueArena } from '../value-arena/index.ts';
import type { DecodedNot, DecodedPart, DecodedWhole } from '../value-arena/outcome.ts';
import { PickleMachine } from './machine.ts';

export type PickleOutcome =
  | DecodedWhole
  | DecodedPart
  | DecodedNot
  /** An opcode that is outside the subset; `named`: module and name that it asked for, as text. */
  | { readonly kind: 'refused'; readonly opcode: string; readonly at: number; readonly named: string | undefined };

/** Decodes one pickle. Empty input gives `truncated` at 0 with nothing open. */
export function readPickle(bytes: Uint8Array, limits: ArenaLimits = DEFAULT_ARENA_LIMITS): PickleOutcome {
  return new PickleMachine(new ValueArena(bytes, limits)).run();
}
