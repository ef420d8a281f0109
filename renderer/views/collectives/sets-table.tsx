import './sets-table.css';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { plural } from '#shared/text/format.ts';
import { RankChip } from '../../components/rank-chip.tsx';
import type { CellModel } from '../../viewmodels/collectives/cells.ts';
import { cellPhrase } from '../../viewmodels/collectives/cells.ts';
import type { Item } from '../../viewmodels/collectives/items.ts';
import type { SetHead } from '../../viewmodels/collectives/sets.ts';
import type { LocalName } from '../../viewmodels/local-keys.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { useHeadedRows } from '../shell/use-headed-rows.ts';
import { useRowHeight } from '../shell/use-row-height.ts';
import { CallGlyph } from './call-glyph.tsx';

export interface CellPlace {
  readonly item: number;
  readonly set: number;
}

interface SetsTableProps {
  readonly label: string;
  readonly heads: readonly SetHead[];
  readonly moreSets: number;
  readonly moreRanks: number;
  readonly quality: string;
  /** The last column tells how long after the row above. */
  readonly byTime?: boolean;
  readonly count: number;
  /** Undefined while it is on its way. */
  readonly itemAt: (index: number) => Item | undefined;
  /** Rows that are about to be seen: [from, to). */
  readonly onRange?: (from: number, to: number) => void;
  readonly selected: CellPlace | null;
  /** Changes when the table should bring `selected` into view. */
  readonly reveal: string;
  readonly picked: ReadonlySet<number>;
  readonly onSelect: (place: CellPlace) => void;
  readonly onOpen: (place: CellPlace) => void;
  readonly onPick: (set: number) => void;
  readonly onSplit: (set: number) => void;
  readonly onMerge: (set: number) => void;
}

const HEAD_REM = 3.25;
/** Least widths of the columns. */
const CALL_REM = 6.5;
const FIRST_SET_REM = 11;
const SET_REM = 8.5;
const TIME_REM = 7;
const LONGEST_REM = 5.75;

/** Calls × sets of ranks. A grid of any length; only rows in sight are in the page. */
export function SetsTable(props: SetsTableProps) {
  const { heads, count, itemAt, onRange, selected, reveal } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const height = useRowHeight('row');
  const head = (height / 28) * 16 * HEAD_REM;
  const list = useHeadedRows({ scroller, count, height, head });
  const items = list.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1];
  useEffect(() => onRange?.(from, to), [onRange, from, to]);
  const scrollTo = list.scrollToIndex;
  const target = useRef(selected);
  target.current = selected;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reveal` says when
  useEffect(() => {
    const place = target.current;
    if (place === null || place.item < 0) return;
    scrollTo(place.item, { align: 'center' });
    // The cell to look at first may stand in a set that a small window does not show.
    showColumn(scroller.current, place.set);
  }, [reveal, scrollTo]);
  const onKeyDown = useGridKeys(props, { scroller, height, scrollTo });
  const sets = heads.map((_, i) => (i === 0 ? `minmax(${FIRST_SET_REM}rem, 1.5fr)` : `minmax(${SET_REM}rem, 1fr)`));
  const columns = `var(--call-column) ${sets.join(' ')} minmax(${TIME_REM}rem, 0.55fr) ${LONGEST_REM}rem`;
  const least = CALL_REM + FIRST_SET_REM + SET_REM * (heads.length - 1) + TIME_REM + LONGEST_REM;
  const current = selected === null ? undefined : itemAt(selected.item);
  return (
    <>
      <div
        ref={scroller}
        className="sets-table"
        role="grid"
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={count + 1}
        aria-colcount={heads.length + 3}
        aria-activedescendant={selected === null ? undefined : `call-cell-${selected.item}-${selected.set}`}
        data-pane="calls"
        onKeyDown={onKeyDown}
        style={{ '--sets-columns': columns, '--sets-least': `${least}rem` } as React.CSSProperties}
      >
        <SetHeads {...props} />
        <div style={{ height: list.getTotalSize(), position: 'relative', minWidth: `${least}rem` }}>
          {items.map((row) => {
            const item = itemAt(row.index);
            return (
              <div
                key={row.index}
                className="sets-line"
                style={{ height, transform: `translateY(${row.start - head}px)` }}
              >
                {item === undefined ? (
                  <div className="sets-row" role="row" data-loading="true" />
                ) : item.kind === 'row' ? (
                  <Row item={item} index={row.index} table={props} />
                ) : item.kind === 'section' ? (
                  <div className="sets-section" role="row">
                    <span role="rowheader">{item.title}</span>
                    <span className="quiet">{item.note}</span>
                  </div>
                ) : (
                  <Horizon item={item} count={heads.length} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <div className="sr-only" role="status" aria-live="polite">
        {current?.kind === 'row' && selected !== null
          ? `${heads[selected.set]?.whole ?? ''}, call ${current.label}: ${phrase(current.cells[selected.set])}`
          : ''}
      </div>
    </>
  );
}

/** Brings a set between the column of calls, which stays in place, and the right edge; the leftmost one in sight is whole. */
function showColumn(list: HTMLDivElement | null, set: number): void {
  const columns = [...(list?.querySelectorAll<HTMLElement>('.set-head[data-look]') ?? [])];
  const column = columns[set];
  const first = list?.querySelector<HTMLElement>('.sets-call');
  if (list === null || column === undefined || !first) return;
  const right = column.offsetLeft + column.offsetWidth - list.clientWidth;
  const starts = columns.map(({ offsetLeft }) => offsetLeft - first.offsetWidth);
  if (right > list.scrollLeft) list.scrollLeft = starts.find((start) => start >= right) ?? right;
  const left = column.offsetLeft - first.offsetWidth;
  if (left < list.scrollLeft) list.scrollLeft = left;
}

const phrase = (cell: CellModel | undefined): string => (cell === undefined ? '' : cellPhrase(cell));

interface GridGeometry {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly height: number;
  readonly scrollTo: (index: number, options: { align: 'auto' }) => void;
}

function useGridKeys(props: SetsTableProps, { scroller, height, scrollTo }: GridGeometry) {
  const { actionOf } = useLocalKeys('collectives');
  return (event: KeyboardEvent) => {
    const action = actionOf(event);
    if (action === null && (event.ctrlKey || event.altKey || event.metaKey)) return;
    const { selected, count, heads, itemAt } = props;
    const at = selected ?? { item: -1, set: 0 };
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 3);
    const move = moveOf(event.key, action, { at, page, count });
    if (move === undefined) {
      if (!runKey(event.key, action, props, at)) return;
    } else {
      const step = move.item < at.item || event.key === 'End' ? -1 : 1;
      let next = Math.max(0, Math.min(count - 1, move.item));
      while (next > 0 && next < count - 1 && (itemAt(next)?.kind ?? 'row') !== 'row') next += step;
      if ((itemAt(next)?.kind ?? 'row') === 'row') {
        props.onSelect({ item: next, set: Math.max(0, Math.min(heads.length - 1, move.set)) });
        scrollTo(next, { align: 'auto' });
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

interface MoveFrom {
  readonly at: CellPlace;
  readonly page: number;
  readonly count: number;
}

/** Where a key leads; undefined = it does not move. */
function moveOf(
  key: string,
  action: LocalName<'collectives'> | null,
  { at, page, count }: MoveFrom,
): CellPlace | undefined {
  if (action === 'next-set') return { ...at, set: at.set + 1 };
  if (action === 'previous-set') return { ...at, set: at.set - 1 };
  if (action !== null) return undefined;
  switch (key) {
    case 'ArrowDown':
      return { ...at, item: at.item + 1 };
    case 'ArrowUp':
      return { ...at, item: at.item - 1 };
    case 'PageDown':
      return { ...at, item: at.item + page };
    case 'PageUp':
      return { ...at, item: at.item - page };
    case 'Home':
      return { ...at, item: 0 };
    case 'End':
      return { ...at, item: count - 1 };
    default:
      return undefined;
  }
}

/** False if the key does nothing here. */
function runKey(key: string, action: LocalName<'collectives'> | null, props: SetsTableProps, at: CellPlace): boolean {
  if (action === 'split') props.onSplit(at.set);
  else if (action === 'merge') props.onMerge(at.set);
  else if (action !== null) return false;
  else if (key === ' ') props.onPick(at.set);
  else if (key === 'Enter' && props.selected !== null) props.onOpen(props.selected);
  else return false;
  return true;
}

function SetHeads({ heads, moreSets, moreRanks, quality, byTime, picked, onPick, selected }: SetsTableProps) {
  return (
    <div className="sets-head" role="row">
      <span role="columnheader" className="sets-call">
        Call
      </span>
      {heads.map((head, i) => (
        <span
          key={head.letter}
          role="columnheader"
          className="set-head"
          data-look={head.look}
          data-log={head.byLog}
          data-picked={picked.has(i)}
          data-current={selected?.set === i}
          title={head.whole}
        >
          <button type="button" tabIndex={-1} onClick={() => onPick(i)} aria-pressed={picked.has(i)}>
            <span className="set-title">
              <span className="sr-only">Set </span>
              <strong>{head.title}</strong>
              {head.chip !== undefined && <RankChip look={head.chip.look} label={head.chip.label} />}
            </span>
            <span className="set-sub cut">{head.sub}</span>
            <span className="sr-only">. Put side by side in the detail</span>
          </button>
        </span>
      ))}
      <span role="columnheader" className="set-head sets-time" title={quality}>
        <span>First entered</span>
        <span className="set-sub cut">{quality}</span>
      </span>
      <span role="columnheader" className="set-head number">
        <span>{byTime === true ? 'After' : 'Longest'}</span>
        <span className="set-sub cut">
          {moreSets > 0 ? `+${plural(moreSets, 'set')}` : byTime === true ? 'the row above' : 'to done'}
        </span>
        {moreSets > 0 && (
          <span className="sr-only">{`${plural(moreRanks, 'rank')} in ${plural(moreSets, 'more set')} not shown`}</span>
        )}
      </span>
    </div>
  );
}

interface RowProps {
  readonly item: Extract<Item, { readonly kind: 'row' }>;
  readonly index: number;
  readonly table: SetsTableProps;
}

function Row({ item, index, table }: RowProps) {
  const { selected, onSelect, onOpen } = table;
  return (
    <div
      className="sets-row"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected?.item === index}
      data-focus={item.focus}
      data-consequence={item.consequence}
      data-differs={item.differs}
    >
      <span
        role="rowheader"
        className="sets-call tabular"
        title={item.consequence ? 'differs after the first difference: likely a consequence' : undefined}
      >
        {item.label}
      </span>
      {item.cells.map((cell, set) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the grid holds the focus and handles the keys
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: columns in their order
          key={set}
          id={`call-cell-${index}-${set}`}
          role="gridcell"
          tabIndex={-1}
          className="call-cell"
          data-form={cell.form}
          data-same={cell.same}
          data-cursor={selected?.item === index && selected.set === set}
          title={cellPhrase(cell)}
          onClick={() => onSelect({ item: index, set })}
          onDoubleClick={() => onOpen({ item: index, set })}
        >
          <CallGlyph glyph={cell.glyph} />
          <span className="cut">
            {cell.op !== '' && <span className="call-op">{cell.op}</span>}
            {cell.op !== '' && cell.note !== '' ? ' ' : ''}
            {cell.note !== '' && <span className="call-note">{cell.note}</span>}
          </span>
        </span>
      ))}
      <span role="gridcell" className="sets-time tabular cut" title={item.firstTitle}>
        {item.first}
      </span>
      <span role="gridcell" className="number cut">
        {item.longest}
      </span>
    </div>
  );
}

function Horizon({
  item,
  count,
}: {
  readonly item: Extract<Item, { readonly kind: 'horizon' }>;
  readonly count: number;
}) {
  return (
    <div className="sets-row sets-horizon" role="row">
      <span />
      {Array.from({ length: count }, (_, set) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns in their order
        <span key={set} data-horizon={item.sets.includes(set)} />
      ))}
      <span className="sets-horizon-text" role="gridcell">
        {item.text}
      </span>
    </div>
  );
}
