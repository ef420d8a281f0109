/** Ranks that wait over time, and the handle that chooses the moment of the map. */
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { formatCount } from '#shared/text/format.ts';
import { type RanksTime, STANDING } from '#shared/views/ranks/types.ts';
import { beginFrame } from '../../charts/canvas-size.ts';
import { drawCurve } from '../../charts/wait-curve.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { setCursor } from '../../stores/selection.ts';
import { isMissing } from '../../viewmodels/ranks/looks.ts';
import { axisTicks } from '../../viewmodels/timeline/axis.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { formatBound } from '../../viewmodels/times.ts';
import { usePalette } from '../timeline/use-palette.ts';
import { useElementSize } from '../timeline/use-size.ts';
import type { useRanksModel } from './use-ranks-model.ts';

interface ScrubberProps {
  readonly time: RanksTime;
  readonly model: ReturnType<typeof useRanksModel>;
  readonly span: TimeSpan;
  readonly handle: number;
}

const GUTTER = 70;

export function Scrubber({ time, model, span, handle }: ScrubberProps) {
  const { basis, values, peak, preview, moment, timeText } = model;
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(host);
  const size = useElementSize(host);
  const scale = usePreferences((state) => state.textScale);
  const gutter = GUTTER * scale;
  const dragging = useRef(false);
  const fault = time.fault?.at[basis] ?? null;
  const ticks = useMemo(
    () => axisTicks(span, BigInt(time.originNs), Math.max(1, size.width - gutter), 110 * scale),
    [span, time, size.width, gutter, scale],
  );
  useEffect(() => {
    if (palette === null || canvas.current === null) return;
    const on = beginFrame(canvas.current, size.width, size.height, size.ratio);
    if (on === null) return;
    const most = Math.max(1, peak?.count ?? 0);
    const halfNs = basis === 'corrected' ? (time.fault?.boundNs ?? 0) : 0;
    const shown = { ...{ span, values, most, ticks, gutter }, fault: fault === null ? null : { at: fault, halfNs } };
    drawCurve(
      on,
      { ...shown, handle: dragging.current ? (preview ?? handle) : handle, hover: dragging.current ? null : preview },
      palette,
      size,
    );
  }, [palette, size, span, values, peak, ticks, gutter, fault, handle, preview, time, basis]);
  const at = (event: PointerEvent<HTMLDivElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - gutter) / Math.max(1, box.width - gutter - 16 * scale);
    return span.from + Math.max(0, Math.min(1, share)) * (span.to - span.from);
  };
  const waiting = moment === null ? 0 : moment.standing.reduce((sum, one) => sum + Number(one === STANDING.waiting), 0);
  const recorded = moment === null ? 0 : moment.standing.reduce((sum, one) => sum + Number(!isMissing(one)), 0);
  const shownAt = moment?.at ?? handle;
  const words =
    model.counted && values === null
      ? 'no call is recorded: who waits cannot be told'
      : `${formatCount(waiting)} of ${formatCount(recorded)} recorded ranks wait`;
  return (
    <section className="ranks-scrubber" aria-label="Moment of the map">
      <div className="ranks-scrubber-head">
        <strong>Ranks that wait</strong>
        {fault !== null && (
          <button type="button" className="ranks-fault" onClick={() => model.setHandle(fault)}>
            {`${time.fault?.kind === 'call' ? 'call missed' : 'first fault'} ${timeText(fault)}${faultNote(time, basis)}`}
          </button>
        )}
        <span className="ranks-scrubber-now tabular">
          <strong data-testid="ranks-moment">{timeText(shownAt)}</strong>
          {basis === 'raw' ? ' raw' : ''} <span>{words}</span>
        </span>
        {peak !== null && (
          <span className="quiet tabular ranks-scrubber-most">{`most: ${formatCount(peak.count)} by ${timeText(peak.at)}`}</span>
        )}
      </div>
      <div
        ref={host}
        className="ranks-curve"
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-valuemin={0}
        aria-valuemax={1000}
        aria-valuenow={Math.round(((handle - span.from) / (span.to - span.from)) * 1000)}
        aria-valuetext={`${timeText(shownAt)}, ${words}`}
        onKeyDown={(event) => onKey(event, model, span, handle)}
        onPointerDown={(event) => {
          dragging.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          setCursor(at(event));
        }}
        onPointerMove={(event) => setCursor(at(event))}
        onPointerUp={(event) => {
          dragging.current = false;
          model.setHandle(at(event));
        }}
        onPointerLeave={() => !dragging.current && setCursor(null)}
      >
        <div aria-hidden="true">
          <canvas ref={canvas} />
        </div>
      </div>
    </section>
  );
}

function faultNote(time: RanksTime, basis: 'raw' | 'corrected'): string {
  if (basis === 'raw') return ' raw';
  const bound = time.fault?.boundNs ?? null;
  return bound === null ? ', bound unknown' : bound === 0 ? '' : ` ${formatBound(bound / 1e6)}`;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1 / 720,
  ArrowRight: 1 / 720,
  ArrowDown: -1 / 720,
  ArrowUp: 1 / 720,
  PageDown: -1 / 20,
  PageUp: 1 / 20,
  Home: -1,
  End: 1,
};

function onKey(event: KeyboardEvent, model: ScrubberProps['model'], span: TimeSpan, handle: number): void {
  const step = STEPS[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  model.setHandle(Math.max(span.from, Math.min(span.to, handle + step * (span.to - span.from))));
}
