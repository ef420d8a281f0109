import { useRef, useState } from 'react';
import { plusMinus } from '#shared/text/clock-text.ts';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { orderOf, SortHead } from '../../components/sort-head.tsx';
import { type ClockSort, type ClockTableRow, tableScale } from '../../viewmodels/clocks/table.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { useHeadedRows } from '../shell/use-headed-rows.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

interface Sort {
  readonly by: ClockSort;
  readonly descending: boolean;
}

interface ClockTableProps {
  readonly rows: readonly ClockTableRow[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly chosen: string | null;
  readonly onChoose: (clock: string) => void;
  /** Enter: to the evidence of the chosen clock. */
  readonly onOpen: () => void;
  readonly onSet: (clock: string) => void;
}

/** Rows in sight before the table scrolls by itself. */
const MOST_ROWS = 12;

export function ClockTable({ rows, sort, onSort, chosen, onChoose, onOpen, onSet }: ClockTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useRowHeight('row');
  const scale = tableScale(rows);
  const at = rows.findIndex(({ id }) => id === chosen);
  const list = useHeadedRows({ scroller, count: rows.length, height, at });
  const [focused, setFocused] = useState(false);
  const { actionOf } = useLocalKeys('clocks');
  const onKeyDown = (event: React.KeyboardEvent) => {
    const isSet = actionOf(event) === 'set';
    if (event.target !== event.currentTarget) return;
    if (!isSet && (event.altKey || event.ctrlKey || event.metaKey)) return;
    const current = rows[at];
    if (event.key === 'Enter') onOpen();
    else if (isSet && current !== undefined && !current.isReference) onSet(current.id);
    else {
      const to = {
        ArrowDown: at + 1,
        ArrowUp: at - 1,
        Home: 0,
        End: rows.length - 1,
        PageDown: at + 8,
        PageUp: at - 8,
      }[event.key];
      const next = to === undefined ? undefined : rows[Math.max(0, Math.min(to, rows.length - 1))];
      if (next === undefined) return;
      onChoose(next.id);
    }
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      className="clock-table"
      role="grid"
      tabIndex={0}
      aria-label="Clocks"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={at < 0 ? undefined : `clock-${at}`}
      data-pane="clocks"
      style={{ maxHeight: height * (MOST_ROWS + 1) }}
      onKeyDown={onKeyDown}
      onFocus={(event) =>
        event.target === event.currentTarget && setFocused(event.currentTarget.matches(':focus-visible'))
      }
      onBlur={() => setFocused(false)}
    >
      <div className="clock-columns" role="row">
        <Head by="name" {...{ sort, onSort }}>
          Clock
        </Head>
        <span role="columnheader">Kind</span>
        <Head by="offset" {...{ sort, onSort }}>
          Offset
        </Head>
        <Head by="width" {...{ sort, onSort }}>
          Guaranteed, ms
        </Head>
        <Head by="likely" {...{ sort, onSort }}>
          Likely, ms
        </Head>
        <span role="columnheader">{scale === null ? '' : `around it, ${plusMinus(scale)}`}</span>
        <Head by="drift" {...{ sort, onSort }}>
          Drift
        </Head>
        <Head by="anchors" {...{ sort, onSort }}>
          Anchors
        </Head>
        <Head by="trouble" {...{ sort, onSort }}>
          Quality
        </Head>
        <span role="columnheader">Override</span>
      </div>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <div
              key={row.id}
              style={{ position: 'absolute', inset: '0 0 auto', transform: `translateY(${item.start - height}px)` }}
            >
              <Row
                row={row}
                index={item.index}
                chosen={item.index === at}
                focused={focused && item.index === at}
                scale={scale}
                onChoose={onChoose}
                onSet={onSet}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly by: ClockSort;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly children: string;
}

/** Numbers begin with the largest, names and trouble with the first; the same again turns it round. */
function Head({ by, sort, onSort, children }: HeadProps) {
  const chosen = sort.by === by;
  const isText = by === 'name' || by === 'trouble';
  return (
    <SortHead
      order={orderOf(chosen, sort.descending)}
      onSort={() => onSort({ by, descending: chosen ? !sort.descending : !isText })}
      className={isText ? undefined : 'number'}
      buttonClass="clock-head"
      arrowFirst
    >
      {children}
    </SortHead>
  );
}

interface RowProps {
  readonly row: ClockTableRow;
  readonly index: number;
  readonly chosen: boolean;
  readonly focused: boolean;
  readonly scale: number | null;
  readonly onChoose: (clock: string) => void;
  readonly onSet: (clock: string) => void;
}

function Row({ row, index, chosen, focused, scale, onChoose, onSet }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a grid stand at its root
    <div
      id={`clock-${index}`}
      className="clock-row-line"
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      data-focused={focused}
      data-unknown={row.bounds === null}
      onClick={() => onChoose(row.id)}
    >
      <span role="gridcell" className="clock-name" title={row.title}>
        <MiddleCut text={row.title} />
      </span>
      <span role="gridcell" className="quiet">
        {row.kind}
      </span>
      <span role="gridcell" className="number clock-offset" data-word={row.bounds === null || row.isReference}>
        {row.offset}
      </span>
      <span role="gridcell" className="number">
        {row.guaranteed}
      </span>
      <span role="gridcell" className="number">
        {row.likely}
      </span>
      <span role="gridcell">{scale !== null && <TableWhisker row={row} scale={scale} />}</span>
      <span role="gridcell" className="number">
        {row.drift}
      </span>
      <span role="gridcell" className="number" title={row.anchorsTitle}>
        {row.anchors}
      </span>
      <span role="gridcell" className="clock-quality" data-quality={row.quality}>
        {row.quality}
      </span>
      <span role="gridcell">
        {!row.isReference && (
          <button
            type="button"
            className="clock-set"
            tabIndex={chosen ? 0 : -1}
            aria-label={`${row.isSet ? 'Change the setting of' : 'Set'} ${row.title}`}
            onClick={(event) => {
              event.stopPropagation();
              onSet(row.id);
            }}
          >
            {row.isSet ? 'set ✓' : 'set…'}
          </button>
        )}
      </span>
    </div>
  );
}

const WHISKER_PX = 136;

/** Around the offset of the clock itself, all on one scale: wide is uncertain. Hatched where nothing is known: never a mark at zero. */
function TableWhisker({ row, scale }: { readonly row: ClockTableRow; readonly scale: number }) {
  const { bounds, isReference } = row;
  if (bounds === null) return <span className="whisker-unknown" title="Nothing relates this clock to another" />;
  const x = (ms: number): number =>
    Math.round(((Math.max(-scale, Math.min(scale, ms)) / scale + 1) / 2) * (WHISKER_PX - 2)) + 1;
  const from = (ms: number | null): number | null => (ms === null ? null : ms - bounds.estimate);
  const [low, high] = [from(bounds.low), from(bounds.high)];
  const [likelyLow, likelyHigh] = [from(bounds.likelyLow) ?? low ?? -scale, from(bounds.likelyHigh) ?? high ?? scale];
  // An end that is open, or beyond the scale, has no cap.
  const cap = (end: number | null): string => (end === null || Math.abs(end) > scale ? '' : `M${x(end)} 3.5v7`);
  return (
    <svg width={WHISKER_PX} height="14" viewBox={`0 0 ${WHISKER_PX} 14`} aria-hidden="true">
      <path className="whisker-zero" d={`M${WHISKER_PX / 2} 0v14`} />
      {!isReference && (
        <path
          className="whisker"
          d={`M${x(low ?? -scale)} 7H${x(high ?? scale)}${cap(low)}${cap(high)}`}
          strokeWidth="1"
          fill="none"
        />
      )}
      <rect
        className="whisker-core"
        x={x(likelyLow)}
        y="5"
        width={Math.max(1.5, x(likelyHigh) - x(likelyLow))}
        height="4"
      />
    </svg>
  );
}
