/** The strips below the lanes: which are shown, their legend, and their table. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useCallback, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import type { LaneBasis, MetricInfo } from '#shared/views/lanes/index.ts';
import type { Palette } from '../../charts/palette.ts';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../../components/layers.tsx';
import { useQuery } from '../../data/query.ts';
import { isStripShown, useMetricStrips } from '../../stores/metric-strips.ts';
import { momentLabel } from '../../viewmodels/timeline/axis.ts';
import { metricNote, metricTitle, orderMetrics, shownAtFirst } from '../../viewmodels/timeline/metrics.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { MetricStrip } from './metric-strip.tsx';
import { MetricTable } from './metric-table.tsx';
import { DetailStrips } from './strips.tsx';
import { type CurveAnswer, useCurves } from './use-curves.ts';
import { useLowWindow } from './use-low-window.ts';

interface PanelProps {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly palette: Palette;
  readonly span: TimeSpan;
  readonly width: number;
  readonly faultAt: number | null;
  /** Of the lane that the keys are about; null = none, or no rank. */
  readonly rank: number | null;
  readonly onSpan: (span: TimeSpan) => void;
}

/** Strips that are counts, not curves; always there to be shown. */
const COUNTS = [
  { id: 'log-lines', title: 'Log lines', note: 'by severity' },
  { id: 'waiting', title: 'Ranks that wait', note: 'by the recorders and logs' },
] as const;

const MOST_FIRST = 4;

export const MetricsPanel = memo(function MetricsPanel(props: PanelProps) {
  const { caseId, index, rank } = props;
  const metrics = useQuery('timeline.metrics', { caseId });
  const known = metrics.state === 'ready' ? metrics.value : null;
  const ordered = useMemo(() => orderMetrics(known?.metrics ?? []), [known]);
  const proposed = useMemo(() => shownAtFirst(ordered), [ordered]);
  const { chosen, open: wanted, setOpen } = useMetricStrips();
  const low = useLowWindow();
  const open = wanted ?? !low;
  const [table, setTable] = useState(false);
  const shown = useMemo(
    () => ordered.filter(({ id }) => isStripShown(chosen, id, proposed.has(id))),
    [ordered, chosen, proposed],
  );
  const first = useMemo(
    () =>
      index.lanes
        .flatMap((lane) => (lane.role === 'first' && lane.rank !== null ? [lane.rank] : []))
        .slice(0, MOST_FIRST),
    [index],
  );
  const ranks = useMemo(() => (rank === null || first.includes(rank) ? first : [...first, rank]), [first, rank]);
  const answer = useCurves({ ...props, ids: open ? shown.map(({ id }) => id) : [], ranks });
  const counts = { lines: isStripShown(chosen, 'log-lines', true), waiting: isStripShown(chosen, 'waiting', true) };
  return (
    <section className="metrics" aria-label="Metrics" data-pane="metrics">
      <div className="metrics-strips">
        <DetailStrips {...props} {...counts} />
        <PanelHead
          {...{ index, ordered, shown, proposed, open, setOpen, table, setTable, answer, first, rank }}
          leftOut={known?.leftOut ?? 0}
        />
        {open && answer !== null && <Curves {...props} {...{ answer, shown, first, table, setTable }} />}
      </div>
    </section>
  );
});

interface CurvesProps extends PanelProps {
  readonly answer: CurveAnswer;
  readonly shown: readonly MetricInfo[];
  readonly first: readonly number[];
  readonly table: boolean;
  readonly setTable: (on: boolean) => void;
}

function Curves({ index, span, palette, faultAt, onSpan, answer, shown, first, table, setTable }: CurvesProps) {
  const timeOf = useCallback((at: number) => momentLabel(at, BigInt(index.originNs), span), [index, span]);
  const curves = shown.flatMap((info) => {
    const curve = answer.curves.get(info.id);
    return curve === undefined ? [] : [{ info, curve }];
  });
  if (table)
    return (
      <MetricTable
        curves={curves}
        columns={answer.columns}
        timeOf={(column) => timeOf(answer.span.from + (column / answer.columns) * (answer.span.to - answer.span.from))}
        onClose={() => setTable(false)}
      />
    );
  return (
    <>
      {curves.map(({ info, curve }) => (
        <MetricStrip
          key={info.id}
          {...{ info, curve, span, palette, faultAt, first, timeOf, onSpan }}
          drawn={answer.span}
          columns={answer.columns}
        />
      ))}
    </>
  );
}

interface HeadProps {
  readonly index: TimelineIndex;
  readonly ordered: readonly MetricInfo[];
  readonly shown: readonly MetricInfo[];
  readonly proposed: ReadonlySet<string>;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly table: boolean;
  readonly setTable: (on: boolean) => void;
  readonly answer: CurveAnswer | null;
  readonly first: readonly number[];
  readonly rank: number | null;
  readonly leftOut: number;
}

function PanelHead(props: HeadProps) {
  const { ordered, shown, open, setOpen, answer, first, rank } = props;
  const Chevron = open ? ChevronDown : ChevronRight;
  const own = new Set([...(answer?.curves.values() ?? [])].flatMap((curve) => curve.own.map((one) => one.rank)));
  const reds = first.filter((one) => own.has(one));
  return (
    <div className="metrics-head">
      <button type="button" className="metrics-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron className="icon-12" strokeWidth={1.75} aria-hidden="true" />
        Metrics
      </button>
      <StripMenu {...props} />
      {open && shown.length > 0 && (
        <div className="metrics-legend" role="note" aria-label="Legend of the metrics">
          <span className="metrics-key" data-kind="band">
            median in min–max band
          </span>
          {reds.length > 0 && (
            <span className="metrics-key" data-kind="first">
              {reds.length === 1 ? `rank ${reds[0]}` : `ranks ${reds.join(', ')}`}
            </span>
          )}
          {rank !== null && !first.includes(rank) && own.has(rank) && (
            <span className="metrics-key" data-kind="own">{`rank ${rank}`}</span>
          )}
        </div>
      )}
      {!open && ordered.length > 0 && <span className="metrics-note">{shown.map(metricTitle).join(', ')}</span>}
    </div>
  );
}

/** What can be drawn, what of it is, and the same as a table. */
function StripMenu({ ordered, shown, proposed, open, setOpen, table, setTable, leftOut }: HeadProps) {
  const { chosen, show, reset } = useMetricStrips();
  return (
    <Menu
      trigger={
        <button type="button" className="timeline-head-button metrics-menu">
          {`${formatCount(shown.length)} of ${plural(ordered.length, 'curve')}`}
          <ChevronDown className="icon-12" strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    >
      <MenuLabel text="Strips" />
      {COUNTS.map(({ id, title, note }) => (
        <MenuCheck
          key={id}
          label={title}
          note={note}
          checked={isStripShown(chosen, id, true)}
          onChange={(on) => show(id, on)}
        />
      ))}
      {ordered.map((info) => (
        <MenuCheck
          key={info.id}
          label={metricTitle(info)}
          note={metricNote(info)}
          checked={isStripShown(chosen, info.id, proposed.has(info.id))}
          onChange={(on) => {
            show(info.id, on);
            if (on) setOpen(true);
          }}
        />
      ))}
      {leftOut > 0 && <MenuLabel text={`${plural(leftOut, 'rarer name')} in the lines not listed`} />}
      <MenuLine />
      <MenuItem
        label={table ? 'Show the curves' : 'Show the curves as a table'}
        disabled={!open || shown.length === 0}
        onSelect={() => setTable(!table)}
      />
      <MenuItem label="Show what is proposed" disabled={chosen.length === 0} onSelect={reset} />
    </Menu>
  );
}
