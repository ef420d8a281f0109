/** Asks for what is on screen, a little more than that, and not again while that is enough. */
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { heatImage } from '../../charts/heat-image.ts';
import type { HeatPicture, SlicePicture } from '../../charts/lane-scene.ts';
import type { Palette } from '../../charts/palette.ts';
import { latestOf } from '../../data/timeline.ts';
import type { Row, RowLayout } from '../../viewmodels/timeline/rows.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { cellsOf, slicesOf } from './picture.ts';

export interface PictureQuestion {
  readonly caseId: CaseId;
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  /** Width of the lanes in px. */
  readonly width: number;
  readonly layout: RowLayout;
  readonly scrollTop: number;
  readonly viewportPx: number;
  readonly palette: Palette | null;
}

export interface Pictures {
  readonly slices: SlicePicture | null;
  readonly heats: readonly HeatPicture[];
  /** A finer or newer picture is on its way. */
  readonly loading: boolean;
  readonly failed: string | null;
}

/** Rectangles a frame; more come as pixels. */
const MAX_SLICES = 5000;
/** Gestures send many spans: the exact picture is asked for when they rest. */
const REST_MS = 40;
const MOST_CELLS = 24_000_000;

interface Answered {
  readonly key: string;
  readonly span: TimeSpan;
  readonly perPx: number;
}

interface Kept {
  readonly asked: { tall: Answered | null; band: Answered | null };
  /** Questions under way, of this showing of the screen and of earlier ones. */
  waiting: number;
  tall: { readonly slices: SlicePicture | null; readonly heat: HeatPicture | null } | null;
  band: HeatPicture | null;
}

/** What was drawn last, for who comes back from another screen. Goes with the case's lanes: other lanes are other pictures. */
const kept = new WeakMap<TimelineIndex, Kept>();

function keptOf(index: TimelineIndex): Kept {
  const known = kept.get(index);
  if (known !== undefined) return known;
  const made: Kept = { asked: { tall: null, band: null }, waiting: 0, tall: null, band: null };
  kept.set(index, made);
  return made;
}

const EMPTY: Pictures = { slices: null, heats: [], loading: true, failed: null };

export function usePictures(question: PictureQuestion): Pictures {
  const { caseId, index, basis, span, width, layout, scrollTop, viewportPx, palette } = question;
  const own = keptOf(index);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [busy, setBusy] = useState(own.tall === null && own.band === null);
  const [failed, setFailed] = useState<string | null>(null);
  const moved = useRef(0);
  const pending = useRef(0);
  const askTall = useMemo(() => latestOf('timeline.lanes'), []);
  const askBand = useMemo(() => latestOf('timeline.lanes'), []);
  const tallLanes = useStable(lanesOnScreen(layout, scrollTop, viewportPx));
  const bands = useMemo(() => layout.rows.filter((row) => row.kind === 'band'), [layout]);
  const columns = Math.max(1, Math.round(width));

  useEffect(() => {
    if (palette === null || width < 10) return;
    const perPx = (span.to - span.from) / columns;
    // What the screen asked for before it was left is told to nobody here: it is asked for again.
    if (own.waiting > pending.current) Object.assign(own.asked, { tall: null, band: null });
    const wantTall = needs(own.asked.tall, tallKey(basis, tallLanes, palette), span, perPx);
    const wantBand = bands.length > 0 && needs(own.asked.band, bandKey(basis, bands, palette, layout), span, perPx);
    const rested = performance.now() - moved.current > 2 * REST_MS;
    moved.current = performance.now();
    if (!wantTall && !wantBand) {
      // A question that rested was dropped for this one, which needs no answer.
      if (pending.current === 0) setBusy(false);
      return;
    }
    setBusy(true);
    const load: Load = { caseId, own, basis, span, perPx, columns, palette, show: redraw, fail: setFailed };
    const ask = (): void => {
      pending.current += 1;
      own.waiting += 1;
      void Promise.all([
        wantTall ? loadTall(load, tallLanes, askTall) : null,
        wantBand ? loadBand(load, bands, layout, askBand) : null,
      ]).then(() => {
        pending.current -= 1;
        own.waiting -= 1;
        if (pending.current === 0) setBusy(false);
      });
    };
    // A single step is answered at once; only what follows it closely waits for the end of the gesture.
    if (rested) return ask();
    const timer = setTimeout(ask, REST_MS);
    return () => clearTimeout(timer);
  }, [caseId, own, basis, span, width, columns, tallLanes, bands, layout, palette, askTall, askBand]);

  const { tall, band } = own;
  return useMemo(() => {
    if (palette === null) return EMPTY;
    const heats = [...(bands.length > 0 && band !== null ? [band] : []), ...(tall?.heat ? [tall.heat] : [])];
    return { slices: tall?.slices ?? null, heats, loading: busy, failed };
  }, [tall, band, busy, failed, palette, bands]);
}

interface Load {
  readonly caseId: CaseId;
  readonly own: Kept;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  readonly perPx: number;
  readonly columns: number;
  readonly palette: Palette;
  readonly show: () => void;
  readonly fail: (words: string | null) => void;
}

type Ask = ReturnType<typeof latestOf<'timeline.lanes'>>;

async function loadTall(load: Load, lanes: readonly number[], ask: Ask): Promise<void> {
  const { caseId, own, basis, perPx, columns, palette, show, fail } = load;
  const wider = widen(load.span, 0.5);
  const asked = { key: tallKey(basis, lanes, palette), span: wider, perPx };
  own.asked.tall = asked;
  if (lanes.length === 0) {
    own.tall = { slices: null, heat: null };
    return show();
  }
  const answer = await ask({
    caseId,
    basis,
    ...wider,
    columns: columns * 2,
    lanes,
    lanesPerRow: 1,
    tier: 'slices',
    maxSlices: MAX_SLICES * 2,
  });
  if (answer === null) return;
  if (!answer.ok) {
    // The next step asks again.
    if (own.asked.tall === asked) own.asked.tall = null;
    return fail(answer.error.detail || answer.error.code);
  }
  fail(null);
  if (answer.value.kind === 'slices') own.tall = { slices: slicesOf(answer.value, wider, lanes), heat: null };
  else {
    const cells = cellsOf(answer.value, wider, lanes);
    const image = heatImage(cells.cells, cells.columns, Int32Array.from(lanes.keys()), palette);
    own.tall = { slices: null, heat: image === null ? null : { cells, image } };
  }
  show();
}

async function loadBand(load: Load, bands: readonly Row[], layout: RowLayout, ask: Ask): Promise<void> {
  const { caseId, own, basis, perPx, columns, palette, show, fail } = load;
  const wider = widen(load.span, 0.25);
  const asked = { key: bandKey(basis, bands, palette, layout), span: wider, perPx };
  own.asked.band = asked;
  const lanes = bands.flatMap((row) => (row.kind === 'band' ? row.lanes : []));
  const most = Math.max(1, Math.floor(MOST_CELLS / lanes.length));
  const answer = await ask({
    caseId,
    basis,
    ...wider,
    columns: Math.min(most, Math.round(columns * 1.5)),
    lanes,
    lanesPerRow: 1,
    tier: 'cells',
    maxSlices: 1,
  });
  if (answer === null) return;
  if (!answer.ok) {
    if (own.asked.band === asked) own.asked.band = null;
    return fail(answer.error.detail || answer.error.code);
  }
  if (answer.value.kind !== 'cells') return;
  fail(null);
  const cells = cellsOf(answer.value, wider, lanes);
  const image = heatImage(cells.cells, cells.columns, imageRows(bands, layout), palette);
  own.band = image === null ? null : { cells, image };
  show();
}

const tallKey = (basis: LaneBasis, lanes: readonly number[], palette: Palette | null): string =>
  `${basis} ${palette?.surface0}${palette?.roleFirst} ${lanes.join()}`;

const bandKey = (basis: LaneBasis, bands: readonly Row[], palette: Palette | null, layout: RowLayout): string =>
  `${basis} ${palette?.surface0}${palette?.roleFirst} ${layout.tier} ${layout.lanesPerPx} ${bands.map((row) => (row.kind === 'band' ? `${row.lanes[0]}-${row.lanes.length}` : '')).join()}`;

/** True if what was asked for last does not cover the span, or is too coarse or too fine by a third. */
function needs(last: Answered | null, key: string, span: TimeSpan, perPx: number): boolean {
  if (last === null || last.key !== key || span.from < last.span.from || span.to > last.span.to) return true;
  const ratio = perPx / last.perPx;
  return ratio < 0.999 || ratio > 1.34;
}

function widen(span: TimeSpan, by: number): TimeSpan {
  const room = (span.to - span.from) * by;
  return { from: span.from - room, to: span.to + room };
}

/** Lanes that have a row of their own, on screen and one screen above and below. */
function lanesOnScreen(layout: RowLayout, scrollTop: number, viewportPx: number): number[] {
  const found = new Set<number>();
  for (const row of layout.pinned) if (row.kind === 'lane') found.add(row.lane);
  for (const row of layout.rows)
    if (row.kind === 'lane' && row.y + row.h > scrollTop - viewportPx && row.y < scrollTop + 2 * viewportPx)
      found.add(row.lane);
  return [...found].sort((a, b) => a - b);
}

/** Heat: a lane a row, or as many as share a px, none across sections. Tall tiers: a folded section is one row. */
function imageRows(bands: readonly Row[], layout: RowLayout): Int32Array {
  const rows: number[] = [];
  let top = 0;
  for (const row of bands) {
    if (row.kind !== 'band') continue;
    const per = layout.tier === 'heat' ? layout.lanesPerPx : row.lanes.length;
    for (let i = 0; i < row.lanes.length; i++) rows.push(top + Math.floor(i / per));
    top += Math.ceil(row.lanes.length / per);
  }
  return Int32Array.from(rows);
}

/** The same array while its content is the same. */
function useStable(list: number[]): readonly number[] {
  const kept = useRef<readonly number[]>(list);
  if (kept.current.length !== list.length || kept.current.some((value, i) => value !== list[i])) kept.current = list;
  return kept.current;
}
