/** The screen itself: strips, lanes, legend; keys and pointer; the table twin. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatRanks } from '#shared/lib/rank-set.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import { headHeight } from '../../charts/lane-scene.ts';
import { Button } from '../../components/button.tsx';
import { Banner, Empty, Refreshing } from '../../components/states.tsx';
import { usePreferences } from '../../stores/preferences.ts';
import { cursorNow, useSelection } from '../../stores/selection.ts';
import type { TimelineTarget } from '../../stores/targets/timeline.ts';
import { momentLabel, relativeOf } from '../../viewmodels/timeline/axis.ts';
import { legendEntries } from '../../viewmodels/timeline/legend.ts';
import { layoutRows } from '../../viewmodels/timeline/rows.ts';
import { clampSpan, momentSpan, sameSpan, type TimeSpan, wholeCase } from '../../viewmodels/timeline/span.ts';
import { useRowHeight } from '../shell/use-row-height.ts';
import { useBoard } from './board-state.ts';
import { LaneTable } from './lane-table.tsx';
import { Legend } from './legend.tsx';
import { Speech } from './speech.tsx';
import { Stage } from './stage.tsx';
import { StageHead } from './stage-head.tsx';
import { DetailStrips, WholeCaseStrip } from './strips.tsx';
import { TimelineTooltip } from './timeline-tooltip.tsx';
import { useActions } from './use-actions.ts';
import { useFocus } from './use-focus.ts';
import { useHover } from './use-hover.ts';
import { usePalette } from './use-palette.ts';
import { usePictures } from './use-pictures.ts';
import { usePointer } from './use-pointer.ts';
import { anyDumpIn, useScene } from './use-scene.ts';
import { useElementSize } from './use-size.ts';

interface BoardProps {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly target: TimelineTarget;
}

export interface Area {
  readonly span: TimeSpan;
  readonly top: number;
  readonly bottom: number;
}

export function TimelineBoard({ caseId, index, target }: BoardProps) {
  const stage = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
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
  const whole = useMemo(() => wholeCase(index.endNs), [index]);
  const span = board.span ?? whole;
  const setSpan = useCallback(
    (next: TimeSpan) => change((old) => (sameSpan(old.span ?? whole, next) ? {} : { span: clampSpan(next, whole) })),
    [change, whole],
  );
  const [gutter, axis] = [Math.round(176 * scale), Math.round(36 * scale)];
  const listPx = Math.max(0, size.height - axis - board.pinned.length * rowPx);
  const layout = useMemo(
    () => layoutRows(index.sections, index.lanes, { ...board, ranks }, { heightPx: listPx, rowPx }),
    [index, board, ranks, listPx, rowPx],
  );
  const pictures = usePictures({
    caseId,
    basis,
    span,
    width: size.width - gutter,
    layout,
    scrollTop,
    viewportPx: listPx,
    palette,
  });
  const focus = useFocus({ caseId, index, basis, layout });
  const call = focus.focus?.call ?? null;
  const selected = useMemo(
    () =>
      call === null
        ? null
        : {
            lane: call.lane,
            from: call.startNs,
            to: call.endNs ?? call.drawnEndNs ?? (call.state <= 2 ? call.startNs : whole.to),
          },
    [call, whole],
  );
  const { scene, overlay } = useScene({
    index,
    basis,
    span,
    size,
    gutter,
    axis,
    palette,
    layout,
    scrollTop,
    pictures,
    selected,
    area,
    range,
    focusLane: focus.focus?.lane ?? -1,
    marks: board.marks,
  });
  useTarget({ target, index, whole, setSpan, range, setFocus: focus.setFocus });
  useLaneInView(scroller, scene === null ? 0 : headHeight(scene), layout, focus.focus?.lane ?? -1, size.height);
  const hover = useHover({ caseId, index, basis, span, scene });
  const actions = useActions({ caseId, index, board, change, span, setSpan, whole, layout, focus, area, setArea });
  const pointer = usePointer(stage, scroller, scene, {
    whole,
    onSpan: setSpan,
    onArea: setArea,
    onHover: hover.onPlace,
    onClick: (place) => void actions.click(place, scene),
    onDoubleClick: (place) => void actions.doubleClick(place, scene),
  });
  const legend = useMemo(
    () =>
      legendEntries({
        index,
        layout,
        span,
        width: size.width - gutter,
        slices: pictures.slices,
        cells: pictures.heats.map((heat) => heat.cells.cells),
        orders: overlay.orders,
        anyDump: anyDumpIn(index),
      }),
    [index, layout, span, size.width, gutter, pictures, overlay.orders],
  );
  const cursorLabel = useCallback((at: number) => momentLabel(at, BigInt(index.originNs), span), [index, span]);
  // Esc in the palette and the like must not end here: the shell closes those first.
  const faultAt = overlay.fault?.at ?? null;
  const stripParts =
    palette === null ? null : { caseId, index, basis, palette, width: size.width - gutter, faultAt, onSpan: setSpan };
  return (
    <section className="timeline" aria-label="Timeline" data-help="screen/timeline" data-pane="timeline">
      {stripParts === null ? (
        <div className="timeline-strip" data-kind="whole" />
      ) : (
        <WholeCaseStrip {...stripParts} span={whole} whole={whole} window={span} />
      )}
      <Notes index={index} failed={pictures.failed} />
      {board.twin ? (
        <LaneTable
          caseId={caseId}
          index={index}
          basis={basis}
          span={span}
          lanes={layout.shown}
          onClose={() => change({ twin: false })}
        />
      ) : (
        <div
          ref={stage}
          className="timeline-stage"
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the drawing takes the keys of a time view; its table twin is V
          tabIndex={0}
          aria-label={`Lanes over time, ${formatCount(layout.shown.length)} of ${formatCount(index.lanes.length)}`}
          aria-describedby="timeline-instructions"
          aria-activedescendant="timeline-proxy"
          data-tier={layout.tier}
          data-loading={pictures.loading}
          onKeyDown={actions.onKeyDown}
          {...pointer}
        >
          {pictures.loading && <Refreshing />}
          <Stage
            scene={scene}
            overlay={overlay}
            cursorLabel={cursorLabel}
            scroller={scroller}
            onScroll={setScrollTop}
          />
          <StageHead board={board} change={change} layout={layout} index={index} height={axis} width={gutter} />
          {layout.shown.length === 0 && (
            <NothingShown ranks={ranks} total={index.lanes.length} onShowAll={() => change({ hidden: new Set() })} />
          )}
          <TimelineTooltip shown={hover.shown} />
          <p id="timeline-instructions" className="sr-only">
            Up and down choose a lane, full stop and comma the next and previous record, W and S zoom, A and D pan,
            Enter opens the record, V shows a table of the same lanes.
          </p>
          <Speech index={index} basis={basis} span={span} focus={focus.focus} />
        </div>
      )}
      {stripParts !== null && <DetailStrips {...stripParts} span={span} />}
      <Legend {...legend} />
    </section>
  );
}

function Notes({ index, failed }: { readonly index: TimelineIndex; readonly failed: string | null }) {
  return (
    <>
      {failed !== null && (
        <Banner tone="error" text={`A finer picture could not be made: ${failed}. The last one stays.`} />
      )}
      {index.instantsLeftOut > 0 && (
        <Banner
          tone="plain"
          text={`${formatCount(index.instantsLeftOut)} frequent log events are not drawn; all of them are in Logs.`}
        />
      )}
      {index.outside > 0 && (
        <Banner
          tone="warn"
          text={`${formatCount(index.outside)} stamps lie more than 50 days from the rest and are not drawn.`}
        />
      )}
    </>
  );
}

function NothingShown({
  ranks,
  total,
  onShowAll,
}: {
  readonly ranks: readonly number[];
  readonly total: number;
  readonly onShowAll: () => void;
}) {
  const filtered = ranks.length > 0;
  return (
    <div className="timeline-nothing">
      <Empty
        title={`0 of ${formatCount(total)} lanes match`}
        text={
          filtered
            ? `The filter keeps ranks ${formatRanks(ranks)}, and no lane is one of them.`
            : 'All lanes are hidden.'
        }
      >
        <Button kind="outlined" onClick={() => (filtered ? useSelection.getState().setRanks([]) : onShowAll())}>
          {filtered ? 'Clear the filter of ranks' : 'Show all lanes'}
        </Button>
      </Empty>
    </div>
  );
}

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
  scroller: React.RefObject<HTMLDivElement | null>,
  head: number,
  layout: ReturnType<typeof layoutRows>,
  lane: number,
  height: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new lane moves the list, not a new layout
  useEffect(() => {
    const row = layout.rows.find((one) => one.kind === 'lane' && one.lane === lane);
    const list = scroller.current;
    if (row === undefined || list === null) return;
    const room = height - head;
    if (row.y < list.scrollTop) list.scrollTop = Math.max(0, row.y - 24);
    else if (row.y + row.h > list.scrollTop + room) list.scrollTop = row.y + row.h - room + 24;
  }, [lane]);
}

export const cursorOrCentre = (span: TimeSpan): number => {
  const at = cursorNow();
  return at !== null && at >= span.from && at <= span.to ? at : (span.from + span.to) / 2;
};
