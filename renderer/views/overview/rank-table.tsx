import './rank-table.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Report } from '#shared/report/schema.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { Segmented } from '../../components/fields.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { type ChipLook, RankChip } from '../../components/rank-chip.tsx';
import { rectWithFrame } from '../../components/rect-with-frame.ts';
import { orderOf, SortHead } from '../../components/sort-head.tsx';
import {
  RANK_COLUMN_HEADS,
  RANK_COLUMNS,
  type RankColumn,
  type RankSort,
  type RankTableRow,
  rankTableRows,
  rankTableSummary,
} from '../../viewmodels/rank-table.ts';
import { preview } from '../shell/links.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

/** Above this many ranks the table opens folded into sets. */
const FOLD_ABOVE = 8;

/** All ranks with role, place, end and dump; windowed inside the page's own scroll. */
export function RankTable({
  report,
  scroller,
}: {
  readonly report: Report;
  readonly scroller: RefObject<HTMLDivElement | null>;
}) {
  const [fold, setFold] = useState(report.ranks.length > FOLD_ABOVE);
  const [sort, setSort] = useState<RankSort>({ column: 'role', descending: false });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rankTableRows(report, { sort, fold, open }), [report, sort, fold, open]);
  if (report.ranks.length === 0) return null;
  const toggle = (key: string) =>
    setOpen((known) =>
      known.has(key) ? new Set([...known].filter((other) => other !== key)) : new Set([...known, key]),
    );
  return (
    <section className="overview-section" aria-label="Ranks">
      <div className="rank-table-head">
        <h2>Ranks</h2>
        <span className="quiet">{`${formatCount(report.ranks.length)}, ${rankTableSummary(report)}`}</span>
        <Segmented
          label="Rows"
          value={fold ? 'sets' : 'ranks'}
          options={[
            { value: 'sets', label: 'Sets' },
            { value: 'ranks', label: 'Ranks' },
          ]}
          onChoose={(value) => setFold(value === 'sets')}
        />
      </div>
      <div className="rank-grid" role="grid" tabIndex={-1} aria-label="Ranks" aria-rowcount={rows.length + 1}>
        <div className="rank-grid-inner" role="presentation">
          <ColumnHeads
            sort={sort}
            onSort={(column) => setSort({ column, descending: sort.column === column && !sort.descending })}
          />
          <Rows rows={rows} scroller={scroller} onToggle={toggle} />
        </div>
      </div>
    </section>
  );
}

function ColumnHeads({ sort, onSort }: { readonly sort: RankSort; readonly onSort: (column: RankColumn) => void }) {
  return (
    <div className="rank-columns" role="row">
      {RANK_COLUMNS.map((column) => (
        <SortHead key={column} order={orderOf(sort.column === column, sort.descending)} onSort={() => onSort(column)}>
          {RANK_COLUMN_HEADS[column]}
        </SortHead>
      ))}
    </div>
  );
}

function Rows({
  rows,
  scroller,
  onToggle,
}: {
  readonly rows: readonly RankTableRow[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onToggle: (key: string) => void;
}) {
  const body = useRef<HTMLDivElement>(null);
  const height = useRowHeight('row');
  const [margin, setMargin] = useState(0);
  useEffect(() => {
    // With the frame, which lays the page out in any case: asked for at once, it would be a part of the task that mounts the screen.
    const frame = requestAnimationFrame(() => {
      const [inner, outer] = [body.current, scroller.current];
      if (inner && outer)
        setMargin(inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop);
    });
    return () => cancelAnimationFrame(frame);
  });
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 10,
    scrollMargin: margin,
    // The page's scroll is not this table's to set: it would lose the position that Back has restored.
    scrollToFn: () => undefined,
    observeElementRect: rectWithFrame,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height changes
  useEffect(() => list.measure(), [height]);
  return (
    <div ref={body} style={{ height: list.getTotalSize(), position: 'relative' }}>
      {list.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return row ? (
          <div
            key={row.key}
            style={{
              position: 'absolute',
              top: 0,
              left: 0,
              right: 0,
              transform: `translateY(${item.start - margin}px)`,
            }}
          >
            <Row row={row} index={item.index} onToggle={onToggle} />
          </div>
        ) : null;
      })}
    </div>
  );
}

function Row({
  row,
  index,
  onToggle,
}: {
  readonly row: RankTableRow;
  readonly index: number;
  readonly onToggle: (key: string) => void;
}) {
  const look: ChipLook = row.role;
  return (
    <div className="rank-row" role="row" aria-rowindex={index + 2} data-role={row.role}>
      <span role="gridcell" className="rank-name" data-in-set={row.kind === 'rank' && row.inSet}>
        {row.kind === 'rank' ? (
          <>
            <button
              type="button"
              className="rank-pick"
              title="Show in the inspector"
              onClick={() => preview({ kind: 'rank', rank: row.rank })}
            >
              <RankChip look={look} label={`rank ${row.rank}`} />
            </button>
            {row.note !== '' && (
              <span className="quiet cut" title={row.note}>
                {row.note}
              </span>
            )}
          </>
        ) : (
          <button
            type="button"
            className="rank-fold"
            aria-expanded={row.open}
            title={row.label}
            onClick={() => onToggle(row.key)}
          >
            <ChevronRight className="icon-12" strokeWidth={1.75} aria-hidden="true" />
            <span>{plural(row.ranks.length, 'rank')}</span>
            <span className="quiet cut">{row.label}</span>
          </button>
        )}
      </span>
      {RANK_COLUMNS.filter((column) => column !== 'rank').map((column) => (
        <span
          key={column}
          role="gridcell"
          className={column === 'seen' ? 'cut tabular' : 'cut'}
          title={row.cells[column]}
        >
          {column === 'pod' || column === 'node' ? <MiddleCut text={row.cells[column]} tail={8} /> : row.cells[column]}
        </span>
      ))}
    </div>
  );
}
