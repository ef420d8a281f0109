/** Two runs, one axis: zoom and move are those of both. */
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type WheelEvent,
} from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CompareAnswer } from '#shared/rpc/areas/compare.ts';
import { formatCount } from '#shared/text/format.ts';
import { SLICE_STATES } from '#shared/views/lanes/index.ts';
import { beginFrame } from '../../charts/canvas-size.ts';
import { type CompareScene, drawCompare, type LaneSide, sliceAt } from '../../charts/compare-lanes.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/fields.tsx';
import { usePreferences } from '../../stores/preferences.ts';
import { useSelection } from '../../stores/selection.ts';
import { type AlignBy, alignment, zeroNote } from '../../viewmodels/compare/alignment.ts';
import { firstSpan, relativeLabel, relativeTicks } from '../../viewmodels/compare/axis.ts';
import { type LanesLayout, lanesLayout } from '../../viewmodels/compare/lanes.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { opName } from '../../viewmodels/ranks/legend.ts';
import { momentLabel } from '../../viewmodels/timeline/axis.ts';
import { panSpan, type TimeSpan, zoomSpan } from '../../viewmodels/timeline/span.ts';
import { showLane } from '../shell/links.ts';
import { usePalette } from '../timeline/use-palette.ts';
import { useElementSize } from '../timeline/use-size.ts';
import { boundsOf, useSide } from './use-side.ts';

interface LanesProps {
  readonly caseId: CaseId;
  readonly other: CaseId;
  readonly answer: CompareAnswer;
  readonly align: AlignBy;
}

const GUTTER = 184;
/** px at normal text size; in a low window there is room for less. */
const SIZES = { axis: 26, head: 22, strip: 18, row: 24, most: 3 };
const LOW_SIZES = { axis: 22, head: 20, strip: 0, row: 24, most: 2 };
const ALL_SETS = 12;
const LOW = window.matchMedia('(max-height: 760px)');

function onHeight(listener: () => void): () => void {
  LOW.addEventListener('change', listener);
  return () => LOW.removeEventListener('change', listener);
}

export function CompareLanes({ caseId, other, answer, align }: LanesProps) {
  const basis = useSelection((state) => state.basis);
  const scale = usePreferences((state) => state.textScale);
  const low = useSyncExternalStore(onHeight, () => LOW.matches);
  const [all, setAll] = useState(false);
  const zero = useMemo(() => alignment(answer, align, basis), [answer, align, basis]);
  const whole = useMemo((): TimeSpan | null => {
    const parts = [boundsOf(answer.a, zero.a, basis), boundsOf(answer.b, zero.b, basis)].filter((one) => one !== null);
    if (parts.length === 0) return null;
    return { from: Math.min(...parts.map((one) => one.from)), to: Math.max(...parts.map((one) => one.to)) };
  }, [answer, zero, basis]);
  const sizes = useMemo(() => {
    const { axis, head, strip, row, most } = low ? LOW_SIZES : SIZES;
    return {
      ...{ axis: axis * scale, head: head * scale, strip: strip * scale, row: row * scale },
      most: all ? ALL_SETS : most,
    };
  }, [low, scale, all]);
  const layout = useMemo(() => lanesLayout(answer, sizes), [answer, sizes]);
  const [chosen, setChosen] = useState<TimeSpan | null>(null);
  const near = useMemo(() => {
    const paces = [answer.a.paceNs, answer.b.paceNs].filter((pace) => pace !== null);
    return whole === null
      ? null
      : firstSpan(whole, paces.length === 0 ? null : Math.max(...paces), zero.by === 'start');
  }, [answer, whole, zero]);
  const span = chosen ?? near;
  const atOnset = zero.by === 'onset';
  const a = useSide({ caseId, side: answer.a, zero: zero.a, basis, span, layout: layout.a, atOnset });
  const b = useSide({ caseId: other, side: answer.b, zero: zero.b, basis, span, layout: layout.b, atOnset });
  if (whole === null || near === null || span === null)
    return <p className="compare-no-time">Nothing in either case carries a time: there is no axis to put them on.</p>;
  return (
    <Picture
      {...{ answer, basis, span, whole, near, layout, sizes, all }}
      cases={[caseId, other]}
      by={zero.by}
      words={zero.words}
      zeros={[zero.a, zero.b]}
      sides={[a, b]}
      onSpan={setChosen}
      onAll={setAll}
    />
  );
}

type Side = ReturnType<typeof useSide>;

interface PictureProps {
  readonly cases: readonly [CaseId, CaseId];
  readonly answer: CompareAnswer;
  readonly by: AlignBy;
  readonly basis: 'raw' | 'corrected';
  readonly span: TimeSpan;
  readonly whole: TimeSpan;
  readonly near: TimeSpan;
  readonly layout: LanesLayout;
  readonly sizes: { readonly axis: number; readonly strip: number; readonly row: number; readonly head: number };
  readonly words: string;
  readonly zeros: readonly (number | null)[];
  readonly sides: readonly Side[];
  readonly all: boolean;
  readonly onSpan: (span: TimeSpan | null) => void;
  readonly onAll: (all: boolean) => void;
}

const TITLES: Readonly<Record<AlignBy, string>> = {
  onset: 'Aligned at the first fault',
  call: 'Aligned at one call',
  step: 'Aligned at one step',
  start: 'Aligned at the first stamp',
};

function Picture(props: PictureProps) {
  const { answer, by, span, whole, layout, sizes, words, sides, onSpan } = props;
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(host);
  const size = useElementSize(host);
  const scale = usePreferences((state) => state.textScale);
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const gutter = GUTTER * scale;
  const scene = useMemo((): CompareScene => {
    const at = point === null ? null : timeAt(span, point.x, size.width, gutter);
    return {
      ...span,
      ...{ width: size.width, height: layout.height, ratio: size.ratio, gutter, sides },
      ...{ axis: sizes.axis, row: sizes.row, strip: sizes.strip },
      ticks: relativeTicks(span, size.width - gutter - 16, 110 * scale),
      zero: by === 'onset' ? 'fault' : 'other',
      hover: at !== null && at >= span.from && at <= span.to ? at : null,
    };
  }, [span, size, layout, gutter, sides, sizes, scale, by, point]);
  useEffect(() => {
    if (palette === null || canvas.current === null) return;
    const on = beginFrame(canvas.current, size.width, layout.height, size.ratio);
    if (on !== null) drawCompare(on, scene, palette);
  }, [palette, size, layout, scene]);
  const place = (event: { readonly clientX: number; readonly clientY: number }) => {
    const box = host.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const onWheel = (event: WheelEvent): void => {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      onSpan(panSpan(span, (event.deltaX || event.deltaY) / 1000, whole));
    else {
      const at = timeAt(span, place(event).x, size.width, gutter);
      onSpan(zoomSpan(span, event.deltaY > 0 ? 1.25 : 0.8, at, whole));
    }
  };
  return (
    <section className="compare-lanes" aria-label="Both cases over time">
      <Head {...props} hover={hoverWords(scene, point)} />
      <div
        ref={host}
        className="compare-canvas"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the drawing takes the keys of a time view
        tabIndex={0}
        aria-label={`Calls of both cases, lane by lane. ${words}. ${summaryOf(answer, sides)} W and S zoom, A and D move, 0 shows all.`}
        style={{ height: layout.height }}
        onKeyDown={(event) => event.target === event.currentTarget && onKey(event, span, whole, onSpan)}
        onWheel={onWheel}
        onPointerMove={(event: PointerEvent) => setPoint(place(event))}
        onPointerLeave={() => setPoint(null)}
      >
        <div aria-hidden="true">
          <canvas ref={canvas} style={{ height: layout.height }} />
        </div>
        <Labels {...props} gutter={gutter} />
      </div>
    </section>
  );
}

const timeAt = (span: TimeSpan, x: number, width: number, gutter: number): number =>
  span.from + ((x - gutter) / Math.max(1, width - gutter - 16)) * (span.to - span.from);

/** The moment and the call under the pointer. */
function hoverWords(scene: CompareScene, point: { readonly x: number; readonly y: number } | null): string {
  if (scene.hover === null || point === null) return '';
  const time = relativeLabel(scene.hover, (scene.to - scene.from) / 1000);
  const found = sliceAt(scene, point.x, point.y);
  const picture = scene.sides[found?.side ?? -1]?.picture;
  if (found === null || picture === null || picture === undefined) return time;
  const { slice, row, side } = found;
  const count = picture.count[slice] ?? 1;
  const op = opName(picture.texts[picture.op[slice] ?? -1] ?? '');
  const seq = picture.seq[slice] ?? -1;
  const what = count > 1 ? `${formatCount(count)} calls` : [op, seq < 0 ? '' : `#${seq}`].join(' ').trim();
  const state = (SLICE_STATES[picture.state[slice] ?? 0] ?? 'none').replace('-', ' ');
  return `${time}, ${side === 0 ? 'A' : 'B'} rank ${row.rank}: ${what}, ${state}`;
}

function Head({
  by,
  words,
  span,
  near,
  whole,
  layout,
  all,
  hover,
  onSpan,
  onAll,
}: PictureProps & { readonly hover: string }) {
  const more = [layout.a.more === '' ? '' : `A ${layout.a.more}`, layout.b.more === '' ? '' : `B ${layout.b.more}`];
  const folded = more.filter((part) => part !== '').join(', ');
  const isNear = span.from === near.from && span.to === near.to;
  return (
    <div className="compare-lanes-head">
      <strong>{TITLES[by]}</strong>
      <span className="quiet cut" title={`${words}; one lane stands for each set of ranks`}>
        {words}
      </span>
      <span className="compare-hover cut tabular">{hover}</span>
      {(folded !== '' || all) && (
        <Button kind="link" title={folded} onClick={() => onAll(!all)}>
          {all ? 'Fewer sets' : 'All sets'}
        </Button>
      )}
      <Segmented
        label="Span"
        value={isNear ? 'near' : span.from === whole.from && span.to === whole.to ? 'whole' : 'own'}
        options={[
          { value: 'near', label: 'around 0' },
          { value: 'whole', label: 'whole runs' },
        ]}
        onChoose={(value) => onSpan(value === 'whole' ? whole : null)}
      />
    </div>
  );
}

/** Names beside the lanes, as text; a lane opens on the timeline of its case. */
function Labels({
  cases,
  answer,
  by,
  basis,
  layout,
  sizes,
  zeros,
  sides,
  gutter,
}: PictureProps & { readonly gutter: number }) {
  return (['a', 'b'] as const).map((name, i) => {
    const side = answer[name];
    const zero = zeros[i] ?? null;
    const { top, strip, rows } = layout[name];
    const drawn = sides[i];
    return (
      <div key={name} role="group" aria-label={`Lanes of ${name.toUpperCase()}`}>
        <p className="compare-lane-side" style={{ top: top + 1, height: sizes.head - 1 }}>
          <span className="compare-letter">{name.toUpperCase()}</span>
          <strong className="cut">{escapeText(side.summary.name)}</strong>
          <span className="quiet tabular cut">
            {zero === null || side.originNs === null
              ? 'no time'
              : `0 = ${momentLabel(zero, BigInt(side.originNs), { from: 0, to: 1e9 })} ${zeroNote(side, by, basis)}`}
          </span>
        </p>
        {sizes.strip > 0 && (
          <p className="compare-lane-label quiet" style={{ top: strip, height: sizes.strip, width: gutter }}>
            <span className="cut">
              {drawn?.counted === true && drawn.waiting === null ? 'who waits is not known' : 'ranks that wait'}
            </span>
          </p>
        )}
        {rows.length === 0 && (
          <p
            className="compare-lane-label quiet"
            style={{ top: strip + sizes.strip, height: sizes.row, width: gutter }}
          >
            no rank with a time
          </p>
        )}
        {rows.map((row) => (
          <button
            key={row.lane}
            type="button"
            className="compare-lane-label"
            data-role={row.isFirst ? 'first' : row.waits ? 'waits' : 'other'}
            title={`${row.title}; ${row.words}. Opens the timeline of ${name.toUpperCase()}.`}
            style={{ top: row.y, height: sizes.row, width: gutter }}
            onClick={() => cases[i] !== undefined && showLane(cases[i], row.rank)}
          >
            <span className="cut tabular">{row.title}</span>
            <span className="compare-lane-word">{row.word}</span>
            <span className="sr-only">{`, ${row.words}`}</span>
          </button>
        ))}
      </div>
    );
  });
}

function summaryOf(answer: CompareAnswer, sides: readonly LaneSide[]): string {
  const most = (side: LaneSide | undefined): string =>
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
