/** When a rank stalled, where no moment is told: between its newest call and the first peer's entry into the call it missed. */
import { useEffect, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { TimelineCall } from '#shared/rpc/areas/timeline.ts';
import { bridge } from '../../data/bridge.ts';
import { useQuery } from '../../data/query.ts';
import { useSelection } from '../../stores/selection.ts';
import { type StallInterval, stallInterval } from '../../viewmodels/stall.ts';

/** Null where the verdict has a moment of its own, or where nothing brackets it. */
export function useStall(caseId: CaseId, report: Report): StallInterval | null {
  const basis = useSelection((state) => state.basis);
  const { at, firstRanks } = report.verdict;
  const wanted = at === null && firstRanks.length === 1;
  const index = useQuery('timeline.index', wanted ? { caseId } : null);
  const ranks = useQuery('ranks.index', wanted ? { caseId } : null);
  const fault = ranks.state === 'ready' ? (ranks.value.time?.fault ?? null) : null;
  const lanes = index.state === 'ready' ? (index.value?.lanes ?? null) : null;
  const lane = lanes?.findIndex((one) => one.rank === firstRanks[0]) ?? -1;
  const missedAt = fault?.kind === 'call' ? fault.at[basis] : null;
  const [last, setLast] = useState<{ readonly of: string; readonly call: TimelineCall | null } | null>(null);
  const key = `${caseId} ${lane} ${missedAt} ${basis}`;
  useEffect(() => {
    if (lane < 0 || missedAt === null) return;
    let current = true;
    void bridge
      .request('timeline.step', { caseId, basis, lane, call: null, at: missedAt, by: -1 })
      .then((answer) => current && setLast({ of: key, call: answer.ok ? answer.value : null }));
    return () => {
      current = false;
    };
  }, [caseId, basis, lane, missedAt, key]);
  if (index.state !== 'ready' || index.value === null || fault === null || last?.of !== key) return null;
  return stallInterval({ report, index: index.value, fault, last: last.call, basis });
}
