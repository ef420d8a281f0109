/** What is known of a case's clocks, and what the analyst sets about them. A change analyses the case again; it can be undone. */
import { useEffect, useState } from 'react';
import type { Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { ClockSetting, ClocksProgress } from '#shared/rpc/areas/clocks.ts';
import type { Methods, RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';
import { askAgainAbout, type Query, useQuery } from './query.ts';
import { pushUndo } from './undo.ts';

export const useClocks = (caseId: CaseId): Query<Methods['clocks.view']['result']> =>
  useQuery('clocks.view', { caseId });

/** Other windows, and this one: what was asked of a case that was analysed again is asked again. */
bridge.subscribe('case.revised', ({ caseId }) => askAgainAbout(caseId));

/** How far a new analysis of this case is, whichever window asked for it; null = none runs. */
export function useClocksProgress(caseId: CaseId): ClocksProgress | null {
  const [progress, setProgress] = useState<ClocksProgress | null>(null);
  useEffect(
    () =>
      bridge.subscribe('clocks.progress', (state) => {
        if (state.caseId === caseId) setProgress(state.step === 'ended' ? null : state);
      }),
    [caseId],
  );
  return progress;
}

/** Asks for an end of the analysis that runs; the request that started it answers `analysis-stopped`. */
export const stopAnalysis = (caseId: CaseId): void => void bridge.request('clocks.stop', { caseId });

type Done = Promise<Result<unknown, RpcError>>;

function store(caseId: CaseId, settings: readonly ClockSetting[]): Done {
  return bridge.request('clocks.set', { caseId, settings });
}

/** Resolves when the case was analysed again. */
export async function changeSettings(
  caseId: CaseId,
  change: { readonly title: string; readonly before: readonly ClockSetting[]; readonly after: readonly ClockSetting[] },
): Done {
  const { title, before, after } = change;
  const answer = await store(caseId, after);
  if (answer.ok)
    pushUndo(caseId, {
      title,
      undo: async () => void (await store(caseId, before)),
      redo: async () => void (await store(caseId, after)),
    });
  return answer;
}
