/** Questions of the list of files. Times are raw ns relative to the case's origin. */
import { z } from 'zod';
import type { CaseId } from '../../model/ids.ts';
import type { CoverageView } from '../../views/coverage/types.ts';
import { caseIdSchema as caseId } from '../params.ts';
import type { AreaValidators } from './area.ts';

export type EvidenceMethods = {
  /** What each file covers, and what no file does. Null: nothing in the case carries a time, or an older version made it. */
  readonly 'evidence.coverage': { readonly params: { readonly caseId: CaseId }; readonly result: CoverageView | null };
};

export const EVIDENCE_VALIDATORS: AreaValidators<EvidenceMethods> = {
  'evidence.coverage': z.strictObject({ caseId }),
};
