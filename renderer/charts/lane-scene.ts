/** Everything that one frame of the lanes is drawn from. Values only: nothing here asks for anything. */
import type { Lane, LaneSection } from '#shared/views/lanes/index.ts';
import type { Row, RowLayout } from '../viewmodels/timeline/rows.ts';
import type { TimeSpan } from '../viewmodels/timeline/span.ts';
import type { HeatImage } from './heat-image.ts';
import type { Palette } from './palette.ts';

/** Slices of some lanes, lane by lane, by start; in the basis that is shown. */
export interface SlicePicture {
  readonly span: TimeSpan;
  /** Rows of the columns below of each lane: [from, to). */
  readonly rowsOf: ReadonlyMap<number, readonly [number, number]>;
  readonly instantsOf: ReadonlyMap<number, readonly [number, number]>;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly state: Uint8Array;
  readonly open: Uint8Array;
  readonly call: Int32Array;
  readonly count: Int32Array;
  readonly group: Int32Array;
  readonly seq: Int32Array;
  readonly op: Int32Array;
  readonly instants: {
    readonly atNs: Float64Array;
    readonly severity: Uint8Array;
    readonly kind: Uint16Array;
    readonly clock: Int16Array;
    readonly entry: Int32Array;
    readonly line: Int32Array;
    readonly text: Int32Array;
    readonly count: Int32Array;
  };
  readonly texts: readonly string[];
}

/** Cells of some lanes, one row a lane. */
export interface CellPicture {
  readonly span: TimeSpan;
  readonly columns: number;
  readonly cells: Uint8Array;
  /** Row of each lane. */
  readonly rowOf: ReadonlyMap<number, number>;
}

/** Cells with their image. */
export interface HeatPicture {
  readonly cells: CellPicture;
  readonly image: HeatImage;
}

export interface StageSize {
  readonly width: number;
  readonly height: number;
  readonly gutter: number;
  readonly axis: number;
  readonly ratio: number;
}

export interface LaneScene {
  readonly size: StageSize;
  readonly palette: Palette;
  readonly layout: RowLayout;
  readonly scrollTop: number;
  readonly span: TimeSpan;
  readonly lanes: readonly Lane[];
  readonly sections: readonly LaneSection[];
  /** Raw times of lanes are moved by this on the axis: index = clock + 1. */
  readonly shifts: readonly number[];
  readonly slices: SlicePicture | null;
  /** Bands, and lanes that are too full for slices. */
  readonly heats: readonly HeatPicture[];
  /** Caption of each section. */
  readonly captions: readonly string[];
  /** At least one dump is in the case: a lane without one is a gap. */
  readonly anyDump: boolean;
  readonly focusLane: number;
  readonly selectedCall: number;
  readonly groups: readonly { readonly id: string; readonly name: string; readonly desc: string }[];
}

/** What places a moment on the stage. */
export type StageSpan = Pick<LaneScene, 'size' | 'span'>;

export const xOf = (scene: StageSpan, ns: number): number => {
  const { width, gutter } = scene.size;
  return gutter + ((ns - scene.span.from) / (scene.span.to - scene.span.from)) * (width - gutter);
};

/** Height of what does not scroll: axis and pinned lanes. */
export const headHeight = (scene: LaneScene): number =>
  scene.size.axis + scene.layout.pinned.reduce((sum, row) => sum + row.h, 0);

/** Rows on screen with their top on the stage. */
export function* visibleRows(scene: LaneScene): Generator<{ readonly row: Row; readonly top: number }> {
  for (const row of scene.layout.pinned) yield { row, top: scene.size.axis + row.y };
  const head = headHeight(scene);
  for (const row of scene.layout.rows) {
    const top = head + row.y - scene.scrollTop;
    if (top + row.h > head && top < scene.size.height) yield { row, top };
  }
}

export const shiftOfLane = (scene: LaneScene, lane: Lane | undefined): number =>
  scene.shifts[(lane?.clock ?? -1) + 1] ?? 0;

export const heatOf = (scene: LaneScene, lane: number): HeatPicture | undefined =>
  scene.heats.find((heat) => heat.cells.rowOf.has(lane));
