import '../../components/twin-table.css';
/** The same ranks as a table: sortable, and as text for elsewhere. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { plural } from '#shared/text/format.ts';
import type { Moment, RanksIndex } from '#shared/views/ranks/types.ts';
import { Button } from '../../components/button.tsx';
import { orderOf, SortHead } from '../../components/sort-head.tsx';
import { copyText } from '../../data/clipboard.ts';
import type { RankRow } from '../../viewmodels/ranks/rows.ts';
import { sortTwin, TWIN_COLUMNS, type TwinRow, twinRows } from '../../viewmodels/ranks/table.ts';
import { tsvOf } from '../../viewmodels/tsv.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

interface TwinTableProps {
  readonly rows: readonly RankRow[];
  readonly index: RanksIndex;
  readonly moment: Moment | null;
  readonly kept: ReadonlySet<number> | null;
  readonly timeText: (at: number) => string;
  readonly onOpen: (rank: number) => void;
  /** In place of the map: how to get back to it. */
  readonly onClose?: () => void;
  /** It stands below the map, which keeps the keyboard. */
  readonly below?: boolean;
}

export function TwinTable({ rows, index, moment, kept, timeText, onOpen, onClose, below = false }: TwinTableProps) {
  const host = useRef<HTMLDivElement>(null);
  const rowPx = useRowHeight('row');
  const [sort, setSort] = useState({ column: 0, descending: false });
  const [active, setActive] = useState(0);
  const keys = useLocalKeys('ranks');
  const shown = useMemo(() => {
    const wanted = kept === null ? rows : rows.filter((_, i) => kept.has(i));
    return sortTwin(twinRows({ rows: wanted, index, moment, timeText }), sort.column, sort.descending);
  }, [rows, kept, index, moment, timeText, sort]);
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => host.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  useEffect(() => {
    if (!below) host.current?.focus();
  }, [below]);
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setActive(next);
    list.scrollToIndex(next);
  };
  return (
    <div
      className="twin ranks-twin"
      data-below={below}
      // No higher than its rows, its bar and a scroll bar: the rest is for the curve.
      style={below ? { maxHeight: `calc(${(shown.length + 1) * rowPx}px + 3.25rem)` } : undefined}
    >
      <div className="twin-bar">
        <span>{`${plural(shown.length, 'rank')} as a table`}</span>
        <Button
          kind="plain"
          onClick={() =>
            copyText(
              tsvOf(
                TWIN_COLUMNS,
                shown.map(({ cells }) => cells),
              ),
            )
          }
        >
          Copy as text
        </Button>
        {onClose !== undefined && (
          <Button kind="outlined" keys={keys.shown('twin')} onClick={onClose}>
            Show the map
          </Button>
        )}
      </div>
      <div
        ref={host}
        className="twin-scroll ranks-twin-scroll"
        role="grid"
        aria-label="Ranks"
        aria-rowcount={shown.length + 1}
        aria-activedescendant={`twin-row-${active}`}
        tabIndex={0}
        onKeyDown={(event) => {
          const isTwin = keys.actionOf(event) === 'twin';
          if (!isTwin && (event.altKey || event.ctrlKey || event.metaKey)) return;
          const steps: Readonly<Record<string, number>> = {
            ArrowDown: active + 1,
            ArrowUp: active - 1,
            Home: 0,
            End: shown.length,
            PageDown: active + 15,
            PageUp: active - 15,
          };
          const to = steps[event.key];
          if (to !== undefined) move(to);
          else if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(shown[active]?.rank ?? 0);
          else if (isTwin && onClose !== undefined) onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <Heads
          sort={sort}
          onSort={(column) => setSort({ column, descending: sort.column === column && !sort.descending })}
        />
        <div style={{ height: `${list.getTotalSize()}px`, position: 'relative' }} role="presentation">
          {list.getVirtualItems().map((item) => {
            const row = shown[item.index];
            return row === undefined ? null : (
              <Row
                key={row.rank}
                row={row}
                at={item.index}
                active={item.index === active}
                height={rowPx}
                top={item.start}
                onOpen={() => {
                  setActive(item.index);
                  onOpen(row.rank);
                }}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Heads({
  sort,
  onSort,
}: {
  readonly sort: { readonly column: number; readonly descending: boolean };
  readonly onSort: (column: number) => void;
}) {
  return (
    <div className="twin-row twin-head ranks-twin-row" role="row" aria-rowindex={1}>
      {TWIN_COLUMNS.map((name, column) => (
        <SortHead key={name} order={orderOf(sort.column === column, sort.descending)} onSort={() => onSort(column)}>
          {name}
        </SortHead>
      ))}
    </div>
  );
}

interface RowProps {
  readonly row: TwinRow;
  readonly at: number;
  readonly active: boolean;
  readonly height: number;
  readonly top: number;
  readonly onOpen: () => void;
}

function Row({ row, at, active, height, top, onOpen }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys for all rows
    <div
      id={`twin-row-${at}`}
      className="twin-row ranks-twin-row"
      role="row"
      aria-rowindex={at + 2}
      aria-selected={active}
      data-first={row.role === 'first'}
      style={{ position: 'absolute', top: 0, width: '100%', height: `${height}px`, transform: `translateY(${top}px)` }}
      onClick={onOpen}
    >
      {row.cells.map((cell, column) => (
        <span key={TWIN_COLUMNS[column]} role="gridcell" className="cut tabular" title={cell}>
          {cell}
        </span>
      ))}
    </div>
  );
}
