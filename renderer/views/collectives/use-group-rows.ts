/** Rows of one group in pages, so that a group of any length opens at once and scrolls. */
import { useCallback, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { GroupAnswer } from '#shared/views/collectives/answers.ts';
import { type Query, useQuery } from '../../data/query.ts';
import type { CollectivesTarget } from '../../stores/targets/collectives.ts';
import type { Basis } from '../../viewmodels/collectives/call-times.ts';
import {
  groupItems,
  type Item,
  type RowItem,
  transferItems,
  withHorizons,
} from '../../viewmodels/collectives/items.ts';
import { useKept } from './use-kept.ts';

const PAGE = 200;
const NO_SPLIT: readonly number[] = [];

export interface GroupRows {
  /** The first page: it has everything that is no row. */
  readonly query: Query<GroupAnswer | null>;
  readonly count: number;
  readonly itemAt: (index: number) => Item | undefined;
  readonly onRange: (from: number, to: number) => void;
  /** Where a row of the answer stands in the table. */
  readonly indexOf: (row: number) => number;
}

export function useGroupRows(caseId: CaseId, group: string, target: CollectivesTarget, basis: Basis): GroupRows {
  const mode = target.show ?? 'around';
  const asked = {
    caseId,
    group,
    mode,
    hideEqual: target.hideEqual ?? false,
    seq: target.seq,
    rows: PAGE,
    split: target.split ?? NO_SPLIT,
  };
  const [page, setPage] = useState(0);
  const first = useKept(useQuery('collectives.group', { ...asked, from: 0 }), `${caseId} ${group}`);
  const total = first.state === 'ready' ? (first.value?.total ?? 0) : 0;
  const near = useQuery('collectives.group', page > 0 && page * PAGE < total ? { ...asked, from: page * PAGE } : null);
  const next = useQuery('collectives.group', (page + 1) * PAGE < total ? { ...asked, from: (page + 1) * PAGE } : null);
  const pages = useRef(new Map<string, readonly RowItem[]>());
  const around = mode === 'around';
  const ready = first.state === 'ready' ? first.value : null;
  const head = useMemo(() => headItems(ready, basis, around), [ready, basis, around]);
  const key = `${JSON.stringify(asked)} ${basis}`;
  const keep = (query: Query<GroupAnswer | null>): void => {
    if (query.state === 'ready' && query.value !== null) {
      const id = `${key} ${query.value.from}`;
      if (!pages.current.has(id)) pages.current.set(id, groupItems(query.value, basis));
    }
  };
  keep(near);
  keep(next);
  if (pages.current.size > 60) pages.current.clear();
  const itemAt = useCallback(
    (index: number): Item | undefined => {
      if (index < head.items.length && (around || index < PAGE)) return head.items[index];
      if (index >= total) return head.transfers[index - total];
      const from = Math.floor(index / PAGE) * PAGE;
      return pages.current.get(`${key} ${from}`)?.[index - from];
    },
    [head, around, total, key],
  );
  const onRange = useCallback((from: number) => setPage(Math.floor(from / PAGE)), []);
  const count = around ? head.items.length : total + head.transfers.length;
  const indexOf = useCallback((row: number) => (around ? head.indexOf(row) : row), [around, head]);
  return { query: first, count, itemAt, onRange, indexOf };
}

/** Around a call everything fits one page: horizons and transfers stand between and below the rows. */
function headItems(answer: GroupAnswer | null, basis: Basis, around: boolean) {
  if (answer === null) return { items: [], rows: [], transfers: [], indexOf: () => -1 };
  const rows = groupItems(answer, basis);
  const transfers = transferItems(answer, basis);
  const items: readonly Item[] = around ? [...withHorizons(answer, rows), ...transfers] : rows;
  const places = new Map(items.map((item, index) => [item, index]));
  return {
    items,
    rows,
    transfers,
    indexOf: (row: number) => {
      const item = rows[row];
      return item === undefined ? -1 : (places.get(item) ?? -1);
    },
  };
}
