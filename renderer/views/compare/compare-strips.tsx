/** Two cases, one axis: zoom and move are those of both. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore, type WheelEvent } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CompareAnswer, CompareSide } from '#shared/rpc/areas/compare.ts';
import { formatCount } from '#shared/text/format.ts';
import { beginFrame } from '../../charts/canvas-size.ts';
import { type CompareScene, drawCompare, type StripSide } from '../../charts/compare-strips.ts';
import { useQuery } from '../../data/query.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { useSelection } from '../../stores/selection.ts';
import { firstSpan, relativeLabel, relativeTicks } from '../../viewmodels/compare/axis.ts';
import { alignment, zeroNote } from '../../viewmodels/compare/rows.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { momentLabel } from '../../viewmodels/timeline/axis.ts';
import { panSpan, type TimeSpan, zoomSpan } from '../../viewmodels/timeline/span.ts';
import { usePalette } from '../timeline/use-palette.ts';
import { useElementSize } from '../timeline/use-size.ts';

interface StripsProps {
  readonly caseId: CaseId;
  readonly other: CaseId;
  readonly answer: CompareAnswer;
  readonly align: 'onset' | 'start';
}

const COLUMNS = 480;
const GUTTER = 176;
const ROW = 88;
/** In a low window. */
const LOW_ROW = 66;
const AXIS = 28;

export function CompareStrips({ caseId, other, answer, align }: StripsProps) {
  const basis = useSelection((state) => state.basis);
  const zero = useMemo(() => alignment(answer, align, basis), [answer, align, basis]);
  const whole = useMemo((): TimeSpan | null => {
    const parts = [bounds(answer.a, zero.a, basis), bounds(answer.b, zero.b, basis)].filter((one) => one !== null);
    if (parts.length === 0) return null;
    return { from: Math.min(...parts.map((one) => one.from)), to: Math.max(...parts.map((one) => one.to)) };
  }, [answer, zero, basis]);
  const [chosen, setChosen] = useState<TimeSpan | null>(null);
  const span = chosen ?? (whole === null ? null : firstSpan(whole));
  const a = useSide(caseId, answer.a, zero.a, basis, span);
  const b = useSide(other, answer.b, zero.b, basis, span);
  if (whole === null || span === null)
    return <p className="compare-no-time">Nothing in either case carries a time: there is no axis to put them on.</p>;
  return (
    <Picture
      {...{ answer, align, basis, span, whole }}
      words={zero.words}
      zeros={[zero.a, zero.b]}
      sides={[a, b]}
      onSpan={setChosen}
    />
  );
}

const LOW = window.matchMedia('(max-height: 760px)');

function onHeight(listener: () => void): () => void {
  LOW.addEventListener('change', listener);
  return () => LOW.removeEventListener('change', listener);
}

function bounds(side: CompareSide, zero: number | null, basis: 'raw' | 'corrected'): TimeSpan | null {
  const span = side.spans?.[basis];
  return span === undefined || zero === null ? null : { from: span.from - zero, to: span.to - zero };
}

/** The counts of one case over the common span. */
type CountedSide = StripSide & { readonly counted: boolean };

function useSide(
  caseId: CaseId,
  side: CompareSide,
  zero: number | null,
  basis: 'raw' | 'corrected',
  span: TimeSpan | null,
): CountedSide {
  const asked = useSettled(span);
  const own = asked === null || zero === null ? null : { from: asked.from + zero, to: asked.to + zero };
  const params = own === null ? null : { caseId, basis, ...own, columns: COLUMNS };
  const waiting = useQuery('ranks.waiting', params);
  const strips = useQuery('timeline.strips', params);
  const known = bounds(side, zero, basis);
  // The picture before stays until the finer one is there; it was made for another span and is drawn over its own.
  return {
    counted: waiting.state === 'ready',
    waiting: waiting.state === 'ready' ? waiting.value : null,
    errors: strips.state === 'ready' ? strips.value.errors : null,
    ranks: side.ranks,
    halfNs: basis === 'corrected' ? (side.onset?.boundNs ?? null) : null,
    from: known?.from ?? 0,
    to: known?.to ?? 0,
  };
}

/** The span once the gesture rests. */
function useSettled(span: TimeSpan | null): TimeSpan | null {
  const [settled, setSettled] = useState(span);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(span), 80);
    return () => clearTimeout(timer);
  }, [span]);
  return settled ?? span;
}

interface PictureProps {
  readonly answer: CompareAnswer;
  readonly align: 'onset' | 'start';
  readonly basis: 'raw' | 'corrected';
  readonly span: TimeSpan;
  readonly whole: TimeSpan;
  readonly words: string;
  readonly zeros: readonly (number | null)[];
  readonly sides: readonly CountedSide[];
  readonly onSpan: (span: TimeSpan | null) => void;
}

function Picture({ answer, align, basis, span, whole, words, zeros, sides, onSpan }: PictureProps) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(host);
  const size = useElementSize(host);
  const scale = usePreferences((state) => state.textScale);
  const [hover, setHover] = useState<number | null>(null);
  const low = useSyncExternalStore(onHeight, () => LOW.matches);
  const [gutter, rowHeight, axis] = [GUTTER * scale, (low ? LOW_ROW : ROW) * scale, AXIS * scale];
  const atOnset = align === 'onset' && answer.a.onset !== null && answer.b.onset !== null;
  useEffect(() => {
    if (palette === null || canvas.current === null) return;
    const on = beginFrame(canvas.current, size.width, size.height, size.ratio);
    if (on === null) return;
    const scene: CompareScene = {
      ...span,
      ticks: relativeTicks(span, size.width - gutter - 16, 110 * scale),
      sides: sides.map((side) => (atOnset ? side : { ...side, halfNs: null })),
      zero: atOnset ? 'fault' : 'start',
      ...{ gutter, rowHeight, axis, hover },
    };
    drawCompare(on, scene, palette, size.width);
  }, [palette, size, span, sides, gutter, rowHeight, axis, hover, atOnset, scale]);
  const timeAt = (clientX: number): number => {
    const box = host.current?.getBoundingClientRect();
    const share = (clientX - (box?.left ?? 0) - gutter) / Math.max(1, (box?.width ?? 1) - gutter - 16);
    return span.from + share * (span.to - span.from);
  };
  const onWheel = (event: WheelEvent): void => {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      onSpan(panSpan(span, (event.deltaX || event.deltaY) / 1000, whole));
    else onSpan(zoomSpan(span, event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.clientX), whole));
  };
  return (
    <section className="compare-strips" aria-label="Both cases over time">
      <div className="compare-strips-head">
        <strong>{atOnset ? 'Aligned at the first fault' : 'Aligned at the first stamp'}</strong>
        <span className="quiet">{`${words}; ranks that wait, of all, with errors above`}</span>
        <span className="compare-hover tabular">
          {hover === null ? '' : relativeLabel(hover, (span.to - span.from) / 1000)}
        </span>
      </div>
      <div
        ref={host}
        className="compare-canvas"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the drawing takes the keys of a time view
        tabIndex={0}
        aria-label={`Ranks that wait and errors of both cases. ${words}. ${summaryOf(answer, sides)} W and S zoom, A and D move, 0 shows all.`}
        style={{ height: axis + rowHeight * 2 }}
        onKeyDown={(event) => onKey(event, span, whole, onSpan)}
        onWheel={onWheel}
        onPointerMove={(event) => {
          const at = timeAt(event.clientX);
          setHover(at >= span.from && at <= span.to ? at : null);
        }}
        onPointerLeave={() => setHover(null)}
      >
        <div aria-hidden="true">
          <canvas ref={canvas} />
        </div>
        {(['a', 'b'] as const).map((name, i) => {
          const side = answer[name];
          const zero = zeros[i] ?? null;
          return (
            <div
              key={name}
              className="compare-strip-label"
              style={{ top: axis + i * rowHeight + 6, width: gutter - 12 }}
            >
              <span className="compare-side-name">
                <span className="compare-letter">{name.toUpperCase()}</span>
                <strong className="cut">{escapeText(side.summary.name)}</strong>
              </span>
              <span className="quiet">
                {zero === null || side.originNs === null
                  ? 'no time'
                  : `0 = ${momentLabel(zero, BigInt(side.originNs), { from: 0, to: 1e9 })} ${zeroNote(side, align, basis)}`}
              </span>
              {sides[i]?.counted === true && sides[i]?.waiting === null && (
                <span className="quiet">no call recorded: who waits is not known</span>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function summaryOf(answer: CompareAnswer, sides: readonly StripSide[]): string {
  const most = (side: StripSide | undefined): string =>
    side?.waiting === null
      ? 'an unknown number'
      : formatCount((side?.waiting ?? new Float64Array(0)).reduce((a, b) => Math.max(a, b), 0));
  return `At most ${most(sides[0])} of ${formatCount(answer.a.ranks)} ranks wait in A, ${most(sides[1])} of ${formatCount(answer.b.ranks)} in B.`;
}

function onKey(event: KeyboardEvent, span: TimeSpan, whole: TimeSpan, onSpan: (span: TimeSpan) => void): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const next = nextSpan(event.code, span, whole);
  if (next === null) return;
  event.preventDefault();
  event.stopPropagation();
  onSpan(next);
}

/** By the place of the key, so that W A S D work on every layout; null = no key of this view. */
function nextSpan(code: string, span: TimeSpan, whole: TimeSpan): TimeSpan | null {
  const centre = (span.from + span.to) / 2;
  switch (code) {
    case 'KeyW':
      return zoomSpan(span, 0.6, centre, whole);
    case 'KeyS':
      return zoomSpan(span, 1 / 0.6, centre, whole);
    case 'KeyA':
    case 'ArrowLeft':
      return panSpan(span, -0.25, whole);
    case 'KeyD':
    case 'ArrowRight':
      return panSpan(span, 0.25, whole);
    case 'Digit0':
      return whole;
    default:
      return null;
  }
}
