/** Parts of the report that show how the comparison of collectives came to its result: the table and the explanation. All bounded. */
import { z } from 'zod';
import { CELL_STATES } from '../model/divergence-table.ts';

const rank = z.int().nonnegative();

/** The calls around the first divergence: columns are sets of ranks that behave alike, rows are calls. */
export const divergenceTableSchema = z.object({
  group: z.string(),
  /** The divergence is in this row. */
  seq: z.int(),
  rows: z.array(z.int()),
  columns: z.array(
    z.object({
      ranks: z.array(rank),
      deviates: z.boolean(),
      /** Lowest and highest call that the rings of these ranks hold. */
      held: z.object({ from: z.int(), to: z.int() }).nullable(),
      /** One a row; `call` is a position in `calls`. */
      cells: z.array(
        z.object({ state: z.enum(CELL_STATES), call: z.int().nonnegative().nullable(), deviates: z.boolean() }),
      ),
    }),
  ),
  /** Ranks in columns that were left out. */
  moreRanks: z.int().nonnegative(),
  calls: z.array(z.string()),
});

/** The words of PyTorch's own analyser for the same thing. */
const MATCH_STATES = [
  'FULLY_MATCHED',
  'COLLECTIVE_TYPE_MISMATCH',
  'SIZE_OR_SYNTAX_MISMATCH',
  'COLLECTIVE_DTYPE_MISMATCH',
  'COLLECTIVE_STATE_MISMATCH',
  'UNDECIDED',
] as const;

/** Sets of ranks are text here, folded (`0–36, 38–87`) and cut: this part is for people. */
export const explanationSchema = z.object({
  groups: z.array(
    z.object({
      group: z.string(),
      desc: z.string(),
      backend: z.string().nullable(),
      size: z.int().nonnegative(),
      ranks: z.string(),
      /** False if the members are just the ranks that hold entries. */
      membersKnown: z.boolean(),
      dumps: z.int().nonnegative(),
      withoutDump: z.string(),
      /** Counters of a group with transfers count those as well. */
      p2p: z.boolean(),
      window: z.object({ from: z.int(), to: z.int() }).nullable(),
      /** Members that stand at the same place, most first. */
      places: z.array(
        z.object({
          ranks: z.string(),
          count: z.int().positive(),
          basis: z.enum(['dump-status', 'dump-entries', 'log']),
          lastEnqueued: z.int().nullable(),
          lastCompleted: z.int().nullable(),
          held: z.object({ from: z.int(), to: z.int() }).nullable(),
          waitsIn: z.string().nullable(),
        }),
      ),
      /** Members in places that were left out. */
      moreMembers: z.int().nonnegative(),
      /** Null where that analyser has no word: a call that somebody did not join, or another order. */
      matchState: z.enum(MATCH_STATES).nullable(),
      matchSeq: z.int().nullable(),
      behind: z.array(z.object({ ranks: z.string(), rule: z.string() })),
    }),
  ),
  /** Groups left out: without a divergence and without anybody waiting, as far as those fit. */
  moreGroups: z.int().nonnegative(),
  waits: z.array(
    z.object({ ranks: z.string(), count: z.int().positive(), group: z.string(), seq: z.int(), for: z.string() }),
  ),
  moreWaits: z.int().nonnegative(),
  roots: z.array(z.object({ ranks: z.string(), rule: z.string(), why: z.string(), hasDump: z.boolean() })),
  moreRoots: z.int().nonnegative(),
  cycle: z.string(),
  onlyActive: z.boolean(),
  dumpsPresent: z.string(),
  dumpsExpected: z.int().nonnegative().nullable(),
  /** What there is to say where no root was found. */
  conclusion: z.string(),
});
