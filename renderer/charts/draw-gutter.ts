/** Names at the left of the lanes: part played, GPU, heads of sections. */
import type { Lane } from '#shared/views/lanes/index.ts';
import { escapeText } from '../viewmodels/escape-text.ts';
import type { Row } from '../viewmodels/timeline/rows.ts';
import { gpuWord, laneTitle, laneWord } from '../viewmodels/timeline/words.ts';
import type { LaneScene } from './lane-scene.ts';

/** Places in the gutter at normal text size; they grow with it. */
const TITLE_X = 26;
const WORD_X = 82;
const RIGHT_X = 164;
const CHEVRON_X = 13;

/** `free`: a lane too low for words may be named from there on, so that names of neighbours do not lie on one another. */
export interface NamePlace {
  readonly top: number;
  readonly h: number;
  readonly pinned: boolean;
  readonly free: number;
}

/** Where the next low lane may be named. */
export function drawLaneName(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  lane: Lane,
  { top, h, pinned, free }: NamePlace,
): number {
  const { palette } = scene;
  const s = palette.scale;
  const middle = top + h / 2;
  const first = lane.role === 'first';
  if (h < 12 * s) {
    if (!first) return free;
    on.fillStyle = palette.roleFirst;
    on.fillRect(RIGHT_X * s, middle - 1.5, 8, 3);
    if (middle < free) return free;
    on.font = palette.font11Medium;
    on.fillStyle = palette.roleFirstText;
    on.fillText(laneTitle(lane), TITLE_X * s, middle + 4 * s);
    return middle + 12 * s;
  }
  if (first) {
    on.fillStyle = palette.roleFirst;
    on.fillRect(0, top, 3, h);
  }
  const title = laneTitle(lane);
  const baseline = middle + 4 * s;
  if (first && h >= 20) {
    on.font = palette.font12Medium;
    const width = on.measureText(title).width + 12;
    on.fillStyle = palette.roleFirst;
    on.beginPath();
    on.roundRect(TITLE_X * s - 6, middle - 10 * s, width, 20 * s, 3);
    on.fill();
    on.fillStyle = palette.onRoleFirst;
  } else {
    on.font = h >= 20 ? (first ? palette.font12Medium : palette.font12) : palette.font11;
    on.fillStyle = first ? palette.roleFirstText : palette.text2;
  }
  on.fillText(title, TITLE_X * s, baseline);
  const titleEnd = TITLE_X * s + on.measureText(title).width + 8;
  on.font = palette.font11;
  const word = laneWord(lane, scene.anyDump);
  on.fillStyle = first
    ? palette.roleFirstText
    : lane.role === 'victim' && word === 'waits'
      ? palette.roleVictim
      : palette.text3;
  on.fillText(word, Math.max(WORD_X * s, titleEnd), baseline);
  if (pinned) drawPin(on, RIGHT_X * s - 7, middle, palette.text3);
  else {
    on.fillStyle = palette.text3;
    on.textAlign = 'right';
    on.fillText(gpuWord(lane), RIGHT_X * s, baseline);
    on.textAlign = 'left';
  }
  return free;
}

export function drawSectionHead(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  row: Extract<Row, { kind: 'head' }>,
  top: number,
): void {
  const { palette, size } = scene;
  const s = palette.scale;
  const section = scene.sections[row.section];
  if (section === undefined) return;
  on.fillStyle = palette.surface1;
  on.fillRect(0, top, size.width, row.h);
  drawChevron(on, CHEVRON_X * s, top + row.h / 2, row.folded, palette.text3);
  on.font = palette.font12Medium;
  on.fillStyle = palette.text1;
  const title = section.title === '' ? 'no place known' : escapeText(section.title);
  on.fillText(
    cut(on, title, row.folded ? size.gutter - TITLE_X * s - 8 : size.gutter - TITLE_X * s - 4),
    TITLE_X * s,
    top + row.h / 2 + 4 * s,
  );
  if (row.folded) return;
  on.font = palette.font11;
  on.fillStyle = palette.text3;
  on.fillText(
    cut(on, scene.captions[row.section] ?? '', size.width - size.gutter - 12),
    size.gutter,
    top + row.h / 2 + 4 * s,
  );
}

/** Name of a band of pixels; true if there was room for it. */
export function drawBandName(
  on: CanvasRenderingContext2D,
  scene: LaneScene,
  row: Extract<Row, { kind: 'band' }>,
  top: number,
  free: number,
): boolean {
  const section = scene.sections[row.section];
  const { palette } = scene;
  const s = palette.scale;
  const middle = Math.max(top + Math.min(row.h / 2, 9 * s), 0);
  if (section === undefined || (row.h < 12 * s && top < free)) return false;
  drawChevron(on, CHEVRON_X * s, middle, true, palette.text3);
  on.font = palette.font11;
  on.fillStyle = palette.text1;
  const ranks = row.lanes.flatMap((lane) => scene.lanes[lane]?.rank ?? []);
  const [low, high] = [ranks[0], ranks.at(-1)];
  const range = low === undefined || high === undefined ? '' : low === high ? `${low}` : `${low}–${high}`;
  const title = section.title === '' ? 'no place known' : escapeText(section.title);
  const room = (RIGHT_X - TITLE_X) * s - on.measureText(range).width - 8;
  on.fillText(cut(on, title, room), TITLE_X * s, middle + 4 * s);
  on.fillStyle = palette.text3;
  on.textAlign = 'right';
  on.fillText(range, RIGHT_X * s, middle + 4 * s);
  on.textAlign = 'left';
  return true;
}

export function drawChevron(on: CanvasRenderingContext2D, x: number, y: number, folded: boolean, colour: string): void {
  on.strokeStyle = colour;
  on.lineWidth = 1.3;
  on.beginPath();
  if (folded) {
    on.moveTo(x - 2, y - 4);
    on.lineTo(x + 2, y);
    on.lineTo(x - 2, y + 4);
  } else {
    on.moveTo(x - 4, y - 2);
    on.lineTo(x, y + 2);
    on.lineTo(x + 4, y - 2);
  }
  on.stroke();
}

function drawPin(on: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  on.strokeStyle = colour;
  on.lineWidth = 1.2;
  on.beginPath();
  on.moveTo(x - 3, y - 5);
  on.lineTo(x + 3, y - 5);
  on.moveTo(x - 2, y - 5);
  on.lineTo(x - 2, y - 1);
  on.lineTo(x - 4, y + 1);
  on.lineTo(x + 4, y + 1);
  on.lineTo(x + 2, y - 1);
  on.lineTo(x + 2, y - 5);
  on.moveTo(x, y + 1);
  on.lineTo(x, y + 5);
  on.stroke();
}

/** With an ellipsis where it does not fit. */
export function cut(on: CanvasRenderingContext2D, text: string, room: number): string {
  if (on.measureText(text).width <= room) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (on.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}
