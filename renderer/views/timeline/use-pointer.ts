/**
 * The pointer on the stage: drag in the lanes selects an area, drag on the axis a span, Shift or the middle button pans, the wheel scrolls
 * lanes (or zooms, where all fit), with Ctrl it zooms at the pointer, with Shift it pans.
 */
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { headHeight, type LaneScene, visibleRows } from '../../charts/lane-scene.ts';
import { setCursor } from '../../stores/selection.ts';
import { lanesBetween, type Row, rowAt } from '../../viewmodels/timeline/rows.ts';
import { panSpan, type TimeSpan, zoomSpan } from '../../viewmodels/timeline/span.ts';

/** A rectangle over the lanes; `lanes`: those it touches, empty = dragged on the axis, which means all. */
export interface Area {
  readonly span: TimeSpan;
  readonly top: number;
  readonly bottom: number;
  readonly lanes: readonly number[];
}

export interface PointerPlace {
  /** Null over the gutter. */
  readonly at: number | null;
  readonly row: Row | undefined;
  /** Height inside the list of rows, for rows of many lanes. */
  readonly y: number;
  readonly clientX: number;
  readonly clientY: number;
  readonly zone: 'axis' | 'lanes' | 'gutter';
}

export interface PointerActions {
  readonly whole: TimeSpan;
  readonly onSpan: (span: TimeSpan) => void;
  /** While it is dragged; null = it was too small to be one. */
  readonly onArea: (area: Area | null) => void;
  readonly onHover: (place: PointerPlace | null) => void;
  readonly onClick: (place: PointerPlace) => void;
  readonly onDoubleClick: (place: PointerPlace) => void;
}

interface Drag {
  readonly kind: 'area' | 'axis' | 'pan';
  readonly x: number;
  readonly y: number;
  readonly span: TimeSpan;
  moved: boolean;
}

const SLOP_PX = 4;

export function usePointer(
  stage: RefObject<HTMLDivElement | null>,
  scroller: RefObject<HTMLDivElement | null>,
  scene: LaneScene | null,
  actions: PointerActions,
) {
  const latest = useRef({ scene, actions });
  latest.current = { scene, actions };
  const drag = useRef<Drag | null>(null);
  useWheel(stage, scroller, latest);

  const local = (event: PointerEvent): { x: number; y: number } => {
    const box = stage.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (scene === null || event.button > 1) return;
      const { x, y } = local(event);
      if (x < scene.size.gutter) return;
      const kind = event.shiftKey || event.button === 1 ? 'pan' : y < scene.size.axis ? 'axis' : 'area';
      drag.current = { kind, x, y, span: scene.span, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
      if (event.button === 1) event.preventDefault();
    },
    onPointerMove: (event: PointerEvent) => {
      if (scene === null) return;
      const { x, y } = local(event);
      const place = placeAt(scene, x, y, event);
      setCursor(place.at);
      const held = drag.current;
      if (held === null) return actions.onHover(place);
      if (!held.moved && Math.abs(x - held.x) < SLOP_PX && Math.abs(y - held.y) < SLOP_PX) return;
      held.moved = true;
      actions.onHover(null);
      if (held.kind === 'pan')
        return actions.onSpan(panSpan(held.span, (held.x - x) / laneWidth(scene), actions.whole));
      actions.onArea(areaOf(scene, held, x, y));
    },
    onPointerUp: (event: PointerEvent) => {
      const held = drag.current;
      drag.current = null;
      if (scene === null) return;
      const { x, y } = local(event);
      if (held === null || !held.moved) {
        if (event.button === 0) actions.onClick(placeAt(scene, x, y, event));
        return;
      }
      if (held.kind !== 'axis') return;
      actions.onArea(null);
      actions.onSpan(areaOf(scene, held, x, y).span);
    },
    onPointerLeave: () => {
      setCursor(null);
      actions.onHover(null);
    },
    onDoubleClick: (event: React.MouseEvent) => {
      const box = stage.current?.getBoundingClientRect();
      if (scene !== null)
        actions.onDoubleClick(placeAt(scene, event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0), event));
    },
  };
}

const laneWidth = (scene: LaneScene): number => scene.size.width - scene.size.gutter;

export function timeAt(scene: LaneScene, x: number): number {
  const { from, to } = scene.span;
  return from + ((x - scene.size.gutter) / laneWidth(scene)) * (to - from);
}

function placeAt(
  scene: LaneScene,
  x: number,
  y: number,
  event: { readonly clientX: number; readonly clientY: number },
): PointerPlace {
  const head = headHeight(scene);
  const inPinned = y >= scene.size.axis && y < head;
  const inList = inPinned ? y - scene.size.axis : y - head + scene.scrollTop;
  const row = y < scene.size.axis ? undefined : rowAt(inPinned ? scene.layout.pinned : scene.layout.rows, inList);
  const zone = x < scene.size.gutter ? 'gutter' : y < scene.size.axis ? 'axis' : 'lanes';
  const at = x < scene.size.gutter ? null : timeAt(scene, x);
  return { at, row, y: inList, clientX: event.clientX, clientY: event.clientY, zone };
}

function areaOf(scene: LaneScene, held: Drag, x: number, y: number): Area {
  const [a, b] = [
    timeAt(scene, Math.max(scene.size.gutter, Math.min(held.x, x))),
    timeAt(scene, Math.min(scene.size.width, Math.max(held.x, x))),
  ];
  const whole = held.kind === 'axis';
  const top = whole ? scene.size.axis : Math.max(scene.size.axis, Math.min(held.y, y));
  const bottom = whole ? scene.size.height : Math.min(scene.size.height, Math.max(held.y, y));
  const lanes = new Set<number>();
  if (!whole)
    for (const { row, top: at } of visibleRows(scene))
      for (const lane of lanesBetween(row, top - at + row.y, bottom - at + row.y)) lanes.add(lane);
  return { span: { from: a, to: Math.max(b, a + 1) }, top, bottom, lanes: [...lanes] };
}

/** Not React's: its wheel listeners cannot keep the page from taking the gesture too. */
function useWheel(
  stage: RefObject<HTMLDivElement | null>,
  scroller: RefObject<HTMLDivElement | null>,
  latest: RefObject<{ scene: LaneScene | null; actions: PointerActions }>,
): void {
  useEffect(() => {
    const element = stage.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent): void => {
      const { scene, actions } = latest.current;
      if (scene === null) return;
      event.preventDefault();
      const x = event.clientX - element.getBoundingClientRect().left;
      const list = scroller.current;
      const scrolls = list !== null && list.scrollHeight > list.clientHeight + 1;
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey || (!scrolls && sideways === 0 && event.deltaY !== 0)) {
        const factor = Math.exp(Math.max(-0.6, Math.min(0.6, event.deltaY * 0.002)));
        actions.onSpan(zoomSpan(scene.span, factor, timeAt(scene, x), actions.whole));
      } else if (sideways !== 0) actions.onSpan(panSpan(scene.span, sideways / laneWidth(scene), actions.whole));
      else if (list !== null) list.scrollTop += event.deltaY;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [stage, scroller, latest]);
}
