/** Counts over time: the whole case above the lanes, log lines and waiting ranks below them. */
import { useEffect, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex, TimelineStrips } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import type { Palette } from '../../charts/palette.ts';
import { Strip, type StripSeries } from '../../charts/strip.tsx';
import { latestOf } from '../../data/timeline.ts';
import { onCursor, setCursor } from '../../stores/selection.ts';
import { axisTicks } from '../../viewmodels/timeline/axis.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';

interface StripsProps {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly palette: Palette;
  readonly span: TimeSpan;
  readonly width: number;
  readonly faultAt: number | null;
  readonly onSpan: (span: TimeSpan) => void;
}

/** A column of about three px: bars that can be told apart. */
const COLUMN_PX = 3;

interface Answer {
  readonly strips: TimelineStrips;
  readonly span: TimeSpan;
}

/** The last few of a case's lanes, for who comes back to a span or from another screen. */
const kept = new WeakMap<TimelineIndex, Map<string, Answer>>();
const MOST_KEPT = 8;

function keep(index: TimelineIndex, key: string, answer: Answer): void {
  const known = kept.get(index) ?? new Map<string, Answer>();
  known.set(key, answer);
  const [oldest] = known.keys();
  if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
  kept.set(index, known);
}

/** Lanes are asked for first; strips of a moving span follow when it rests. ms. */
const REST_MS = 60;

function useStrips(caseId: CaseId, index: TimelineIndex, basis: LaneBasis, span: TimeSpan, width: number) {
  const [last, setLast] = useState<Answer | null>(null);
  const ask = useMemo(() => latestOf('timeline.strips'), []);
  const columns = Math.max(1, Math.floor(width / COLUMN_PX));
  const key = `${basis} ${span.from} ${span.to} ${columns}`;
  const known = kept.get(index)?.get(key) ?? null;
  useEffect(() => {
    if (width < 20) return;
    const mine = kept.get(index)?.get(key);
    if (mine !== undefined) return setLast(mine);
    const timer = setTimeout(async () => {
      const got = await ask({ caseId, basis, ...span, columns });
      if (got?.ok !== true) return;
      const answer = { strips: got.value, span };
      keep(index, key, answer);
      setLast(answer);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [ask, caseId, index, basis, span, columns, width, key]);
  return known ?? last;
}

function useDensity(answer: Answer | null, palette: Palette) {
  return useMemo(
    () =>
      answer === null
        ? { times: new Float64Array(0), series: [] }
        : { times: columnTimes(answer.span, answer.strips.columns), series: densitySeries(answer.strips, palette) },
    [answer, palette],
  );
}

function columnTimes(span: TimeSpan, columns: number): Float64Array {
  return Float64Array.from({ length: columns }, (_, i) => span.from + (i / columns) * (span.to - span.from));
}

function densitySeries(strips: TimelineStrips, palette: Palette): StripSeries[] {
  const { lines, warnings, errors } = strips;
  return [
    ...(lines === null
      ? []
      : [{ name: 'lines', kind: 'bars' as const, colour: palette.seriesOther, values: scaled(lines) }]),
    { name: 'warnings', kind: 'bars', colour: palette.sevWarn, values: scaled(warnings) },
    { name: 'errors', kind: 'bars', colour: palette.sevError, values: scaled(errors) },
  ];
}

/** Few errors beside thousands of lines would be no pixel high: heights go by the square root, the tooltip has the numbers. */
const scaled = (values: Float64Array): Float64Array => values.map((value) => Math.sqrt(value));

const sum = (values: Float64Array | null): number => values?.reduce((all, value) => all + value, 0) ?? 0;

export function WholeCaseStrip({
  window: shown,
  whole,
  ...props
}: StripsProps & { readonly window: TimeSpan; readonly whole: TimeSpan }) {
  const { caseId, index, basis, palette, width, faultAt, onSpan } = props;
  const answer = useStrips(caseId, index, basis, whole, width);
  const density = useDensity(answer, palette);
  const ticks = useMemo(
    () =>
      axisTicks(whole, BigInt(index.originNs), width, 130).filter(
        // A label is drawn around its moment: at the very edge it would be cut.
        (tick) => tick.major && tick.at - whole.from > (whole.to - whole.from) * 0.03,
      ),
    [whole, index, width],
  );
  return (
    <div className="timeline-strip" data-kind="whole">
      <div className="timeline-strip-name">Whole case</div>
      {answer !== null && (
        <Strip
          palette={palette}
          height={Math.round(50 * palette.scale)}
          span={whole}
          times={density.times}
          series={density.series}
          ticks={ticks}
          faultAt={faultAt}
          window={shown}
          summary={`Log lines over the whole case: ${formatCount(sum(answer.strips.lines))} lines, ${formatCount(sum(answer.strips.warnings))} warnings, ${formatCount(sum(answer.strips.errors))} errors.`}
          onSelect={onSpan}
          onHover={setCursor}
          listenCursor={onCursor}
        />
      )}
    </div>
  );
}

export function DetailStrips({
  caseId,
  index,
  basis,
  palette,
  span,
  width,
  faultAt,
  onSpan,
  lines: withLines,
  waiting: withWaiting,
}: StripsProps & { readonly lines: boolean; readonly waiting: boolean }) {
  const answer = useStrips(caseId, index, basis, span, width);
  const density = useDensity(answer, palette);
  const waiting = useMemo(
    () =>
      answer === null
        ? []
        : [
            {
              name: 'waiting',
              kind: 'steps' as const,
              colour: palette.collRunning,
              fill: palette.collRunningBody,
              values: answer.strips.waiting,
            },
          ],
    [answer, palette],
  );
  const ranks = index.lanes.filter((lane) => lane.kind === 'rank').length;
  const most = answer === null ? 0 : answer.strips.waiting.reduce((a, b) => Math.max(a, b), 0);
  const lines = answer === null ? 0 : sum(answer.strips.lines);
  const shared = {
    palette,
    span,
    faultAt,
    onSelect: onSpan,
    onHover: setCursor,
    listenCursor: onCursor,
  };
  const height = Math.round(40 * palette.scale);
  return (
    <>
      {withLines && (
        <div className="timeline-strip">
          <div className="timeline-strip-name">
            Log lines
            <span>
              {answer?.strips.lines === null ? 'events only' : `${formatCount(Math.round(lines))} here, all files`}
            </span>
          </div>
          {answer !== null && (
            <Strip
              {...shared}
              height={height}
              times={density.times}
              series={density.series}
              summary={`Log lines in view: ${formatCount(Math.round(lines))}, ${formatCount(sum(answer.strips.errors))} errors.`}
            />
          )}
        </div>
      )}
      {withWaiting && (
        <div className="timeline-strip">
          <div className="timeline-strip-name">
            Ranks that wait
            <span>
              up to {formatCount(most)} of {formatCount(ranks)}
            </span>
          </div>
          {answer !== null && (
            <Strip
              {...shared}
              height={height}
              times={density.times}
              series={waiting}
              summary={`Ranks that wait in a call: at most ${formatCount(most)} of ${formatCount(ranks)} in view.`}
            />
          )}
        </div>
      )}
    </>
  );
}
