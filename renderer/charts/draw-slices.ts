/** Slices of one lane: drawn in batches of one state, labels last. */
import { STATE } from '#shared/views/lanes/index.ts';
import { type SlicePicture, type StageSpan, xOf } from './lane-scene.ts';
import type { Palette } from './palette.ts';
import type { Patterns } from './patterns.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly label: string;
}

/** Boxes of a frame by state, over all lanes: one change of colour a state. */
export class SliceBatch {
  readonly #byState = new Map<number, Box[]>();
  readonly #openEnds: Box[] = [];
  count = 0;

  add(state: number, box: Box, openEnd: boolean): void {
    this.count += 1;
    if (openEnd) {
      this.#openEnds.push(box);
      return;
    }
    const list = this.#byState.get(state);
    if (list === undefined) this.#byState.set(state, [box]);
    else list.push(box);
  }

  draw(on: CanvasRenderingContext2D, palette: Palette, patterns: Patterns): void {
    for (const [state, boxes] of [...this.#byState].sort((a, b) => a[0] - b[0]))
      drawState(on, palette, patterns, state, boxes);
    drawOpenEnds(on, palette, this.#openEnds);
  }
}

const LABEL_FROM_PX = 44;
const NUMBER_FROM_PX = 22;

/** Adds the slices of a lane. `y`, `h`: of the slice, not of the row. */
export function collectSlices(
  scene: StageSpan,
  picture: SlicePicture,
  lane: number,
  at: { readonly y: number; readonly h: number; readonly labels: boolean },
  batch: SliceBatch,
): void {
  const rows = picture.rowsOf.get(lane);
  if (rows === undefined) return;
  const { gutter, width } = scene.size;
  // Calls of one lane may overlap: the second one's label would lie on the first one's.
  let free = gutter;
  for (let i = rows[0]; i < rows[1]; i++) {
    const start = picture.startNs[i] ?? 0;
    const end = picture.endNs[i] ?? 0;
    const state = picture.state[i] ?? 0;
    const unknownEnd = picture.open[i] === 1 && state <= STATE.ended;
    let right = Math.min(width, xOf(scene, Math.min(end, scene.span.to + 1)));
    const left = xOf(scene, start);
    if (unknownEnd) {
      const next = i + 1 < rows[1] ? xOf(scene, picture.startNs[i + 1] ?? start) - 2 : left + 8;
      right = Math.min(width, Math.max(left + 3, Math.min(next, left + 140)));
    }
    if (right < gutter || left > width) continue;
    const x = Math.max(gutter, left);
    const w = Math.max(right - x, Math.min(1.5, width - x));
    const label = at.labels && w >= NUMBER_FROM_PX && x >= free ? labelOf(picture, i, w) : '';
    if (label !== '') free = x + Math.min(w, LABEL_FROM_PX);
    batch.add(state, { x, y: at.y, w, h: at.h, label }, unknownEnd && left >= gutter);
  }
}

function labelOf(picture: SlicePicture, i: number, w: number): string {
  const count = picture.count[i] ?? 1;
  if (count > 1) return w >= LABEL_FROM_PX ? `${count} calls` : '';
  const seq = picture.seq[i] ?? -1;
  const number = seq < 0 ? '' : `#${seq}`;
  if (w < LABEL_FROM_PX) return number;
  const op = picture.texts[picture.op[i] ?? -1] ?? '';
  return number === '' ? op : `${op} ${number}`;
}

function drawState(
  on: CanvasRenderingContext2D,
  palette: Palette,
  patterns: Patterns,
  state: number,
  boxes: readonly Box[],
): void {
  if (state === STATE.waiting) drawWaiting(on, palette, patterns, boxes);
  else if (state === STATE.enqueued) drawOutlined(on, palette, boxes, palette.collEnqueued, false);
  else if (state === STATE.neverEnqueued) drawOutlined(on, palette, boxes, palette.collNotEnqueued, true);
  else if (state === STATE.differs || state === STATE.failed)
    drawOutlined(on, palette, boxes, palette.collFailed, false);
  else if (state === STATE.first) drawSolid(on, boxes, palette.roleFirst, palette.onRoleFirst, palette.font11Medium);
  else if (state === STATE.ended) drawSolid(on, boxes, palette.seriesOther, palette.onCollCompleted, palette.font11);
  else drawSolid(on, boxes, palette.collCompleted, palette.onCollCompleted, palette.font11);
}

function drawSolid(
  on: CanvasRenderingContext2D,
  boxes: readonly Box[],
  fill: string,
  text: string,
  font: string,
): void {
  on.fillStyle = fill;
  on.beginPath();
  for (const { x, y, w, h } of boxes) {
    if (w < 5 || h < 8) on.rect(x, y, w, h);
    else on.roundRect(x, y, w, h, 2);
  }
  on.fill();
  on.fillStyle = text;
  on.font = font;
  for (const box of boxes) drawLabel(on, box, 5);
}

function drawWaiting(on: CanvasRenderingContext2D, palette: Palette, patterns: Patterns, boxes: readonly Box[]): void {
  const small = boxes.every((box) => box.h < 10);
  on.fillStyle = small ? palette.collRunningBody : palette.roleVictimTint;
  for (const { x, y, w, h } of boxes) on.fillRect(x, y, w, h);
  if (small) {
    on.fillStyle = palette.roleVictim;
    for (const { x, y, h } of boxes) on.fillRect(x, y, 1.5, h);
    return;
  }
  on.fillStyle = patterns.waiting;
  for (const { x, y, w, h } of boxes) on.fillRect(x, y, w, h);
  on.fillStyle = palette.collRunning;
  for (const { x, y, w, h } of boxes) {
    on.fillRect(x, y, w, 1);
    on.fillRect(x, y + h - 1, w, 1);
  }
  on.font = palette.font11;
  for (const box of boxes) {
    if (box.label === '') continue;
    // The look puts the name into the wall, away from the mark at its front.
    const room = box.w > 130 ? 26 : 8;
    const width = on.measureText(box.label).width;
    if (width + room + 6 > box.w) continue;
    on.fillStyle = palette.roleVictimTint;
    on.fillRect(box.x + room - 5, box.y + 1, width + 10, box.h - 2);
    on.fillStyle = palette.roleVictim;
    on.fillText(box.label, box.x + room, box.y + box.h / 2 + 4 * palette.scale);
  }
}

function drawOutlined(
  on: CanvasRenderingContext2D,
  palette: Palette,
  boxes: readonly Box[],
  colour: string,
  dashed: boolean,
): void {
  on.strokeStyle = colour;
  on.lineWidth = 1;
  on.setLineDash(dashed ? [3, 2] : []);
  on.beginPath();
  for (const { x, y, w, h } of boxes) on.rect(x + 0.5, y + 0.5, Math.max(1, w - 1), Math.max(1, h - 1));
  on.stroke();
  on.setLineDash([]);
  on.fillStyle = colour;
  on.font = palette.font11;
  for (const box of boxes) drawLabel(on, box, 6);
}

/** A call whose end no record holds: a solid start, and an outline that stays open to the right. */
function drawOpenEnds(on: CanvasRenderingContext2D, palette: Palette, boxes: readonly Box[]): void {
  on.fillStyle = palette.collCompleted;
  for (const { x, y, w, h } of boxes) {
    on.fillRect(x, y, Math.min(3, w), h);
    if (w < 6 || h < 8) continue;
    on.fillRect(x, y, w, 1);
    on.fillRect(x, y + h - 1, w, 1);
  }
  on.fillStyle = palette.text2;
  on.font = palette.font11;
  for (const box of boxes) drawLabel(on, box, 8);
}

function drawLabel(on: CanvasRenderingContext2D, { x, y, w, h, label }: Box, inset: number): void {
  if (label === '' || h < 12) return;
  const width = on.measureText(label).width;
  if (width + inset + 3 > w) {
    const short = label.slice(label.lastIndexOf('#'));
    if (!label.includes('#') || on.measureText(short).width + inset + 3 > w) return;
    on.fillText(short, x + inset, y + h / 2 + h / 4);
    return;
  }
  on.fillText(label, x + inset, y + h / 2 + h / 4);
}
