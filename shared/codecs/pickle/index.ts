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
import { invariant } from '../../lib/assert.ts';
import { type ArenaLimits, DEFAULT_ARENA_LIMITS, ValueArena } from '../value-arena/index.ts';
import type { DecodedNot, DecodedPart, DecodedWhole } from '../value-arena/outcome.ts';
import type { DirectList } from './direct-list.ts';
import { PickleMachine } from './machine.ts';

export type PickleOutcome =
  | DecodedWhole
  | DecodedPart
  | DecodedNot
  /** An opcode that is outside the subset; `named`: module and name that it asked for, as text. */
  | { readonly kind: 'refused'; readonly opcode: string; readonly at: number; readonly named: string | undefined };

/** Bytes up to which a direct reader is used: every value takes one or more, so that leaving the arena out hides none of its limits. */
const bytesWithin = (limits: ArenaLimits): number => Math.min(limits.maxItems, limits.maxContainers, limits.maxStrings);

/** Decodes one pickle. Empty input gives `truncated` at 0 with nothing open. */
export function readPickle(bytes: Uint8Array, limits: ArenaLimits = DEFAULT_ARENA_LIMITS): PickleOutcome {
  const outcome = new PickleMachine(new ValueArena(bytes, limits)).run();
  invariant(outcome !== 'given-up', 'there is nobody who could give up');
  return outcome;
}

/**
 * As `readPickle`, but one list is given to `direct`. Undefined if that did not work out, or if the bytes are too many for it: then `readPickle`
 * has to be called, and what `direct` holds is void.
 */
export function readPickleDirectly(
  bytes: Uint8Array,
  direct: DirectList,
  limits: ArenaLimits = DEFAULT_ARENA_LIMITS,
): PickleOutcome | undefined {
  if (bytes.length > bytesWithin(limits)) return undefined;
  const arena = new ValueArena(bytes, limits);
  const outcome = new PickleMachine(arena, direct).run();
  if (outcome !== 'given-up') return outcome;
  arena.release();
  return undefined;
}
