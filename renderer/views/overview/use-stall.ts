/** When a rank stalled: nobody prints the moment, so it is told as what it lies between, its newest call and the first peer's entry into the next. */
import { useEffect, useState } from 'react';
import type { Result } from '#shared/lib/result.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { TimelineCall } from '#shared/rpc/areas/timeline.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { bridge } from '../../data/bridge.ts';
import { useQuery } from '../../data/query.ts';
import { type TimeBasis, useSelection } from '../../stores/selection.ts';
import { isNeverEnqueued } from '../../viewmodels/ranks/legend.ts';
import { type StallInterval, stallInterval } from '../../viewmodels/stall.ts';

interface LanePlace {
  readonly caseId: CaseId;
  readonly basis: TimeBasis;
  readonly lane: number;
  readonly at: number;
}

/** The newest call of a lane that was entered; the missed one stands on the lane too. */
async function callBefore(place: LanePlace): Promise<TimelineCall | null> {
  let call: number | null = null;
  for (let i = 0; i < MOST_DERIVED; i++) {
    const answer: Result<TimelineCall | null, RpcError> = await bridge.request('timeline.step', {
      ...place,
      call,
      by: -1,
    });
    if (!answer.ok || answer.value === null) return null;
    if (!isNeverEnqueued(answer.value.op)) return answer.value;
    call = answer.value.call;
  }
  return null;
}

/** Missed calls in a row that are looked past. */
const MOST_DERIVED = 8;

/** Null where the verdict is about no stall and has a moment of its own, or where nothing brackets it. */
export function useStall(caseId: CaseId, report: Report): StallInterval | null {
  const basis = useSelection((state) => state.basis);
  const { at, firstRanks, stage } = report.verdict;
  const wanted = firstRanks.length === 1 && (at === null || stage === 'straggler');
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
    void callBefore({ caseId, basis, lane, at: missedAt }).then((call) => current && setLast({ of: key, call }));
    return () => {
      current = false;
    };
  }, [caseId, basis, lane, missedAt, key]);
  if (index.state !== 'ready' || index.value === null || fault === null || last?.of !== key) return null;
  return stallInterval({ report, index: index.value, fault, last: last.call, basis });
}
