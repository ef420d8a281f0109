/** How long steps took: the spread over all ranks, and the first rank in red above it. Only where progress lines tell. */
import { useEffect, useMemo, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import { plural } from '#shared/text/format.ts';
import type { LaneBasis, StepTimes } from '#shared/views/lanes/index.ts';
import type { Palette } from '../../charts/palette.ts';
import { Strip, type StripSeries } from '../../charts/strip.tsx';
import { latestOf } from '../../data/timeline.ts';
import { onCursor, setCursor } from '../../stores/selection.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { stepTimeWords } from '../../viewmodels/timeline/words.ts';

interface StepStripProps {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly palette: Palette;
  readonly span: TimeSpan;
  readonly width: number;
  readonly faultAt: number | null;
  readonly onSpan: (span: TimeSpan) => void;
}

const COLUMN_PX = 3;
/** Lanes are asked for first. ms. */
const REST_MS = 90;

interface Answer {
  readonly span: TimeSpan;
  readonly columns: number;
  readonly steps: StepTimes | null;
}

export function StepStrip({ caseId, index, basis, palette, span, width, faultAt, onSpan }: StepStripProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const ask = useMemo(() => latestOf('timeline.steps'), []);
  const columns = Math.max(1, Math.floor(width / COLUMN_PX));
  const tells = index.kinds.includes('progress');
  useEffect(() => {
    if (!tells || width < 20) return;
    const timer = setTimeout(async () => {
      const got = await ask({ caseId, basis, ...span, columns });
      if (got?.ok === true) setAnswer({ span, columns, steps: got.value });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [ask, caseId, basis, span, columns, width, tells]);
  const drawn = useMemo(() => (answer === null ? null : seriesOf(answer, palette)), [answer, palette]);
  const steps = answer?.steps ?? null;
  if (drawn === null || steps === null) return null;
  const words = stepTimeWords(steps);
  return (
    <div className="timeline-strip" data-kind="steps">
      <div className="timeline-strip-name">
        Step time
        <span title={words.whole}>{words.short}</span>
      </div>
      <Strip
        palette={palette}
        height={Math.round(40 * palette.scale)}
        span={span}
        times={drawn.times}
        series={drawn.series}
        faultAt={faultAt}
        summary={`Time a step took, by the progress lines of ${plural(steps.ranks, 'rank')} in view: ${words.whole}.`}
        onSelect={onSpan}
        onHover={setCursor}
        listenCursor={onCursor}
      />
    </div>
  );
}

const withGaps = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : value));

function seriesOf(
  { span, columns, steps }: Answer,
  palette: Palette,
): { readonly times: Float64Array; readonly series: readonly StripSeries[] } | null {
  if (steps === null) return null;
  const times = Float64Array.from({ length: columns }, (_, i) => span.from + (i / columns) * (span.to - span.from));
  const { surface0, seriesBand, seriesEdge, series1, roleFirst } = palette;
  return {
    times,
    series: [
      { name: 'slowest', kind: 'steps', colour: seriesEdge, fill: seriesBand, values: withGaps(steps.high) },
      // What lies under the fastest is no part of the band.
      { name: 'fastest', kind: 'steps', colour: seriesEdge, fill: surface0, values: withGaps(steps.low) },
      { name: 'median', kind: 'line', colour: series1, values: withGaps(steps.median) },
      ...(steps.first === null
        ? []
        : [
            { name: 'first rank', kind: 'line' as const, colour: roleFirst, width: 1.8, values: withGaps(steps.first) },
          ]),
    ],
  };
}
