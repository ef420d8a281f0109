/** Questions of the map of ranks. Times are ns relative to the case's origin, in the asked basis; `from` inside, `to` outside. */
import { z } from 'zod';
import type { CaseId } from '../../model/ids.ts';
import type { LaneBasis } from '../../views/lanes/index.ts';
import type { Moment, MomentColour, RanksIndex } from '../../views/ranks/types.ts';
import { caseIdSchema as caseId } from '../params.ts';
import type { AreaValidators } from './area.ts';

export type RanksMethods = {
  /** What does not change with the cursor. */
  readonly 'ranks.index': { readonly params: { readonly caseId: CaseId }; readonly result: RanksIndex };
  /** Where every rank stands at a moment. Null: nothing in the case carries a time. */
  readonly 'ranks.at': {
    readonly params: {
      readonly caseId: CaseId;
      readonly basis: LaneBasis;
      readonly at: number;
      readonly colour: MomentColour;
      /** Index into the groups of the index: whose newest call counts; null = any. */
      readonly group: number | null;
    };
    readonly result: Moment | null;
  };
  /** Ranks that wait at the start of each column. Null as above, and where no call is recorded at all. */
  readonly 'ranks.waiting': {
    readonly params: {
      readonly caseId: CaseId;
      readonly basis: LaneBasis;
      readonly from: number;
      readonly to: number;
      readonly columns: number;
    };
    readonly result: Float64Array | null;
  };
};

const basis = z.enum(['raw', 'corrected']);
const at = z.number().refine(Number.isFinite);

export const RANKS_VALIDATORS: AreaValidators<RanksMethods> = {
  'ranks.index': z.strictObject({ caseId }),
  'ranks.at': z.strictObject({
    caseId,
    basis,
    at,
    colour: z.enum(['state', 'errors', 'sequence']),
    group: z.int().nonnegative().nullable(),
  }),
  'ranks.waiting': z
    .strictObject({ caseId, basis, from: at, to: at, columns: z.int().positive().max(4096) })
    .refine(({ from, to }) => from < to),
};
