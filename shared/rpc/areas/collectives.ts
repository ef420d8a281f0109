/** Questions of the Collectives screen. Answers hold texts of the bundle as they are; the window escapes them. */
import { z } from 'zod';
import type { CaseId } from '../../model/ids.ts';
import {
  type CallAnswer,
  type CallTimesAnswer,
  type GroupAnswer,
  type JobAnswer,
  MAX_TIMED_CALLS,
  MAX_TIMED_RANKS,
  type MatrixAnswer,
  type ShowMode,
} from '../../views/collectives/answers.ts';
import { caseIdSchema as caseId } from '../params.ts';
import type { AreaValidators } from './area.ts';

export type CollectivesMethods = {
  /** All groups from the cause down, and the whole job folded into sets of ranks. Null = the bundle tells of no collectives. */
  readonly 'collectives.job': {
    readonly params: { readonly caseId: CaseId; readonly split: readonly number[] };
    readonly result: JobAnswer | null;
  };
  /** Calls × sets of one group; `from` and `rows` count rows of the mode. Null = there is no such group. */
  readonly 'collectives.group': {
    readonly params: {
      readonly caseId: CaseId;
      readonly group: string;
      readonly mode: ShowMode;
      readonly hideEqual: boolean;
      readonly seq: number | null;
      readonly from: number;
      readonly rows: number;
      readonly split: readonly number[];
    };
    readonly result: GroupAnswer | null;
  };
  /** One call of a few ranks side by side, out of their dumps. `pair`: a transfer, ranks inside the group. */
  readonly 'collectives.call': {
    readonly params: {
      readonly caseId: CaseId;
      readonly group: string;
      readonly seq: number;
      readonly part: number;
      readonly pair: { readonly from: number; readonly to: number } | null;
      readonly ranks: readonly number[];
    };
    readonly result: CallAnswer | null;
  };
  /** When a few ranks entered a few calls of one group, out of their dumps. */
  readonly 'collectives.times': {
    readonly params: {
      readonly caseId: CaseId;
      readonly group: string;
      readonly calls: readonly { readonly seq: number; readonly part: number }[];
      readonly ranks: readonly number[];
    };
    readonly result: CallTimesAnswer | null;
  };
  /** Ranks × calls, one byte a cell. `from` counts calls of the group. */
  readonly 'collectives.matrix': {
    readonly params: {
      readonly caseId: CaseId;
      readonly group: string;
      readonly from: number;
      readonly columns: number;
    };
    readonly result: MatrixAnswer | null;
  };
};

/** As for every case id: a folder name, nothing else. */
const group = z.string().max(4096);
const count = z.int().nonnegative();
const split = z.array(count).max(64);

/** Rows of one answer, and ranks of one comparison. */
const MAX_TABLE_ROWS = 500;
export const MAX_SIDES = 8;

export const COLLECTIVES_VALIDATORS: AreaValidators<CollectivesMethods> = {
  'collectives.job': z.strictObject({ caseId, split }),
  'collectives.group': z.strictObject({
    caseId,
    group,
    mode: z.enum(['around', 'all', 'differences']),
    hideEqual: z.boolean(),
    seq: count.nullable(),
    from: count,
    rows: z.int().positive().max(MAX_TABLE_ROWS),
    split,
  }),
  'collectives.call': z.strictObject({
    caseId,
    group,
    seq: count,
    part: z.int().nonnegative().max(255),
    pair: z.strictObject({ from: count, to: count }).nullable(),
    ranks: z.array(count).min(1).max(MAX_SIDES),
  }),
  'collectives.times': z.strictObject({
    caseId,
    group,
    calls: z.array(z.strictObject({ seq: count, part: z.int().nonnegative().max(255) })).max(MAX_TIMED_CALLS),
    ranks: z.array(count).min(1).max(MAX_TIMED_RANKS),
  }),
  'collectives.matrix': z.strictObject({ caseId, group, from: count, columns: z.int().positive().max(20_000) }),
};
