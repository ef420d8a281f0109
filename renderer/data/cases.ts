import { useEffect, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Methods } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';
import { type Query, useQuery } from './query.ts';

/** The case list; asked again whenever the engine says that it changed. */
export function useCases(): Query<Methods['case.list']['result']> {
  const [changes, setChanges] = useState(0);
  useEffect(() => bridge.subscribe('cases.changed', () => setChanges((count) => count + 1)), []);
  return useQuery('case.list', {}, changes);
}

/** The one report of a case and its summary. */
export function useCase(caseId: CaseId | null): Query<Methods['case.open']['result']> {
  return useQuery('case.open', caseId === null ? null : { caseId });
}

/** Applies the rules of this version to a case of an older one; the list and open screens ask again when it is done. */
export const requestAnalysis = (caseId: CaseId): ReturnType<typeof bridge.request<'job.reanalyse'>> =>
  bridge.request('job.reanalyse', { caseId });
