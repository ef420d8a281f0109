/** Asks for what is on screen, a little more than that, and not again while that is enough. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
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

const EMPTY: Pictures = { slices: null, heats: [], loading: true, failed: null };

export function usePictures(question: PictureQuestion): Pictures {
  const [tall, setTall] = useState<{ slices: SlicePicture | null; heat: HeatPicture | null } | null>(null);
  const [band, setBand] = useState<HeatPicture | null>(null);
  const [busy, setBusy] = useState(true);
  const [failed, setFailed] = useState<string | null>(null);
  const asked = useRef<{ tall: Answered | null; band: Answered | null }>({ tall: null, band: null });
  const askTall = useMemo(() => latestOf('timeline.lanes'), []);
  const askBand = useMemo(() => latestOf('timeline.lanes'), []);
  const { caseId, basis, span, width, layout, scrollTop, viewportPx, palette } = question;
  const tallLanes = useStable(lanesOnScreen(layout, scrollTop, viewportPx));
  const bands = useMemo(() => layout.rows.filter((row) => row.kind === 'band'), [layout]);
  const columns = Math.max(1, Math.round(width));

  useEffect(() => {
    if (palette === null || width < 10) return;
    const perPx = (span.to - span.from) / columns;
    const wantTall = needs(asked.current.tall, `${caseId} ${basis} ${tallLanes.join()}`, span, perPx);
    const wantBand =
      bands.length > 0 && needs(asked.current.band, bandKey(caseId, basis, bands, palette, layout), span, perPx);
    if (!wantTall && !wantBand) return;
    setBusy(true);
    const timer = setTimeout(() => {
      const jobs: Promise<void>[] = [];
      if (wantTall) jobs.push(loadTall(perPx));
      if (wantBand) jobs.push(loadBand(perPx));
      void Promise.all(jobs).then(() => setBusy(false));
    }, REST_MS);
    return () => clearTimeout(timer);

    async function loadTall(px: number): Promise<void> {
      const wider = widen(span, 0.5);
      asked.current.tall = { key: `${caseId} ${basis} ${tallLanes.join()}`, span: wider, perPx: px };
      if (tallLanes.length === 0) return setTall({ slices: null, heat: null });
      const answer = await askTall({
        caseId,
        basis,
        ...wider,
        columns: columns * 2,
        lanes: tallLanes,
        lanesPerRow: 1,
        tier: 'slices',
        maxSlices: MAX_SLICES * 2,
      });
      if (answer === null) return;
      if (!answer.ok) return setFailed(answer.error.detail || answer.error.code);
      setFailed(null);
      if (answer.value.kind === 'slices')
        return setTall({ slices: slicesOf(answer.value, wider, tallLanes), heat: null });
      const cells = cellsOf(answer.value, wider, tallLanes);
      const image =
        palette === null ? null : heatImage(cells.cells, cells.columns, Int32Array.from(tallLanes.keys()), palette);
      setTall({ slices: null, heat: image === null ? null : { cells, image } });
    }

    async function loadBand(px: number): Promise<void> {
      const wider = widen(span, 0.25);
      asked.current.band = { key: bandKey(caseId, basis, bands, palette, layout), span: wider, perPx: px };
      const lanes = bands.flatMap((row) => row.lanes);
      const most = Math.max(1, Math.floor(MOST_CELLS / lanes.length));
      const answer = await askBand({
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
      if (!answer.ok) return setFailed(answer.error.detail || answer.error.code);
      if (answer.value.kind !== 'cells' || palette === null) return;
      setFailed(null);
      const cells = cellsOf(answer.value, wider, lanes);
      const image = heatImage(cells.cells, cells.columns, imageRows(bands, layout), palette);
      setBand(image === null ? null : { cells, image });
    }
  }, [caseId, basis, span, width, columns, tallLanes, bands, layout, palette, askTall, askBand]);

  return useMemo(() => {
    if (palette === null) return EMPTY;
    const heats = [...(bands.length > 0 && band !== null ? [band] : []), ...(tall?.heat ? [tall.heat] : [])];
    return { slices: tall?.slices ?? null, heats, loading: busy, failed };
  }, [tall, band, busy, failed, palette, bands]);
}

const bandKey = (
  caseId: CaseId,
  basis: LaneBasis,
  bands: readonly Row[],
  palette: Palette | null,
  layout: RowLayout,
): string =>
  `${caseId} ${basis} ${palette?.surface0}${palette?.roleFirst} ${layout.tier} ${layout.lanesPerPx} ${bands.map((row) => (row.kind === 'band' ? `${row.lanes[0]}-${row.lanes.length}` : '')).join()}`;

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
