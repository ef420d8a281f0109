import './row-scroller.css';
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export interface RowScrollerHandle {
  /** Puts `row` at a third of the height, or leaves it where it is if it is wholly visible. */
  show(row: number): void;
  /** Puts `row` at the top. */
  showAtTop(row: number): void;
  visibleRows(): number;
  focus(): void;
}

interface RowScrollerProps extends Omit<ComponentProps<'div'>, 'children' | 'ref' | 'onScroll'> {
  readonly count: number;
  readonly rowPx: number;
  /** First row at the beginning. */
  readonly initialRow: number;
  readonly handle: Ref<RowScrollerHandle>;
  /** How positions map to rows; see `viewmodels/scroll-map.ts`. */
  readonly map: ScrollMap;
  /** [from, to) of the rows that are or are about to be visible, and the first visible one. */
  readonly onRows: (from: number, to: number, first: number) => void;
  readonly renderRow: (row: number) => ReactNode;
  /** Stays in sight if it is when the list gets lower, because a pane opened or a bar wrapped; null = none. */
  readonly keep?: number | null;
}

interface Geometry {
  readonly rows: number;
  readonly rowPx: number;
  readonly viewPx: number;
}

export interface ScrollMap {
  contentPx(geometry: Geometry): number;
  visibleRows(geometry: Geometry): number;
  rowAt(scrollTop: number, geometry: Geometry): number;
  scrollTopFor(row: number, geometry: Geometry): number;
}

const OVERSCAN = 20;

/** Whole px that are surely there: `clientHeight` is rounded, up as well, and the last row would be cut by what is not there. */
const wholeHeight = (element: HTMLElement): number =>
  Math.min(element.clientHeight, Math.floor(element.getBoundingClientRect().height));
/** So that the end can be scrolled to where the height was rounded down. */
const SPARE_PX = 1;

/**
 * Rows of one height, any number of them. The exact first row is kept as a number, since beyond a few hundred thousand
 * rows one px of the scroll bar stands for many; the wheel moves by rows there.
 */
export function RowScroller(props: RowScrollerProps) {
  const { count, rowPx, initialRow, handle, map, onRows, renderRow, keep = null, className, ...rest } = props;
  const element = useRef<HTMLDivElement>(null);
  const [viewPx, setViewPx] = useState(0);
  const [first, setFirst] = useState(initialRow);
  const expectedTop = useRef(0);
  const geometry: Geometry = { rows: count, rowPx, viewPx };
  const live = useRef({ geometry, first });
  live.current = { geometry, first };

  const moveTo = useCallback(
    (row: number) => {
      const { geometry: now } = live.current;
      const last = Math.max(0, now.rows - now.viewPx / now.rowPx);
      const next = Math.max(0, Math.min(row, last));
      setFirst(next);
      expectedTop.current = map.scrollTopFor(next, now);
      if (element.current) element.current.scrollTop = expectedTop.current;
    },
    [map],
  );

  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = (): void => setViewPx(wholeHeight(target));
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    measure();
    return () => observer.disconnect();
  }, []);

  // The first position can only be set once the height is known; a row that was asked for before that (effects of the first commit run
  // before the one that knows the height) is shown then.
  const placed = useRef(false);
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (placed.current || viewPx === 0 || count === 0) return;
    placed.current = true;
    const rows = map.visibleRows({ rows: count, rowPx, viewPx });
    const row = wanted.current;
    const inSight = row === null || (row >= initialRow && row < initialRow + rows);
    moveTo(inSight ? initialRow : row - Math.floor(rows / 3));
  }, [viewPx, rowPx, count, initialRow, map, moveTo]);

  useKeptRow(keep, geometry, live, map, moveTo);
  useScaledWheel(element, live, map, moveTo);
  useImperativeHandle(handle, () => ({
    show: (row) => {
      if (!placed.current) {
        wanted.current = row;
        return;
      }
      const { geometry: now, first: top } = live.current;
      const rows = map.visibleRows(now);
      if (row < Math.ceil(top) || row >= Math.floor(top) + rows) moveTo(row - Math.floor(rows / 3));
    },
    showAtTop: moveTo,
    visibleRows: () => map.visibleRows(live.current.geometry),
    focus: () => element.current?.focus({ preventScroll: true }),
  }));

  const from = Math.max(0, Math.floor(first) - OVERSCAN);
  const to = Math.min(count, Math.ceil(first + viewPx / rowPx) + OVERSCAN);
  useEffect(() => {
    if (to > from) onRows(from, to, Math.floor(first));
  }, [from, to, first, onRows]);

  const top = map.scrollTopFor(first, geometry);
  const rows = viewPx === 0 ? [] : Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return (
    <div
      {...rest}
      ref={element}
      className={className ? `row-scroller ${className}` : 'row-scroller'}
      onScroll={(event) => {
        const { scrollTop } = event.currentTarget;
        if (Math.abs(scrollTop - expectedTop.current) < 1.5) return;
        expectedTop.current = scrollTop;
        setFirst(map.rowAt(scrollTop, live.current.geometry));
      }}
    >
      <div
        className="row-scroller-content"
        style={{ height: map.contentPx(geometry) + (map.contentPx(geometry) > viewPx ? SPARE_PX : 0) }}
      >
        {rows.map((row) => (
          <div key={row} className="row-scroller-row" style={{ top: top + (row - first) * rowPx, height: rowPx }}>
            {renderRow(row)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Shows the row again that a change of the height pushed out of sight; where the user scrolled away from it, it stays away. */
function useKeptRow(
  keep: number | null,
  { viewPx, rowPx }: Geometry,
  live: { readonly current: { readonly geometry: Geometry; readonly first: number } },
  map: ScrollMap,
  moveTo: (row: number) => void,
): void {
  const before = useRef({ viewPx: 0, rowPx });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { viewPx, rowPx };
    if (keep === null || old.viewPx === 0 || viewPx === 0 || old.viewPx / old.rowPx === viewPx / rowPx) return;
    const { geometry: now, first } = live.current;
    const inSight = (rows: number): boolean => keep >= Math.ceil(first) && keep < Math.floor(first) + rows;
    if (!inSight(map.visibleRows({ ...now, ...old }))) return;
    const rows = map.visibleRows(now);
    if (!inSight(rows)) moveTo(keep - Math.floor(rows / 3));
  }, [keep, viewPx, rowPx, live, map, moveTo]);
}

/** Where the scroll bar is a scale, a turn of the wheel still moves by a few rows. */
function useScaledWheel(
  element: { readonly current: HTMLDivElement | null },
  live: { readonly current: { readonly geometry: Geometry; readonly first: number } },
  map: ScrollMap,
  moveTo: (row: number) => void,
): void {
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const onWheel = (event: WheelEvent) => {
      const { geometry, first } = live.current;
      const scaled = geometry.rows * geometry.rowPx > map.contentPx(geometry);
      if (!scaled || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      moveTo(first + event.deltaY / geometry.rowPx);
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element, live, map, moveTo]);
}
