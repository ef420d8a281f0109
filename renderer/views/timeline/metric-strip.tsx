/** One curve: median in its band, single ranks above it, the values under the cursor beside its name. */
import { useEffect, useMemo, useRef } from 'react';
import type { MetricCurve, MetricInfo } from '#shared/views/lanes/index.ts';
import type { Palette } from '../../charts/palette.ts';
import { Strip, type StripSeries } from '../../charts/strip.tsx';
import { cursorNow, onCursor, setCursor } from '../../stores/selection.ts';
import {
  columnOf,
  metricNote,
  metricRange,
  metricSummary,
  metricTitle,
  metricValue,
  readingAt,
} from '../../viewmodels/timeline/metrics.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';

interface MetricStripProps {
  readonly info: MetricInfo;
  readonly curve: MetricCurve;
  /** Of the curve; the drawing may stand on another one while the next answer is made. */
  readonly drawn: TimeSpan;
  readonly columns: number;
  readonly span: TimeSpan;
  readonly palette: Palette;
  readonly faultAt: number | null;
  /** Ranks in red; others with a line of their own were selected. */
  readonly first: readonly number[];
  readonly timeOf: (at: number) => string;
  readonly onSpan: (span: TimeSpan) => void;
}

const HEIGHT_PX = 49;

export function MetricStrip(props: MetricStripProps) {
  const { info, curve, drawn, columns, span, palette, faultAt, first, timeOf, onSpan } = props;
  const times = useMemo(
    () => Float64Array.from({ length: columns }, (_, i) => drawn.from + (i / columns) * (drawn.to - drawn.from)),
    [drawn, columns],
  );
  const series = useMemo(() => seriesOf(curve, first, palette), [curve, first, palette]);
  const range = useMemo(() => metricRange(curve, info), [curve, info]);
  const grid = useMemo(() => (range === null ? [] : [range[0], (range[0] + range[1]) / 2, range[1]]), [range]);
  const band = useMemo(() => ({ high: 0, low: 1, fill: palette.seriesBand }), [palette]);
  const summary = useMemo(() => metricSummary(curve, info), [curve, info]);
  const walk = useMemo(
    () => ({
      label: `${metricTitle(info)} over time`,
      columns,
      textAt: (column: number) => {
        const at = drawn.from + ((column + 0.5) / columns) * (drawn.to - drawn.from);
        return `${timeOf(at)}: ${spoken(curve, info, column)}`;
      },
    }),
    [info, curve, columns, drawn, timeOf],
  );
  return (
    <div className="timeline-strip metric-strip" data-metric={info.id}>
      <div className="timeline-strip-name metric-name">
        <span className="metric-title cut" title={metricTitle(info)}>
          {metricTitle(info)}
        </span>
        <Reading info={info} curve={curve} drawn={drawn} columns={columns} first={first} />
        {range !== null && (
          <div className="metric-axis" aria-hidden="true">
            <span>{metricValue(range[1], info.unit)}</span>
            <span>{metricValue(range[0], info.unit)}</span>
          </div>
        )}
      </div>
      {range === null ? (
        <p className="metric-nothing">nothing known in this span</p>
      ) : (
        <Strip
          {...{ palette, span, times, series, range, grid, band, walk, faultAt, summary }}
          height={Math.round(HEIGHT_PX * palette.scale)}
          onSelect={onSpan}
          onHover={setCursor}
          listenCursor={onCursor}
        />
      )}
    </div>
  );
}

function spoken(curve: MetricCurve, info: MetricInfo, column: number): string {
  const reading = readingAt(curve, info, column);
  if (reading === null) return 'not known';
  return [reading.all, ...reading.own.map(({ rank, text }) => `rank ${rank} ${text}`)].join(', ');
}

type ReadingProps = Pick<MetricStripProps, 'info' | 'curve' | 'drawn' | 'columns' | 'first'>;

/** Written past React: it follows the pointer. */
function Reading({ info, curve, drawn, columns, first }: ReadingProps) {
  const all = useRef<HTMLSpanElement>(null);
  const own = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const write = (at: number | null): void => {
      if (all.current === null || own.current === null) return;
      const column = at === null ? -1 : columnOf(at, drawn, columns);
      const reading = column < 0 ? null : readingAt(curve, info, column);
      all.current.textContent = column < 0 ? metricNote(info) : (reading?.all ?? 'not known');
      const [one] = reading?.own ?? [];
      own.current.textContent = one === undefined ? '' : `rank ${one.rank}  ${one.text}`;
      const gutter = all.current.parentElement;
      if (gutter !== null) gutter.dataset['read'] = `${reading !== null}`;
      own.current.dataset['first'] = `${one !== undefined && first.includes(one.rank)}`;
    };
    write(cursorNow());
    return onCursor(write);
  }, [info, curve, drawn, columns, first]);
  return (
    <>
      <span ref={all} className="metric-reading cut">
        {metricNote(info)}
      </span>
      <span ref={own} className="metric-own cut" />
    </>
  );
}

const withGaps = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : value));

/** The band first, as `band` counts on it. */
function seriesOf(curve: MetricCurve, first: readonly number[], palette: Palette): readonly StripSeries[] {
  const { seriesEdge, series1, roleFirst, accent } = palette;
  const single = curve.members === 1;
  const edge = (name: string, values: Float64Array): StripSeries => ({
    ...{ name, kind: 'line', colour: single ? series1 : seriesEdge, values: withGaps(values) },
  });
  return [
    edge('highest', curve.high),
    edge('lowest', curve.low),
    { name: 'median', kind: 'line', colour: series1, width: 1.25, values: withGaps(curve.median) },
    ...curve.own.map(({ rank, values }): StripSeries => {
      const isFirst = first.includes(rank);
      const shape = isFirst ? { colour: roleFirst, width: 1.8 } : { colour: accent, width: 1.5 };
      return { name: `rank ${rank}${isFirst ? ', first' : ''}`, kind: 'line', ...shape, values: withGaps(values) };
    }),
  ];
}
