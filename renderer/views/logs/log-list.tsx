import './log-list.css';
import { type Ref, useCallback, useImperativeHandle, useRef, useState } from 'react';
import type { LineRow } from '#shared/rpc/areas/logs.ts';
import { RowScroller, type RowScrollerHandle } from '../../components/row-scroller.tsx';
import type { LogRows } from '../../data/log-search.ts';
import * as scrollMap from '../../viewmodels/scroll-map.ts';
import { useRowHeight } from '../shell/use-row-height.ts';
import { Row, type RowContext } from './log-row.tsx';
import { SetMap, type SetMapData } from './set-map.tsx';

export interface LogListHandle {
  show(row: number): void;
  focus(): void;
  visibleRows(): number;
  /** First visible row. */
  first(): number;
}

interface LogListProps {
  readonly handle: Ref<LogListHandle>;
  readonly total: number;
  readonly rows: LogRows;
  readonly cursor: number | null;
  readonly context: RowContext;
  readonly timeHead: string;
  readonly map: SetMapData | null;
  readonly themeKey: string;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
}

/** Rows above a line in which the line before it is looked for, past folds and silences. */
const LOOK_BACK = 3;

export function LogList({ handle, total, rows, cursor, context, timeHead, map, themeKey, onKeyDown }: LogListProps) {
  const scroller = useRef<RowScrollerHandle>(null);
  const rowPx = useRowHeight('log');
  const [view, setView] = useState({ from: 0, to: 0, first: 0 });
  const live = useRef(view);
  live.current = view;
  const { want } = rows;
  const onRows = useCallback(
    (from: number, to: number, first: number) => {
      setView((known) =>
        known.from === from && known.to === to && known.first === first ? known : { from, to, first },
      );
      want(from, to);
    },
    [want],
  );
  useImperativeHandle(handle, () => ({
    show: (row) => scroller.current?.show(row),
    focus: () => scroller.current?.focus(),
    visibleRows: () => scroller.current?.visibleRows() ?? 1,
    first: () => live.current.first,
  }));
  return (
    <div className="log-list">
      <div className="log-head" aria-hidden="true">
        <span />
        <span />
        <span>{timeHead}</span>
        <span>rank</span>
        <span>source</span>
        <span />
        <span>message</span>
      </div>
      <div className="log-body">
        <RowScroller
          handle={scroller}
          role="grid"
          tabIndex={0}
          aria-label="Log lines"
          aria-rowcount={total}
          aria-colcount={7}
          aria-activedescendant={cursor === null ? undefined : `log-row-${cursor}`}
          data-pane="lines"
          count={total}
          rowPx={rowPx}
          initialRow={0}
          map={scrollMap}
          onRows={onRows}
          onKeyDown={onKeyDown}
          renderRow={(index) => (
            <Row
              index={index}
              row={rows.row(index)}
              before={lineBefore(rows, index)}
              selected={index === cursor}
              context={context}
            />
          )}
        />
        <SetMap
          data={map}
          total={total}
          first={view.first}
          visible={scroller.current?.visibleRows() ?? 1}
          cursor={cursor}
          themeKey={themeKey}
          onGo={(row) => scroller.current?.show(row)}
        />
      </div>
    </div>
  );
}

function lineBefore(rows: LogRows, index: number): LineRow | undefined {
  for (let at = index - 1; at >= Math.max(0, index - LOOK_BACK); at -= 1) {
    const row = rows.row(at);
    if (row?.kind === 'line') return row;
  }
  return undefined;
}
