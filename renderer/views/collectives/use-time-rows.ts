/** The rows around a call, by the moment at which they were entered: the times come from the dumps of a few ranks of each set. */
import { useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { type GroupAnswer, MAX_TIMED_CALLS, MAX_TIMED_RANKS } from '#shared/views/collectives/answers.ts';
import { useQuery } from '../../data/query.ts';
import { byTimeItems, readRanks } from '../../viewmodels/collectives/by-time.ts';
import type { Basis } from '../../viewmodels/collectives/call-times.ts';
import { groupItems } from '../../viewmodels/collectives/items.ts';
import type { GroupRows } from './use-group-rows.ts';
import { useKept } from './use-kept.ts';

interface Asked {
  readonly caseId: CaseId;
  readonly group: string;
  readonly answer: GroupAnswer | null;
  readonly basis: Basis;
  readonly on: boolean;
}

/** `rows` as they are until the times are there, and where nothing tells of any. `read`: ranks whose dumps were read. */
export function useTimeRows(
  rows: GroupRows,
  { caseId, group, answer, basis, on }: Asked,
): GroupRows & { readonly read: number } {
  const ranks = useMemo(() => (answer === null ? [] : readRanks(answer.sets).slice(0, MAX_TIMED_RANKS)), [answer]);
  const calls = useMemo(
    () => (answer?.rows ?? []).slice(0, MAX_TIMED_CALLS).map(({ seq, part }) => ({ seq, part })),
    [answer],
  );
  const wanted = on && ranks.length > 0 && calls.length > 0;
  const query = useKept(
    useQuery('collectives.times', wanted ? { caseId, group, calls, ranks } : null),
    `${caseId} ${group} ${calls[0]?.seq} ${calls.length} ${ranks.join()}`,
  );
  const times = wanted && query.state === 'ready' ? query.value : null;
  const items = useMemo(
    () => (answer === null || times === null ? null : byTimeItems(answer, groupItems(answer, basis), times, basis)),
    [answer, times, basis],
  );
  if (items === null) return { ...rows, read: 0 };
  return {
    ...rows,
    count: items.length,
    itemAt: (index) => items[index],
    indexOf: (row) => {
      const call = answer?.rows[row];
      return items.findIndex((item) => item.kind === 'row' && item.seq === call?.seq && item.part === call.part);
    },
    read: times?.ranks.filter((one) => one.rawNs.some((ns) => !Number.isNaN(ns))).length ?? 0,
  };
}
