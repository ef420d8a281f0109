/** Questions of the comparison of two cases. */
import { z } from 'zod';
import type { CaseSummary } from '../../model/case.ts';
import type { CaseId } from '../../model/ids.ts';
import type { CompareRow } from '../../views/compare/index.ts';
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
}

export interface CompareAnswer {
  readonly a: CompareSide;
  readonly b: CompareSide;
  readonly rows: readonly CompareRow[];
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
