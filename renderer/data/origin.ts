import { useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { useCase } from './cases.ts';
import { useQuery } from './query.ts';

/** Epoch ns of the case's origin, from which shared times count; null if the case holds no time or is not open yet. */
export function useOrigin(caseId: CaseId | null): bigint | null {
  const opened = useCase(caseId);
  const index = useQuery('timeline.index', caseId === null ? null : { caseId });
  const origin = index.state === 'ready' ? (index.value?.originNs ?? null) : null;
  const asked = index.state !== 'loading';
  const start = opened.state === 'ready' ? opened.value.report.incident.start : null;
  return useMemo(() => {
    if (origin !== null) return BigInt(origin);
    // A case without that view has no screen that counts from the origin; any fixed moment of it will do.
    return asked && start !== null ? BigInt(Date.parse(start)) * 1_000_000n : null;
  }, [origin, asked, start]);
}
