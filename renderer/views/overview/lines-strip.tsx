/** How many lines of which severity were logged when: the quiet first fault and the loud time-outs after it. */
import './lines-strip.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex, TimelineStrips } from '#shared/rpc/areas/timeline.ts';
import { formatCount } from '#shared/text/format.ts';
import { Strip } from '../../charts/strip.tsx';
import { useQuery } from '../../data/query.ts';
import { onCursor, setCursor, useSelection } from '../../stores/selection.ts';
import { axisTicks } from '../../viewmodels/timeline/axis.ts';
import { faultPlace } from '../../viewmodels/timeline/overlay.ts';
import { type TimeSpan, wholeCase } from '../../viewmodels/timeline/span.ts';
import { goToScreen } from '../shell/commands.ts';
import { usePalette } from '../timeline/use-palette.ts';

/** Nothing where the bundle has no times. */
export function LinesStrip({ caseId }: { readonly caseId: CaseId }) {
  const index = useQuery('timeline.index', { caseId });
  const known = index.state === 'ready' ? index.value : null;
  return known === null ? null : <Drawn caseId={caseId} index={known} />;
}

/** A column of about three px: bars that can be told apart. */
const COLUMN_PX = 3;
const HEIGHT_PX = 76;

function Drawn({ caseId, index }: { readonly caseId: CaseId; readonly index: TimelineIndex }) {
  const host = useRef<HTMLDivElement>(null);
  const palette = usePalette(host);
  const width = useWidth(host);
  const basis = useSelection((state) => state.basis);
  const whole = useMemo(() => wholeCase(index.spans[basis]), [index, basis]);
  // In steps, so that a dock that is dragged does not ask for each px.
  const columns = Math.floor(width / COLUMN_PX / 16) * 16;
  const answer = useQuery('timeline.strips', columns === 0 ? null : { caseId, basis, ...whole, columns });
  const strips = answer.state === 'ready' ? answer.value : null;
  const drawn = useMemo(() => (strips === null ? null : columnsOf(strips, whole)), [strips, whole]);
  const ticks = useMemo(
    () => axisTicks(whole, BigInt(index.originNs), width, 130).filter((tick) => tick.major && inside(tick.at, whole)),
    [whole, index, width],
  );
  const show = (span: TimeSpan): void => {
    useSelection.getState().setRange(span);
    goToScreen('timeline');
  };
  const counts = strips === null ? null : countsOf(strips);
  return (
    <section className="overview-section lines-strip" aria-label="Log lines by severity">
      <div className="section-head">
        <h2>Log lines by severity</h2>
        {counts !== null && (
          <span className="lines-strip-legend">
            <span data-severity="error">{`error, ${formatCount(counts.errors)}`}</span>
            <span data-severity="warn">{`warning, ${formatCount(counts.warnings)}`}</span>
            {counts.lines !== null && <span data-severity="other">{`all, ${formatCount(counts.lines)}`}</span>}
          </span>
        )}
      </div>
      <div ref={host} className="lines-strip-plot">
        {palette !== null && drawn !== null && counts !== null && (
          <Strip
            palette={palette}
            height={Math.round(HEIGHT_PX * palette.scale)}
            span={whole}
            times={drawn.times}
            series={[
              { name: 'lines', kind: 'bars', colour: palette.seriesOther, values: drawn.lines },
              { name: 'warnings', kind: 'bars', colour: palette.sevWarn, values: drawn.warnings },
              { name: 'errors', kind: 'bars', colour: palette.sevError, values: drawn.errors },
            ]}
            ticks={ticks}
            faultAt={faultPlace(index, basis, whole)?.at ?? null}
            summary={`Log lines over the whole case: ${counts.lines === null ? '' : `${formatCount(counts.lines)} lines, `}${formatCount(counts.warnings)} warnings, ${formatCount(counts.errors)} errors.`}
            onSelect={show}
            onHover={setCursor}
            listenCursor={onCursor}
          />
        )}
      </div>
    </section>
  );
}

/** Heights go by the square root: few errors beside thousands of lines would be no pixel high. */
const scaled = (values: Float64Array): Float64Array => values.map((value) => Math.sqrt(value));

function columnsOf(strips: TimelineStrips, span: TimeSpan) {
  const { columns, lines, warnings, errors } = strips;
  return {
    times: Float64Array.from({ length: columns }, (_, i) => span.from + (i / columns) * (span.to - span.from)),
    lines: scaled(lines ?? new Float64Array(columns)),
    warnings: scaled(warnings),
    errors: scaled(errors),
  };
}

const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
const countsOf = ({ lines, warnings, errors }: TimelineStrips) => ({
  lines: lines === null ? null : sum(lines),
  warnings: sum(warnings),
  errors: sum(errors),
});

/** A label is drawn around its moment: at the very edge it would be cut. */
const inside = (at: number, span: TimeSpan): boolean =>
  at - span.from > (span.to - span.from) * 0.03 && span.to - at > (span.to - span.from) * 0.03;

function useWidth(ref: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
