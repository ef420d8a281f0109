/** What is known of a case's clocks, and what the analyst sets about them. A change analyses the case again; it can be undone. */
import type { Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';
import type { Methods, RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';
import { askAgainAbout, type Query, useQuery } from './query.ts';
import { pushUndo } from './undo.ts';

export const useClocks = (caseId: CaseId): Query<Methods['clocks.view']['result']> =>
  useQuery('clocks.view', { caseId });

type Done = Promise<Result<unknown, RpcError>>;

async function store(caseId: CaseId, settings: readonly ClockSetting[]): Done {
  const answer = await bridge.request('clocks.set', { caseId, settings });
  if (answer.ok) askAgainAbout(caseId);
  return answer;
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
