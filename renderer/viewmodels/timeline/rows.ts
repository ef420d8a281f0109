/**
 * Which rows stand where: sections with their lanes, at a height that fits. Heights are CSS px from the top of the list.
 *
 *   full ≥ 16 px      a head a section, a row a lane                    folded: one row, worst wins
 *   compact 4–15 px   the same without labels in the slices
 *   heat < 4 px       a band of pixels; a section unfolds in place into lanes of 16 px
 */
import type { Lane, LaneSection } from '#shared/views/lanes/index.ts';

export type Tier = 'full' | 'compact' | 'heat';

export interface RowChoice {
  /** Ids of sections: folded in the tall tiers, unfolded in the heat tier. */
  readonly toggled: ReadonlySet<string>;
  /** Ids of lanes. */
  readonly hidden: ReadonlySet<string>;
  readonly pinned: readonly string[];
  /** Sorted; empty = all. */
  readonly ranks: readonly number[];
  readonly tier: Tier | 'auto';
}

export interface RowRoom {
  readonly heightPx: number;
  /** Height of a full row: the token of lanes. */
  readonly rowPx: number;
}

export type Row =
  | {
      readonly kind: 'head';
      readonly y: number;
      readonly h: number;
      readonly section: number;
      readonly folded: boolean;
      readonly lanes: readonly number[];
    }
  | {
      readonly kind: 'lane';
      readonly y: number;
      readonly h: number;
      readonly section: number;
      readonly lane: number;
      readonly pinned: boolean;
    }
  /** Lanes as pixels: the whole of a folded section, or consecutive ones in the heat tier. */
  | {
      readonly kind: 'band';
      readonly y: number;
      readonly h: number;
      readonly section: number;
      readonly lanes: readonly number[];
    };

export interface RowLayout {
  readonly tier: Tier;
  readonly rows: readonly Row[];
  readonly pinned: readonly Row[];
  readonly heightPx: number;
  /** Lanes that are drawn, top to bottom, each once. */
  readonly shown: readonly number[];
  readonly total: number;
  /** Heat: lanes that share one px of height, or 1. */
  readonly lanesPerPx: number;
}

/** Below so many lanes full rows are always used, and scroll. Chosen: two screens. */
const FULL_UP_TO = 72;
const FOLDED_OUT_PX = 16;
/** Tallest lane of the heat tier at normal text; larger text gets as much more. */
const HEAT_PX = 3;
const NORMAL_ROW_PX = 24;
/** Rows of text: in less room than these, lanes scroll rather than leave no place a name. */
const LEAST_ROWS = 8;

export function layoutRows(
  sections: readonly LaneSection[],
  lanes: readonly Lane[],
  choice: RowChoice,
  room: RowRoom,
): RowLayout {
  const wanted = new Set(choice.ranks);
  const pinnedIds = new Set(choice.pinned);
  const isShown = (lane: Lane | undefined): boolean =>
    lane !== undefined &&
    !choice.hidden.has(lane.id) &&
    (wanted.size === 0 || (lane.rank !== null && wanted.has(lane.rank)));
  const kept = sections.map((section) => {
    const list: number[] = [];
    for (let i = section.laneFrom; i < section.laneTo; i++) if (isShown(lanes[i])) list.push(i);
    return list;
  });
  const shown = kept.flat();
  const tier = tierOf(choice.tier, shown.length, room);
  const laneIndex = new Map(lanes.map((lane, i) => [lane.id, i]));
  const pinned = choice.pinned.flatMap((id): Row[] => {
    const lane = laneIndex.get(id);
    const section = sections.findIndex((one) => lane !== undefined && lane >= one.laneFrom && lane < one.laneTo);
    return lane === undefined ? [] : [{ kind: 'lane', y: 0, h: room.rowPx, section, lane, pinned: true }];
  });
  const stacked =
    tier === 'heat' ? heatRows(sections, lanes, kept, choice, room) : tallRows(sections, kept, choice, room, tier);
  return {
    tier,
    rows: stacked.rows,
    pinned: pinned.map((row, i) => ({ ...row, y: i * room.rowPx })),
    heightPx: stacked.heightPx,
    shown: pinnedIds.size === 0 ? shown : [...new Set(shown)],
    total: lanes.length,
    lanesPerPx: stacked.lanesPerPx,
  };
}

function tierOf(chosen: RowChoice['tier'], lanes: number, room: RowRoom): Tier {
  if (chosen !== 'auto') return chosen;
  if (lanes <= FULL_UP_TO) return 'full';
  return room.heightPx / lanes >= 5 ? 'compact' : 'heat';
}

interface Stacked {
  readonly rows: readonly Row[];
  readonly heightPx: number;
  readonly lanesPerPx: number;
}

function tallRows(
  sections: readonly LaneSection[],
  kept: readonly (readonly number[])[],
  choice: RowChoice,
  room: RowRoom,
  tier: Tier,
): Stacked {
  const rows: Row[] = [];
  let y = 0;
  const h = tier === 'full' ? room.rowPx : compactHeight(sections, kept, choice, room);
  sections.forEach((section, i) => {
    const list = kept[i] ?? [];
    if (list.length === 0) return;
    const folded = choice.toggled.has(section.id);
    // A section of one special lane is that lane: a head would say the same twice.
    const single = isSingle(section);
    if (!single) {
      rows.push({ kind: 'head', y, h: room.rowPx, section: i, folded, lanes: list });
      if (folded) rows.push({ kind: 'band', y, h: room.rowPx, section: i, lanes: list });
      y += room.rowPx;
    }
    if (folded && !single) return;
    for (const lane of list) {
      const height = single ? room.rowPx : h;
      rows.push({ kind: 'lane', y, h: height, section: i, lane, pinned: false });
      y += height;
    }
  });
  return { rows, heightPx: y, lanesPerPx: 1 };
}

const isSingle = (section: LaneSection): boolean => section.by === 'cluster' || section.id === 'other';

/** So that all of them are on one screen, if they can be. */
function compactHeight(
  sections: readonly LaneSection[],
  kept: readonly (readonly number[])[],
  choice: RowChoice,
  room: RowRoom,
): number {
  let [fixed, lanes] = [0, 0];
  sections.forEach((section, i) => {
    const list = kept[i] ?? [];
    if (list.length === 0) return;
    fixed += isSingle(section) ? list.length * room.rowPx : room.rowPx;
    if (!isSingle(section) && !choice.toggled.has(section.id)) lanes += list.length;
  });
  return Math.max(5, Math.min(15, Math.floor((room.heightPx - fixed) / Math.max(1, lanes))));
}

function heatRows(
  sections: readonly LaneSection[],
  lanes: readonly Lane[],
  kept: readonly (readonly number[])[],
  choice: RowChoice,
  room: RowRoom,
): Stacked {
  const open = kept.map((list, i) => choice.toggled.has(sections[i]?.id ?? '') && list.length > 0);
  const special = sections.map(isSingle);
  const tall = kept.reduce(
    (sum, list, i) =>
      sum + (special[i] ? list.length * room.rowPx : open[i] ? room.rowPx + list.length * FOLDED_OUT_PX : 0),
    0,
  );
  // A node's own events are no pixels of calls: they show where the place is unfolded.
  const ranksOf = (list: readonly number[]): readonly number[] => {
    const ranks = list.filter((lane) => lanes[lane]?.kind === 'rank');
    return ranks.length === 0 ? list : ranks;
  };
  const folded = kept.reduce((sum, list, i) => sum + (special[i] || open[i] ? 0 : ranksOf(list).length), 0);
  const space = Math.max(room.heightPx - tall, room.heightPx / 2, LEAST_ROWS * room.rowPx);
  // A little scrolling is better than half of the height: up to half as much again.
  const most = (HEAT_PX * room.rowPx) / NORMAL_ROW_PX;
  const perLane = Math.min(most, (space * (folded > space && folded <= 1.5 * space ? 1.5 : 1)) / Math.max(1, folded));
  // Whole px a lane, or whole lanes a px: nothing is half a pixel.
  const px = perLane >= 1 ? Math.floor(perLane) : 0;
  const lanesPerPx = px > 0 ? 1 : Math.ceil(folded / Math.max(1, space));
  const rows: Row[] = [];
  let y = 0;
  kept.forEach((list, i) => {
    if (list.length === 0) return;
    if (special[i]) {
      for (const lane of list) {
        rows.push({ kind: 'lane', y, h: room.rowPx, section: i, lane, pinned: false });
        y += room.rowPx;
      }
    } else if (open[i]) {
      rows.push({ kind: 'head', y, h: room.rowPx, section: i, folded: false, lanes: list });
      y += room.rowPx;
      for (const lane of list) {
        rows.push({ kind: 'lane', y, h: FOLDED_OUT_PX, section: i, lane, pinned: false });
        y += FOLDED_OUT_PX;
      }
    } else {
      const band = ranksOf(list);
      const h = px > 0 ? band.length * px : Math.ceil(band.length / lanesPerPx);
      rows.push({ kind: 'band', y, h, section: i, lanes: band });
      y += h;
    }
  });
  return { rows, heightPx: y, lanesPerPx };
}

/** The row at a height; undefined between or behind them. Bands win over the heads they lie on. */
export function rowAt(rows: readonly Row[], y: number): Row | undefined {
  let found: Row | undefined;
  for (const row of rows)
    if (y >= row.y && y < row.y + row.h && !(found?.kind === 'head' && row.kind === 'band')) found = row;
  return found;
}

/** Lanes of a band at a height inside it. */
export function lanesAt(row: Row, y: number): readonly number[] {
  if (row.kind === 'lane') return [row.lane];
  if (row.kind === 'head' || row.h >= 16) return row.lanes;
  const perPx = row.lanes.length / row.h;
  const first = Math.floor(Math.max(0, y - row.y) * perPx);
  return row.lanes.slice(first, Math.max(first + 1, Math.floor(first + perPx)));
}

/** Lanes of a row of which some part lies in [from, to], heights as its own; heads hold none, their lanes stand below them. */
export function lanesBetween(row: Row, from: number, to: number): readonly number[] {
  if (row.kind === 'head' || to <= row.y || from >= row.y + row.h) return [];
  if (row.kind === 'lane') return [row.lane];
  const perPx = row.lanes.length / row.h;
  const first = Math.floor(Math.max(0, from - row.y) * perPx);
  return row.lanes.slice(first, Math.max(first + 1, Math.ceil((Math.min(to, row.y + row.h) - row.y) * perPx)));
}
