/** What lies under a point of the map, and which cell is next in a direction. Pure geometry over the layout. */
import type { MapCell, MapLayout } from '../../viewmodels/ranks/layout.ts';

export interface MapHit {
  /** Index into the rows; -1 = no cell. */
  readonly row: number;
  /** Rows of the line or column whose head was hit; empty = none. */
  readonly members: readonly number[];
  readonly clientX: number;
  readonly clientY: number;
}

const NOTHING = { row: -1, members: [], clientX: 0, clientY: 0 } as const;

export function cellAt(
  { cells, lines, columns, blocks, pitch, pitchX, size, sizeX, gutter }: MapLayout,
  x: number,
  y: number,
): MapHit {
  const [gap, gapX] = [(pitch - size) / 2, (pitchX - sizeX) / 2];
  const cell = cells.find(
    (one) => x >= one.x - gapX && x < one.x + sizeX + gapX && y >= one.y - gap && y < one.y + size + gap,
  );
  if (cell !== undefined) return { ...NOTHING, row: cell.row };
  const line = lines.find((one) => x >= one.x && x < one.x + gutter && y >= one.y - gap && y < one.y + size + gap);
  if (line !== undefined) return { ...NOTHING, members: line.members };
  const column = columns.find((one) => x >= one.x && x < one.x + sizeX && y >= one.y && y < one.y + 16);
  if (column !== undefined) return { ...NOTHING, members: column.members };
  const block = blocks.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + 18);
  return block === undefined ? NOTHING : { ...NOTHING, members: block.members };
}

/** Rows whose cells touch a rectangle. */
export function rowsIn(
  { cells, size, sizeX }: MapLayout,
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): readonly number[] {
  return cells
    .filter(
      (cell) =>
        cell.x < area.x + area.width &&
        cell.x + sizeX > area.x &&
        cell.y < area.y + area.height &&
        cell.y + size > area.y,
    )
    .map((cell) => cell.row);
}

/** The nearest cell straight in a direction; where there is none, the cell itself. */
export function nextCell(layout: MapLayout, row: number, [dx, dy]: readonly [number, number]): number {
  const from = layout.cellOf[row];
  if (from === undefined) return row;
  let best: MapCell | undefined;
  for (const cell of layout.cells) {
    const ahead = (cell.x - from.x) * dx + (cell.y - from.y) * dy;
    const aside = Math.abs((cell.x - from.x) * dy) + Math.abs((cell.y - from.y) * dx);
    if (ahead <= 0 || aside >= (dx === 0 ? layout.pitchX : layout.pitch) / 2) continue;
    const known = best === undefined ? Number.POSITIVE_INFINITY : (best.x - from.x) * dx + (best.y - from.y) * dy;
    if (ahead < known) best = cell;
  }
  return best?.row ?? row;
}
