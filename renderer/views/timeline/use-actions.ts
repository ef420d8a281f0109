/** What keys and clicks do. */
import type { KeyboardEvent } from 'react';
import { useMemo } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { entryId } from '#shared/model/ids.ts';
import type { TimelineCall, TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import type { LaneScene, SlicePicture } from '../../charts/lane-scene.ts';
import { latestOf } from '../../data/timeline.ts';
import { ALL_FILES, type RawTarget, useNavigation } from '../../stores/navigation.ts';
import { useSelection } from '../../stores/selection.ts';
import { lanesAt, type RowLayout } from '../../viewmodels/timeline/rows.ts';
import { centreSpan, fitSpan, panSpan, type TimeSpan, zoomSpan } from '../../viewmodels/timeline/span.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { type Board, toggledSet } from './board-state.ts';
import { cursorOrCentre } from './use-board-model.ts';
import type { useFocus } from './use-focus.ts';
import type { TimelineAction } from './use-keys.ts';
import type { Marks } from './use-marks.ts';
import type { Area, PointerPlace } from './use-pointer.ts';

export interface ActionParts {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly board: Board;
  readonly change: (part: Partial<Board> | ((board: Board) => Partial<Board>)) => void;
  readonly span: TimeSpan;
  readonly setSpan: (span: TimeSpan) => void;
  readonly whole: TimeSpan;
  readonly layout: RowLayout;
  readonly focus: ReturnType<typeof useFocus>;
  readonly area: Area | null;
  readonly setArea: (area: Area | null) => void;
  readonly marks: Marks;
}

const ZOOM = 0.6;
const FIT_WITHIN_MS = 600;
let lastCentred = 0;

export function useActions(parts: ActionParts) {
  const pick = useMemo(() => latestOf('timeline.pick'), []);
  const { index, change, setSpan, whole, focus } = parts;
  const keys = useLocalKeys('timeline');
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget && event.target instanceof HTMLButtonElement) return;
      const action = keys.actionOf(event);
      if (action === null || (action === 'clear' && parts.area === null && parts.marks.chosen === null)) return;
      if (NEEDS_MARK.has(action) && parts.marks.chosen === null) return;
      event.preventDefault();
      event.stopPropagation();
      runAction(action, parts);
    },
    click: async (place: PointerPlace, scene: LaneScene | null) => {
      const { row } = place;
      parts.setArea(null);
      if (place.zone === 'axis' && place.at !== null && parts.marks.chooseAt(place.at)) return;
      if (row === undefined || scene === null) return;
      const section = index.sections[row.section];
      if (section !== undefined && (row.kind === 'head' || (row.kind === 'band' && place.zone === 'gutter')))
        return change((board) => ({ toggled: toggledSet(board.toggled, section.id) }));
      const lanes = lanesAt(row, place.y);
      if (place.at === null) return focus.choose(null, lanes[0] ?? -1);
      const perPx = (scene.span.to - scene.span.from) / (scene.size.width - scene.size.gutter);
      const instant =
        row.kind === 'lane' && scene.slices !== null ? instantAt(scene.slices, row.lane, place.at, perPx * 6) : null;
      if (instant !== null) {
        focus.setFocus({ lane: lanes[0] ?? -1, call: null });
        useSelection
          .getState()
          .select(
            instant.line > 0
              ? { kind: 'line', entryId: entryId(instant.entry), line: instant.line }
              : { kind: 'entry', entryId: entryId(instant.entry) },
          );
        return;
      }
      const got = await pick({
        caseId: parts.caseId,
        basis: useSelection.getState().basis,
        lanes: [...lanes],
        from: place.at - perPx * 2,
        to: place.at + perPx * 2,
      });
      if (got?.ok !== true) return;
      focus.choose(got.value.call, got.value.call?.lane ?? lanes[0] ?? -1);
      if (got.value.call === null) useSelection.getState().select(null);
    },
    doubleClick: async (place: PointerPlace, scene: LaneScene | null) => {
      const { row } = place;
      if (row === undefined || scene === null || place.at === null) return;
      if (row.kind === 'band') {
        const section = index.sections[row.section];
        if (section !== undefined) change((board) => ({ toggled: toggledSet(board.toggled, section.id) }));
        return;
      }
      const perPx = (scene.span.to - scene.span.from) / (scene.size.width - scene.size.gutter);
      const got = await pick({
        caseId: parts.caseId,
        basis: useSelection.getState().basis,
        lanes: [...lanesAt(row, place.y)],
        from: place.at - perPx * 2,
        to: place.at + perPx * 2,
      });
      if (got?.ok === true && got.value.call !== null) setSpan(fitCall(got.value.call, whole));
    },
  };
}

const fitCall = (call: TimelineCall, whole: TimeSpan): TimeSpan =>
  fitSpan(call.startNs, call.endNs ?? call.drawnEndNs ?? (call.state <= 2 ? call.startNs + 1e6 : whole.to), whole);

export interface InstantHit {
  readonly row: number;
  readonly entry: number;
  readonly line: number;
}

/** The nearest instant of a lane within `reach` ns. */
export function instantAt(picture: SlicePicture, lane: number, at: number, reach: number): InstantHit | null {
  const rows = picture.instantsOf.get(lane);
  if (rows === undefined) return null;
  let best: InstantHit | null = null;
  let near = reach;
  for (let i = rows[0]; i < rows[1]; i++) {
    const away = Math.abs((picture.instants.atNs[i] ?? 0) - at);
    if (away > near) continue;
    near = away;
    best = { row: i, entry: picture.instants.entry[i] ?? 0, line: picture.instants.line[i] ?? 0 };
  }
  return best;
}

/** An area is a filter of time and of ranks, on all screens; one over the lanes of all ranks leaves them as they are. */
function keepRanks({ lanes }: Area, { lanes: all }: TimelineIndex): void {
  const ranks = new Set(lanes.flatMap((lane) => all[lane]?.rank ?? []));
  const total = new Set(all.flatMap((lane) => lane.rank ?? [])).size;
  if (ranks.size > 0 && ranks.size < total) useSelection.getState().setRanks([...ranks]);
}

function runAction(action: TimelineAction, parts: ActionParts): void {
  if (runSpanAction(action, parts) || runLaneAction(action, parts) || runMarkAction(action, parts)) return;
  const { change, focus, area, setArea, span, setSpan, whole, board } = parts;
  const call = focus.focus?.call ?? null;
  switch (action) {
    case 'next-record':
    case 'previous-record':
      void focus
        .stepRecord(action === 'next-record' ? 1 : -1, cursorOrCentre(span))
        .then((found) => found && reveal(found, span, setSpan, whole));
      return;
    case 'next-related':
    case 'previous-related':
      void focus
        .stepRelated(action === 'next-related' ? 1 : -1)
        .then((found) => found && reveal(found, span, setSpan, whole));
      return;
    case 'range':
      useSelection.getState().setRange(area?.span ?? (useSelection.getState().range === null ? span : null));
      if (area !== null) keepRanks(area, parts.index);
      setArea(null);
      return;
    case 'mark-area': {
      const over = area?.span ?? (call === null ? null : { from: call.startNs, to: call.endNs ?? call.startNs });
      if (over !== null) parts.marks.set(over.from, over.to);
      return;
    }
    case 'twin':
      change({ twin: !board.twin });
      return;
    case 'open':
      openRecord(parts);
      return;
    case 'preview':
      useSelection.getState().setInspector(true);
      return;
    case 'clear':
      if (area === null) parts.marks.leave();
      setArea(null);
      return;
    default:
      return;
  }
}

function runSpanAction(action: TimelineAction, { span, setSpan, whole, area, setArea, focus }: ActionParts): boolean {
  const call = focus.focus?.call ?? null;
  switch (action) {
    case 'zoom-in':
    case 'zoom-out':
      setSpan(zoomSpan(span, action === 'zoom-in' ? ZOOM : 1 / ZOOM, cursorOrCentre(span), whole));
      return true;
    case 'pan-left':
    case 'pan-right':
      setSpan(panSpan(span, action === 'pan-left' ? -0.25 : 0.25, whole));
      return true;
    case 'page-left':
    case 'page-right':
      setSpan(panSpan(span, action === 'page-left' ? -1 : 1, whole));
      return true;
    case 'whole':
      setSpan(whole);
      return true;
    case 'zoom-area':
      if (area !== null) setSpan(area.span);
      setArea(null);
      return true;
    case 'centre': {
      const now = performance.now();
      if (call !== null)
        setSpan(now - lastCentred < FIT_WITHIN_MS ? fitCall(call, whole) : centreSpan(span, call.startNs, whole));
      lastCentred = now;
      return true;
    }
    default:
      return false;
  }
}

/** Without a chosen mark these keys mean nothing here. */
const NEEDS_MARK: ReadonlySet<TimelineAction> = new Set([
  'mark-earlier',
  'mark-later',
  'mark-bit-earlier',
  'mark-bit-later',
  'name-mark',
  'remove-mark',
]);

function runMarkAction(action: TimelineAction, { marks, span, setSpan, whole }: ActionParts): boolean {
  switch (action) {
    case 'mark':
      marks.set(cursorOrCentre(span), null);
      return true;
    case 'next-mark':
    case 'previous-mark': {
      const found = marks.step(cursorOrCentre(span), action === 'next-mark' ? 1 : -1);
      if (found !== null && (found.at < span.from || found.at > span.to)) setSpan(centreSpan(span, found.at, whole));
      return true;
    }
    case 'mark-earlier':
    case 'mark-later':
    case 'mark-bit-earlier':
    case 'mark-bit-later':
      marks.move(action.endsWith('later') ? 1 : -1, action.includes('bit'));
      return true;
    case 'name-mark':
      marks.name();
      return true;
    case 'remove-mark':
      marks.remove();
      return true;
    default:
      return false;
  }
}

function runLaneAction(action: TimelineAction, parts: ActionParts): boolean {
  const { layout, focus, index, change } = parts;
  const order = layout.shown;
  const lane = focus.focus?.lane ?? -1;
  const at = order.indexOf(lane);
  const go = (to: number): true => {
    const next = order[Math.max(0, Math.min(order.length - 1, to))];
    if (next !== undefined) focus.choose(null, next);
    return true;
  };
  const section = index.sections.findIndex((one) => lane >= one.laneFrom && lane < one.laneTo);
  const id = index.lanes[lane]?.id;
  switch (action) {
    case 'lane-up':
      return go(at - 1);
    case 'lane-down':
      return go(at + 1);
    case 'first-lane':
      return go(0);
    case 'last-lane':
      return go(order.length - 1);
    case 'section-up':
    case 'section-down': {
      const next = index.sections[section + (action === 'section-up' ? -1 : 1)];
      return go(next === undefined ? at : order.findIndex((one) => one >= next.laneFrom));
    }
    case 'fold': {
      const one = index.sections[section];
      if (one !== undefined) change((board) => ({ toggled: toggledSet(board.toggled, one.id) }));
      return true;
    }
    case 'pin':
      if (id !== undefined)
        change((board) => ({
          pinned: board.pinned.includes(id)
            ? board.pinned.filter((one) => one !== id)
            : [...board.pinned, id].slice(-6),
        }));
      return true;
    case 'hide':
      if (id !== undefined) change((board) => ({ hidden: new Set([...board.hidden, id]) }));
      return true;
    case 'show-all':
      change({ hidden: new Set() });
      return true;
    default:
      return false;
  }
}

/** Moves the view only if the call lies outside of it. */
function reveal(call: TimelineCall, span: TimeSpan, setSpan: (span: TimeSpan) => void, whole: TimeSpan): void {
  if (call.startNs < span.from || call.startNs > span.to) setSpan(centreSpan(span, call.startNs, whole));
}

function openRecord({ caseId, focus }: ActionParts): void {
  const target = recordTarget(focus.focus?.call ?? null);
  if (target !== null) useNavigation.getState().go({ screen: 'evidence', caseId, files: ALL_FILES, target });
}

function recordTarget(call: TimelineCall | null): RawTarget | null {
  if (call !== null && call.entry !== null) {
    const mode = call.record === null ? 'text' : 'record';
    return { entryId: entryId(call.entry), mode, line: call.line, byte: null, record: call.record };
  }
  const { selected } = useSelection.getState();
  if (selected?.kind !== 'line' && selected?.kind !== 'entry') return null;
  const line = selected.kind === 'line' ? selected.line : null;
  return { entryId: selected.entryId, mode: 'text', line, byte: null, record: null };
}
