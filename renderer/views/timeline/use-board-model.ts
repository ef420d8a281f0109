/** What the timeline shows and what moves it, put together; `timeline-board.tsx` is its face. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { cursorNow, useSelection } from '../../stores/selection.ts';
import type { TimelineTarget } from '../../stores/targets/timeline.ts';
import { momentLabel, relativeOf } from '../../viewmodels/timeline/axis.ts';
import { layoutRows, type RowLayout } from '../../viewmodels/timeline/rows.ts';
import { clampSpan, momentSpan, sameSpan, type TimeSpan, wholeCase } from '../../viewmodels/timeline/span.ts';
import { formatSignedNs } from '../../viewmodels/times.ts';
import { useRowHeight } from '../shell/use-row-height.ts';
import { useBoard } from './board-state.ts';
import { useFocus } from './use-focus.ts';
import { useMarks } from './use-marks.ts';
import { usePalette } from './use-palette.ts';
import { usePictures } from './use-pictures.ts';
import type { Area } from './use-pointer.ts';
import { useScene } from './use-scene.ts';
import { useElementSize } from './use-size.ts';

interface ModelParts {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly target: TimelineTarget;
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

export function useBoardModel({ caseId, index, target, stage, scroller }: ModelParts) {
  const palette = usePalette(stage);
  const size = useElementSize(stage);
  const scale = usePreferences((state) => state.textScale);
  const rowPx = useRowHeight('log');
  const basis = useSelection((state) => state.basis);
  const range = useSelection((state) => state.range);
  const ranks = useSelection((state) => state.ranks);
  const [board, change] = useBoard(caseId);
  const [scrollTop, setScrollTop] = useState(0);
  const [area, setArea] = useState<Area | null>(null);
  const whole = useMemo(() => wholeCase(index.spans[basis]), [index, basis]);
  const span = useMemo(() => (board.span === null ? whole : clampSpan(board.span, whole)), [board.span, whole]);
  const setSpan = useCallback(
    (next: TimeSpan) =>
      change((old) => (old.span !== null && sameSpan(old.span, next) ? {} : { span: clampSpan(next, whole) })),
    [change, whole],
  );
  const [gutter, axis] = [Math.round(176 * scale), Math.round(36 * scale)];
  const listPx = Math.max(0, size.height - axis - board.pinned.length * rowPx);
  // Not of the whole board: its span changes with every frame of a gesture, the rows do not.
  const { toggled, hidden, pinned, tier } = board;
  const layout = useMemo(
    () =>
      layoutRows(index.sections, index.lanes, { toggled, hidden, pinned, tier, ranks }, { heightPx: listPx, rowPx }),
    [index, toggled, hidden, pinned, tier, ranks, listPx, rowPx],
  );
  const laneWidth = size.width - gutter;
  const pictures = usePictures({
    caseId,
    index,
    basis,
    span,
    width: laneWidth,
    layout,
    scrollTop,
    viewportPx: listPx,
    palette,
  });
  const focus = useFocus({ caseId, index, basis, layout });
  const call = focus.focus?.call ?? null;
  const selected = useMemo(() => {
    if (call === null) return null;
    return {
      lane: call.lane,
      from: call.startNs,
      to: call.endNs ?? call.drawnEndNs ?? (call.state <= 2 ? call.startNs : whole.to),
    };
  }, [call, whole]);
  const originNs = useMemo(() => BigInt(index.originNs), [index]);
  const marks = useMarks({ caseId, originNs, basis, span, board, change });
  const focusLane = focus.focus?.lane ?? -1;
  const { scene, overlay } = useScene({
    ...{ index, basis, span, size, gutter, axis, palette, layout, scrollTop, pictures },
    ...{ selected, area, range, focusLane, marks: marks.all, mark: board.mark },
  });
  useTarget({ target, index, whole, setSpan, range, setFocus: focus.setFocus });
  useLaneInView(scroller, layout, focusLane, listPx);
  useFirstInView(scroller, layout, index, listPx);
  const from = marks.chosen?.at ?? null;
  const cursorLabel = useCallback(
    (at: number) => {
      const label = momentLabel(at, BigInt(index.originNs), span);
      // The chosen mark is where a ruler begins.
      return from === null ? label : `${label}, ${formatSignedNs(BigInt(Math.round(at - from)), 3)} from the mark`;
    },
    [index, span, from],
  );
  return {
    ...{ palette, basis, ranks, board, change, setScrollTop, area, setArea, whole, span, setSpan },
    ...{ gutter, axis, layout, laneWidth, pictures, focus, scene, overlay, cursorLabel, marks, originNs },
  };
}

/** px of other lanes below one that was brought into view. */
const ROOM_BELOW = 24;

interface TargetParts {
  readonly target: TimelineTarget;
  readonly index: TimelineIndex;
  readonly whole: TimeSpan;
  readonly setSpan: (span: TimeSpan) => void;
  readonly range: TimeSpan | null;
  readonly setFocus: (focus: { readonly lane: number; readonly call: null }) => void;
}

/** A link names a moment, a lane or both; a range that another view set is what is shown. */
function useTarget({ target, index, whole, setSpan, range, setFocus }: TargetParts): void {
  const { at, lane } = target;
  useEffect(() => {
    const rel = at === null ? null : relativeOf(at, BigInt(index.originNs));
    if (rel !== null) setSpan(momentSpan(rel, whole));
    const found = lane === null ? -1 : index.lanes.findIndex((one) => one.id === lane);
    if (found >= 0) setFocus({ lane: found, call: null });
  }, [at, lane, index, whole, setSpan, setFocus]);
  const known = useRef(range);
  useEffect(() => {
    if (range !== null && range !== known.current) setSpan(range);
    known.current = range;
  }, [range, setSpan]);
}

/** Keeps the focused lane on screen; nothing else moves the list. */
function useLaneInView(
  scroller: RefObject<HTMLDivElement | null>,
  layout: RowLayout,
  lane: number,
  room: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new lane moves the list, not a new layout
  useEffect(() => {
    const row = layout.rows.find((one) => one.kind === 'lane' && one.lane === lane);
    const list = scroller.current;
    if (row === undefined || list === null) return;
    if (row.y < list.scrollTop) list.scrollTop = Math.max(0, row.y - 24);
    else if (row.y + row.h > list.scrollTop + room) list.scrollTop = row.y + row.h - room + ROOM_BELOW;
  }, [lane]);
}

/** Where more lanes are than fit, the screen begins with the one that the verdict names in sight. */
function useFirstInView(
  scroller: RefObject<HTMLDivElement | null>,
  layout: RowLayout,
  index: TimelineIndex,
  room: number,
): void {
  // The room shrinks as strips come below; who has scrolled meanwhile is left alone.
  const mine = useRef(0);
  useEffect(() => {
    const list = scroller.current;
    if (list === null || room <= 0 || Math.abs(list.scrollTop - mine.current) > 1) return;
    const isFirst = (lane: number): boolean => index.lanes[lane]?.role === 'first';
    const row = layout.rows.find((one) =>
      one.kind === 'lane' ? isFirst(one.lane) : one.kind === 'band' && one.lanes.some(isFirst),
    );
    if (row === undefined || row.y + row.h <= room) return;
    list.scrollTop = row.y + row.h - room + ROOM_BELOW;
    mine.current = list.scrollTop;
  }, [scroller, layout, index, room]);
}

export const cursorOrCentre = (span: TimeSpan): number => {
  const at = cursorNow();
  return at !== null && at >= span.from && at <= span.to ? at : (span.from + span.to) / 2;
};
