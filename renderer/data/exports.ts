/** The report of a case as it would be exported, what is chosen for it, and its exports. */
import { useEffect, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CustodyEntry, ReportChoices } from '#shared/rpc/areas/export.ts';
import type { SaveAnswer, SaveForm } from '#shared/rpc/bridge.ts';
import type { Methods, RpcError } from '#shared/rpc/contract.ts';
import { bridge } from './bridge.ts';
import { askAgain, type Query, useQuery } from './query.ts';

/** Asked again when a note of the case changes: stars and notes are part of it. */
export function useReportPreview(caseId: CaseId): Query<Methods['export.preview']['result']> {
  const [changes, setChanges] = useState(0);
  useEffect(
    () => bridge.subscribe('notes.changed', (change) => change.caseId === caseId && setChanges((count) => count + 1)),
    [caseId],
  );
  // A first visit must not show the answer of an earlier one: stars may have changed on another screen since.
  const [visit] = useState(() => Date.now());
  return useQuery('export.preview', { caseId }, `${visit} ${changes}`);
}

/** Null = kept; the preview is asked again. */
export async function chooseReport(caseId: CaseId, choices: ReportChoices): Promise<RpcError | null> {
  const answer = await bridge.request('export.choose', { caseId, choices });
  askAgain('export.preview');
  return answer.ok ? null : answer.error;
}

export async function saveReport(caseId: CaseId, form: SaveForm, text: string | null): Promise<SaveAnswer> {
  const answer = await bridge.saveReport(caseId, form, text);
  if (answer.state !== 'closed') askAgain('export.custody');
  return answer;
}

const NONE: readonly CustodyEntry[] = [];

/** Oldest first. */
export function useCustody(caseId: CaseId): readonly CustodyEntry[] {
  const query = useQuery('export.custody', { caseId });
  return query.state === 'ready' ? query.value.entries : NONE;
}
