/** Questions of the comparison of two cases. */
import { z } from 'zod';
import type { CaseSummary } from '../../model/case.ts';
import type { CaseId } from '../../model/ids.ts';
import type { CompareRow } from '../../views/compare/index.ts';
import type { LaneSet } from '../../views/compare/run.ts';
import type { BasisSpan } from '../../views/lanes/index.ts';
import type { BothBases } from '../../views/ranks/types.ts';
import { caseIdSchema as caseId } from '../params.ts';
import type { AreaValidators } from './area.ts';

/** When one case began to fail, on its own time. */
export interface CompareOnset {
  readonly kind: 'fault' | 'call';
  /** ns relative to the case's origin. */
  readonly at: BothBases;
  readonly boundNs: number | null;
}

export interface CompareSide {
  readonly summary: CaseSummary;
  readonly gaps: number;
  /** Decimal epoch ns; null: nothing in the case carries a time. */
  readonly originNs: string | null;
  readonly spans: { readonly raw: BasisSpan; readonly corrected: BasisSpan } | null;
  readonly onset: CompareOnset | null;
  readonly ranks: number;
  /** Ranks that stand alike where most wait, worst first; empty if no rank has a time. */
  readonly sets: readonly LaneSet[];
  /** When they stand so, corrected; null = there are none. */
  readonly setsAt: number | null;
  /** Usual time from one call to the next, else a step; ns, null = not known. */
  readonly paceNs: number | null;
}

/** A moment that both runs went through, in each on its own time. */
export interface CompareMeeting {
  /** Ready to be shown after escaping: `default_pg #65`, `step 30`. */
  readonly name: string;
  readonly a: BothBases;
  readonly b: BothBases;
}

export interface CompareAnswer {
  readonly a: CompareSide;
  readonly b: CompareSide;
  readonly rows: readonly CompareRow[];
  /** The call at which one of the two stopped, or the last one that both made; null = no call is recorded in both. */
  readonly call: CompareMeeting | null;
  /** The farthest step that both printed. */
  readonly step: CompareMeeting | null;
}

export type CompareMethods = {
  readonly 'compare.cases': {
    readonly params: { readonly a: CaseId; readonly b: CaseId };
    readonly result: CompareAnswer;
  };
};

export const COMPARE_VALIDATORS: AreaValidators<CompareMethods> = {
  'compare.cases': z.strictObject({ a: caseId, b: caseId }),
};
