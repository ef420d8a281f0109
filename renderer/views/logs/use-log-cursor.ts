import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { EntryId } from '#shared/model/ids.ts';
import type { LineRow, ListChoice, RowWish } from '#shared/rpc/areas/logs.ts';
import { locateRow, stepRow } from '../../data/log-places.ts';
import type { LogRows, LogSearch } from '../../data/log-search.ts';
import { useNotices } from '../../stores/notices.ts';
import { useSelection } from '../../stores/selection.ts';
import type { LogListHandle } from './log-list.tsx';

interface LineRef {
  readonly entryId: EntryId;
  readonly line: number;
}

export interface LogCursor {
  readonly row: number | null;
  /** `ENTRY:LINE` of what the cursor was sent to, which may be folded away under its row; null = it was moved by hand. */
  readonly seeks: string | null;
  /** The line under the cursor; null on other rows and while it is fetched. */
  readonly line: LineRow | null;
  moveTo(row: number): void;
  /** To a moment or a line; says so if the line is not among the results. */
  goTo(wish: RowWish): void;
  step(to: 'error' | 'warning' | 'record', by: 1 | -1): void;
}

interface CursorOptions {
  readonly search: LogSearch;
  readonly list: ListChoice;
  readonly rows: LogRows;
  readonly total: number;
  readonly handle: RefObject<LogListHandle | null>;
}

/** Where the keyboard is in the list. The line stays under it while rows come and go around it. */
export function useLogCursor({ search, list, rows, total, handle }: CursorOptions): LogCursor {
  const [row, setRow] = useState<number | null>(null);
  const anchor = useRef<LineRef | null>(null);
  const found = row === null ? undefined : rows.row(row);
  const line = found?.kind === 'line' ? found : null;
  const select = useSelection((state) => state.select);
  const key = line?.key ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the line
  useEffect(() => {
    if (line === null || !moved.current) return;
    moved.current = false;
    anchor.current = { entryId: line.entryId, line: line.line };
    select({ kind: 'line', entryId: line.entryId, line: line.line });
  }, [key, select]);
  /** The user moved; the selection follows once the row is there. */
  const moved = useRef(false);
  const version = `${search.searchId} ${search.state?.version} ${JSON.stringify(list)}`;
  const latest = useRef({ search, list, row, total });
  latest.current = { search, list, row, total };
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are placed anew with each version
  useEffect(() => {
    const at = anchor.current;
    if (at === null || search.state === null) return;
    let current = true;
    void locateRow(search, list, { kind: 'line', ...at }).then((place) => {
      // The user may have moved on while the place of the old line was looked for.
      if (!current || anchor.current !== at || place === null || place.total === 0 || !place.exact) return;
      if (latest.current.row !== place.row) {
        setRow(place.row);
        handle.current?.show(place.row);
      }
    });
    return () => {
      current = false;
    };
  }, [version]);
  const moveTo = useCallback(
    (next: number) => {
      const to = Math.max(0, Math.min(next, latest.current.total - 1));
      moved.current = true;
      anchor.current = null;
      setRow(to);
      handle.current?.show(to);
    },
    [handle],
  );
  const goTo = useCallback(
    (wish: RowWish) => {
      void locateRow(latest.current.search, latest.current.list, wish).then((place) => {
        if (place === null || place.total === 0) return;
        moveTo(place.row);
        if (wish.kind === 'line') anchor.current = { entryId: wish.entryId, line: wish.line };
        if (!place.exact && wish.kind === 'line')
          useNotices.getState().show('That line is not among the results; the next one is shown');
      });
    },
    [moveTo],
  );
  const step = useCallback(
    (to: 'error' | 'warning' | 'record', by: 1 | -1) => {
      const from = latest.current.row ?? (by === 1 ? -1 : latest.current.total);
      const start = Math.max(0, Math.min(from, latest.current.total - 1));
      void stepRow(latest.current.search, latest.current.list, start, to, by).then((next) => {
        if (next !== null) moveTo(next);
        else {
          const whole = latest.current.search.state?.status === 'done';
          useNotices
            .getState()
            .show(`No ${by === 1 ? 'further' : 'earlier'} ${to}${whole ? '' : ' in the text that was searched'}`);
        }
      });
    },
    [moveTo],
  );
  const seeks = anchor.current === null ? null : `${anchor.current.entryId}:${anchor.current.line}`;
  return { row, line, seeks, moveTo, goTo, step };
}
