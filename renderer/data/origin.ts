import { useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { useCase } from './cases.ts';

/** Epoch ns of the case's origin, from which shared times count; null if the case holds no time or is not open yet. */
export function useOrigin(caseId: CaseId | null): bigint | null {
  const opened = useCase(caseId);
  const start = opened.state === 'ready' ? opened.value.report.incident.start : null;
  return useMemo(() => (start === null ? null : BigInt(Date.parse(start)) * 1_000_000n), [start]);
}
