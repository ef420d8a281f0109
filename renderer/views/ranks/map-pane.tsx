/** The map itself: canvas, pointer, keys, what a screen reader hears, what hangs beside the pointer. */
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { plural } from '#shared/text/format.ts';
import type { BothBases, RanksIndex } from '#shared/views/ranks/types.ts';
import { beginFrame } from '../../charts/canvas-size.ts';
import { CAPTIONS_FROM, drawGrid, type GridScene, isNumbered } from '../../charts/rank-grid.ts';
import { PointerTooltip } from '../../components/pointer-tooltip.tsx';
import { usePreferences } from '../../stores/preferences.ts';
import { useSelection } from '../../stores/selection.ts';
import type { LocalName } from '../../viewmodels/local-keys.ts';
import { FACTS_FROM, type MapLayout, type MapLine, mapLayout } from '../../viewmodels/ranks/layout.ts';
import { type CellLook, cellLooks } from '../../viewmodels/ranks/looks.ts';
import type { RankRow } from '../../viewmodels/ranks/rows.ts';
import {
  blockNote,
  cellCaption,
  lineFacts,
  narrowCaption,
  rankWords,
  tooltipLines,
} from '../../viewmodels/ranks/words.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { usePalette } from '../timeline/use-palette.ts';
import { useElementSize } from '../timeline/use-size.ts';
import { cellAt, type MapHit, nextCell, rowsIn } from './map-hits.ts';
import type { useRanksModel } from './use-ranks-model.ts';

interface MapPaneProps {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly rows: readonly RankRow[];
  readonly index: RanksIndex;
  readonly model: ReturnType<typeof useRanksModel>;
  readonly kept: ReadonlySet<number> | null;
  readonly focus: number;
  /** Height that what stands below leaves, px. */
  readonly most: number;
  /** Height that it keeps in a low window, if its cells need it; px. */
  readonly least: number;
  readonly setFocus: (row: number) => void;
  readonly selected: number;
  readonly onOpen: (rank: number | null) => void;
  readonly onTable: () => void;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Width of a cell that holds a sentence, px at normal text size. */
const WORDS_FROM = 84;

export function MapPane(props: MapPaneProps) {
  const { host, rows, index, model, focus } = props;
  const { moment, layout: kind } = model;
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(host);
  const size = useElementSize(host);
  const scale = usePreferences((state) => state.textScale);
  const layout = useMemo(
    () => mapLayout(rows, index.axes, kind, { width: size.width, height: size.height, scale }),
    [rows, index, kind, size.width, size.height, scale],
  );
  const natural = useMemo(
    () => mapLayout(rows, index.axes, kind, { width: size.width, height: props.most, scale }).height,
    [rows, index, kind, size.width, props.most, scale],
  );
  const [area, setArea] = useState<Area | null>(null);
  const scene = useScene(props, layout, area);
  const width = Math.max(size.width, layout.width);
  const height = Math.max(size.height, layout.height);
  useEffect(() => {
    if (palette === null || canvas.current === null) return;
    const started = performance.now();
    const on = beginFrame(canvas.current, width, height, size.ratio);
    if (on !== null) drawGrid(on, scene, palette, size.ratio);
    performance.measure('ranks-frame', { start: started, end: performance.now() });
  }, [scene, palette, width, height, size.ratio]);
  const { actionOf } = useLocalKeys('ranks');
  const pointer = usePointer(props, layout, setArea);
  const row = rows[focus];
  return (
    <div
      ref={host}
      className="ranks-map"
      // No higher than its cells: the rest is for what stands below.
      style={{ flex: `0 1 ${Math.ceil(natural)}px`, minHeight: Math.ceil(Math.min(natural, props.least)) }}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the drawing takes the keys; its table twin is V
      tabIndex={0}
      aria-label={`Map of ${plural(rows.length, 'rank')}`}
      aria-describedby="ranks-instructions"
      aria-activedescendant={row === undefined ? undefined : 'ranks-proxy'}
      data-size={Math.round(layout.size / scale)}
      data-numbered={isNumbered(layout, scale)}
      data-moment={moment === null ? undefined : Math.round(moment.at)}
      onKeyDown={(event) => onKey(event, actionOf(event), props, layout)}
      onFocus={() =>
        focus < 0 &&
        rows.length > 0 &&
        props.setFocus(
          Math.max(
            0,
            rows.findIndex((one) => one.role === 'first'),
          ),
        )
      }
      {...pointer.handlers}
    >
      <div aria-hidden="true">
        <canvas ref={canvas} className="ranks-canvas" style={{ width, height }} />
      </div>
      {pointer.hit !== null && pointer.hit.row >= 0 && (
        <Hover hit={pointer.hit} lines={tooltipLines(rows[pointer.hit.row], index, moment, model.timeText)} />
      )}
      <p id="ranks-instructions" className="sr-only">
        Arrow keys go from rank to rank, Shift with arrow keys selects a rectangle, Space adds a rank to the selection,
        Enter opens its card, comma and full stop move the moment, F goes to the first fault, V shows a table.
      </p>
      <div
        id="ranks-proxy"
        role="img"
        aria-label={row === undefined ? 'no rank' : rankWords(row, index, moment, model.timeText)}
      />
      <div className="sr-only" role="status" aria-live="polite" data-testid="ranks-speech">
        {row === undefined ? '' : rankWords(row, index, moment, model.timeText)}
      </div>
    </div>
  );
}

/** What is drawn: how each cell looks, what stands in it, and what is known of each line. */
function useScene(
  { rows, index, model, kept, focus, selected }: MapPaneProps,
  layout: MapLayout,
  area: Area | null,
): GridScene {
  const { moment, colour, basis, timeText } = model;
  const scale = usePreferences((state) => state.textScale);
  const looks = useMemo(() => cellLooks(rows, index, moment, colour), [rows, index, moment, colour]);
  const notes = useMemo(() => layout.blocks.map((block) => blockNote(block.members, looks)), [layout, looks]);
  return useMemo(
    (): GridScene => ({
      ...{ layout, looks, focus, selected, kept, area, notes },
      ranks: rows.map((row) => row.rank),
      named: rows.map((row) => row.role === 'first'),
      flagged: rows.map((row) => row.conflicts.length > 0),
      captions: !isNumbered(layout, scale)
        ? []
        : rows.map((row) => {
            if (layout.sizeX < WORDS_FROM * scale) return narrowCaption(row, index, moment, colour);
            if (layout.size >= CAPTIONS_FROM * scale) return cellCaption(row, index, moment, { timeText, colour });
            // One line has room: both words on it.
            const words = narrowCaption(row, index, moment, colour);
            return words.length < 2 ? words : [words.join(' '), ...words.slice(1)];
          }),
      facts:
        layout.pitch < FACTS_FROM * scale
          ? []
          : layout.lines.map((line) => lineFacts(line.members, rows, index, looks)),
      lost: (line) => lostWords(line, looks, index, (at) => timeText(at[basis])),
    }),
    [layout, looks, focus, selected, kept, area, notes, rows, index, moment, basis, timeText, scale, colour],
  );
}

/** All ranks of the node are gone with it: one band says so. */
function lostWords(
  line: MapLine,
  looks: readonly CellLook[],
  index: RanksIndex,
  timeText: (at: BothBases) => string,
): string | null {
  if (line.node === null || line.members.length === 0 || line.members.some((row) => looks[row] !== 'lost')) return null;
  const lost = index.time?.lost.find((one) => one.node === line.node);
  return lost === undefined ? null : `node lost ${timeText(lost.at)}`;
}

function Hover({ hit, lines }: { readonly hit: MapHit; readonly lines: readonly string[] }) {
  const [title = '', ...rest] = lines;
  return <PointerTooltip className="ranks-tooltip" x={hit.clientX} y={hit.clientY} title={title} lines={rest} />;
}

const DRAG_FROM = 4;

function usePointer(
  { host, rows, setFocus, onOpen }: MapPaneProps,
  layout: MapLayout,
  setArea: (area: Area | null) => void,
) {
  const [hit, setHit] = useState<MapHit | null>(null);
  const start = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const dragged = useRef<Area | null>(null);
  const at = (event: PointerEvent): { x: number; y: number } => {
    const box = host.current?.getBoundingClientRect();
    return {
      x: event.clientX - (box?.left ?? 0) + (host.current?.scrollLeft ?? 0),
      y: event.clientY - (box?.top ?? 0) + (host.current?.scrollTop ?? 0),
    };
  };
  const choose = (members: readonly number[], add: boolean): void => {
    const known = add ? useSelection.getState().ranks : [];
    const ranks = members.flatMap((row) => rows[row]?.rank ?? []);
    useSelection.getState().setRanks([...new Set([...known, ...ranks])]);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      start.current = at(event);
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const { x, y } = at(event);
      const from = start.current;
      if (from !== null && Math.hypot(x - from.x, y - from.y) >= DRAG_FROM) {
        dragged.current = {
          x: Math.min(x, from.x),
          y: Math.min(y, from.y),
          width: Math.abs(x - from.x),
          height: Math.abs(y - from.y),
        };
        setArea(dragged.current);
        setHit(null);
        return;
      }
      const found = cellAt(layout, x, y);
      setHit((old) => (old?.row === found.row ? old : { ...found, clientX: event.clientX, clientY: event.clientY }));
    },
    onPointerLeave: () => setHit(null),
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const [from, drag, add] = [start.current, dragged.current, event.ctrlKey || event.metaKey];
      start.current = null;
      dragged.current = null;
      setArea(null);
      if (from === null) return;
      if (drag !== null) return choose(rowsIn(layout, drag), add);
      const found = cellAt(layout, from.x, from.y);
      if (found.row < 0) {
        if (found.members.length > 0) choose(found.members, add);
        else if (!add) useSelection.getState().setRanks([]);
        return;
      }
      setFocus(found.row);
      const rank = rows[found.row]?.rank ?? 0;
      if (add) toggleRank(rank);
      else onOpen(rank);
    },
  };
  return { hit, handlers };
}

function toggleRank(rank: number): void {
  const { ranks, setRanks } = useSelection.getState();
  setRanks(ranks.includes(rank) ? ranks.filter((one) => one !== rank) : [...ranks, rank]);
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function onKey(event: KeyboardEvent, action: LocalName<'ranks'> | null, props: MapPaneProps, layout: MapLayout): void {
  if (action !== null) runAction(action, props);
  else if (event.altKey || event.ctrlKey || event.metaKey || !runKey(event, props, layout)) return;
  event.preventDefault();
  event.stopPropagation();
}

function runAction(action: LocalName<'ranks'>, { model, index, onTable }: MapPaneProps): void {
  if (action === 'twin') onTable();
  else if (action === 'fault') {
    const at = index.time?.fault?.at[model.basis];
    if (at !== undefined) model.setHandle(at);
  } else if (model.span !== null && model.handle !== null)
    model.setHandle(stepped(model.handle, action === 'earlier' ? -1 : 1, model.span));
}

function runKey({ key, shiftKey }: KeyboardEvent, props: MapPaneProps, layout: MapLayout): boolean {
  const { rows, focus, setFocus } = props;
  const move = MOVES[key];
  if (move !== undefined) {
    const next = nextCell(layout, Math.max(0, focus), move);
    if (shiftKey) extend(rows, layout, focus, next);
    setFocus(next);
    return true;
  }
  const rank = rows[focus]?.rank;
  switch (key) {
    case 'Home':
      setFocus(0);
      return true;
    case 'End':
      setFocus(rows.length - 1);
      return true;
    case 'Enter':
      if (rank !== undefined) props.onOpen(rank);
      return true;
    case ' ':
      if (rank !== undefined) toggleRank(rank);
      return true;
    case 'Escape':
      if (useSelection.getState().ranks.length > 0) useSelection.getState().setRanks([]);
      else if (props.selected >= 0) props.onOpen(null);
      else return false;
      return true;
    default:
      return false;
  }
}

const stepped = (at: number, by: 1 | -1, span: { readonly from: number; readonly to: number }): number =>
  Math.max(span.from, Math.min(span.to, at + (by * (span.to - span.from)) / 200));

/** The rectangle from the cell in focus to the next one joins the selection. */
function extend(rows: readonly RankRow[], layout: MapLayout, from: number, to: number): void {
  const [a, b] = [layout.cellOf[from], layout.cellOf[to]];
  if (a === undefined || b === undefined) return;
  const known = new Set(useSelection.getState().ranks);
  const within = rows.flatMap((row, i) =>
    known.has(row.rank) && layout.cellOf[i] !== undefined ? [layout.cellOf[i]] : [],
  );
  const cells = [...within, a, b];
  const [x0, y0] = [Math.min(...cells.map((cell) => cell.x)), Math.min(...cells.map((cell) => cell.y))];
  const [x1, y1] = [Math.max(...cells.map((cell) => cell.x)), Math.max(...cells.map((cell) => cell.y))];
  const members = rowsIn(layout, { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 });
  useSelection.getState().setRanks(members.flatMap((row) => rows[row]?.rank ?? []));
}
