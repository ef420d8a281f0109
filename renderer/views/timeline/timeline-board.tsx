/** The screen itself: strips, lanes, legend; keys and pointer; the table twin. */
import { type RefObject, useMemo, useRef } from 'react';
import { formatRanks } from '#shared/lib/rank-set.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Banner, Empty, Refreshing } from '../../components/states.tsx';
import { useSelection } from '../../stores/selection.ts';
import type { TimelineTarget } from '../../stores/targets/timeline.ts';
import { legendEntries } from '../../viewmodels/timeline/legend.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { LaneTable } from './lane-table.tsx';
import { Legend } from './legend.tsx';
import { MarkBar } from './mark-bar.tsx';
import { MetricsPanel } from './metrics-panel.tsx';
import { Speech } from './speech.tsx';
import { Stage } from './stage.tsx';
import { StageHead } from './stage-head.tsx';
import { WholeCaseStrip } from './strips.tsx';
import { TimelineTooltip } from './timeline-tooltip.tsx';
import { useActions } from './use-actions.ts';
import { useBoardModel } from './use-board-model.ts';
import { useHover } from './use-hover.ts';
import { usePointer } from './use-pointer.ts';
import { anyDumpIn } from './use-scene.ts';

interface BoardProps {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly target: TimelineTarget;
}

export function TimelineBoard({ caseId, index, target }: BoardProps) {
  const stage = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const model = useBoardModel({ caseId, index, target, stage, scroller });
  const { palette, basis, board, change, whole, span, setSpan, layout, laneWidth, pictures, overlay } = model;
  const legend = useMemo(
    () =>
      legendEntries({
        ...{ index, layout, span, width: laneWidth, slices: pictures.slices },
        ...{ cells: pictures.heats.map((heat) => heat.cells.cells), orders: overlay.orders, anyDump: anyDumpIn(index) },
      }),
    [index, layout, span, laneWidth, pictures, overlay.orders],
  );
  const faultAt = overlay.fault?.at ?? null;
  const focusRank = index.lanes[model.focus.focus?.lane ?? -1]?.rank ?? null;
  const parts = palette === null ? null : { caseId, index, basis, palette, width: laneWidth, faultAt, onSpan: setSpan };
  return (
    <section className="timeline" aria-label="Timeline" data-help="screen/timeline" data-pane="timeline">
      {parts === null ? (
        <div className="timeline-strip" data-kind="whole" />
      ) : (
        <WholeCaseStrip {...parts} span={whole} whole={whole} window={span} />
      )}
      <Notes index={index} failed={pictures.failed} />
      {board.twin && (
        <LaneTable
          caseId={caseId}
          index={index}
          basis={basis}
          span={span}
          lanes={layout.shown}
          onClose={() => {
            change({ twin: false });
            // The drawing takes the keys again once it is shown.
            requestAnimationFrame(() => stage.current?.focus());
          }}
        />
      )}
      <Lanes caseId={caseId} index={index} model={model} stage={stage} scroller={scroller} />
      {parts !== null && <MetricsPanel {...parts} span={span} rank={focusRank} />}
      <Legend {...legend} />
    </section>
  );
}

interface LanesProps {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly model: ReturnType<typeof useBoardModel>;
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

function Lanes({ caseId, index, model, stage, scroller }: LanesProps) {
  const { basis, ranks, board, change, setScrollTop, area, setArea, whole, span, setSpan } = model;
  const { gutter, axis, layout, pictures, focus, scene, overlay, cursorLabel, marks, originNs } = model;
  const { shown } = useLocalKeys('timeline');
  const hover = useHover({ caseId, index, basis, span, scene });
  const actions = useActions({
    ...{ caseId, index, board, change, span, setSpan, whole, layout, focus, area, setArea, marks },
  });
  const pointer = usePointer(stage, scroller, scene, {
    whole,
    onSpan: setSpan,
    onArea: setArea,
    onHover: hover.onPlace,
    onClick: (place) => void actions.click(place, scene),
    onDoubleClick: (place) => void actions.doubleClick(place, scene),
  });
  return (
    <div
      ref={stage}
      className="timeline-stage"
      hidden={board.twin}
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
      <Stage scene={scene} overlay={overlay} cursorLabel={cursorLabel} scroller={scroller} onScroll={setScrollTop} />
      <StageHead board={board} change={change} layout={layout} index={index} height={axis} width={gutter} />
      {layout.shown.length === 0 && (
        <NothingShown ranks={ranks} total={index.lanes.length} onShowAll={() => change({ hidden: new Set() })} />
      )}
      <MarkBar marks={marks} originNs={originNs} span={span} />
      <TimelineTooltip shown={hover.shown} />
      <p id="timeline-instructions" className="sr-only">
        {`${shown('lane-up')} and ${shown('lane-down')} choose a lane, ${shown('next-record')} and ${shown('previous-record')} the next and previous record, ${shown('zoom-in')} and ${shown('zoom-out')} zoom, ${shown('pan-left')} and ${shown('pan-right')} pan, ${shown('open')} opens the record, ${shown('mark')} sets a mark, ${shown('next-mark')} goes to the next one, ${shown('twin')} shows a table of the same lanes.`}
      </p>
      <Speech index={index} basis={basis} span={span} focus={focus.focus} />
    </div>
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
