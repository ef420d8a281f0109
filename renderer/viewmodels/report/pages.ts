/**
 * A document on pages: lists and tables are cut between rows, a heading stays with what follows it. Heights are estimated from the
 * length of the text, so a page on the screen may be a few lines longer than one on paper; nothing is left out by it.
 */
import type { Block, ReportDocument, SectionId } from '#shared/report/sections/types.ts';

export interface PagePart {
  readonly id: SectionId;
  /** Null where the section goes on from the page before. */
  readonly title: string | null;
  readonly blocks: readonly Block[];
}
export type Page = readonly PagePart[];

/** Lines of 16 px on a page of 680 × 960 px without its head and margins; the same on paper, where both are larger. */
const PAGE_LINES = 51;
const LINE_CHARS = 98;
/** A column is not made wider than this by one long cell. */
const MAX_COLUMN = 44;
const GAP_CHARS = 2;

export function pagesOf(document: ReportDocument): readonly Page[] {
  const pages: PagePart[][] = [[]];
  let left = PAGE_LINES;
  const turn = (): void => {
    pages.push([]);
    left = PAGE_LINES;
  };
  for (const { id, title, blocks } of document.sections) {
    let heading: string | null = title;
    for (const whole of keepHeads(blocks)) {
      let rest: readonly Block[] | null = whole;
      while (rest !== null) {
        const head = heading === null || id === 'verdict' ? 0 : 2.4;
        const { fits, over } = cutAt(rest, left - head);
        if (fits.length === 0 && left < PAGE_LINES) {
          turn();
          continue;
        }
        const taken = fits.length === 0 ? rest : fits;
        pages.at(-1)?.push({ id, title: heading, blocks: taken });
        left -= head + taken.reduce((sum, block) => sum + linesOf(block), 0);
        heading = null;
        rest = fits.length === 0 || over.length === 0 ? null : over;
        if (rest !== null) turn();
      }
    }
  }
  return pages.filter((page) => page.length > 0).map(joinParts);
}

/** A heading and the block after it are one piece. */
function keepHeads(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const out: Block[][] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (last?.at(-1)?.kind === 'heading') last.push(block);
    else out.push([block]);
  }
  return out;
}

/** As much of a piece as `room` lines hold; only its last block is ever cut. */
function cutAt(
  piece: readonly Block[],
  room: number,
): { readonly fits: readonly Block[]; readonly over: readonly Block[] } {
  const before = piece.slice(0, -1);
  const last = piece.at(-1);
  const used = before.reduce((sum, block) => sum + linesOf(block), 0);
  if (last === undefined) return { fits: [], over: [] };
  if (used + linesOf(last) <= room) return { fits: piece, over: [] };
  const count = rowsThatFit(last, room - used);
  if (count < 1) return { fits: [], over: piece };
  const [first, rest] = splitBlock(last, count);
  return { fits: [...before, first], over: rest === null ? [] : [rest] };
}

function rowsThatFit(block: Block, room: number): number {
  if (block.kind !== 'table' && block.kind !== 'list') return 0;
  let used = block.kind === 'table' ? 1.6 : 0.3;
  let count = 0;
  for (const height of block.kind === 'table' ? tableHeights(block) : block.items.map(itemLines)) {
    used += height;
    if (used > room) break;
    count += 1;
  }
  return count;
}

function splitBlock(block: Block, count: number): readonly [Block, Block | null] {
  if (block.kind === 'table' && count < block.rows.length) {
    const [first, rest] = [
      { ...block, rows: block.rows.slice(0, count) },
      { ...block, rows: block.rows.slice(count) },
    ];
    const known = tableHeights(block);
    heights.set(first, known.slice(0, count));
    heights.set(rest, known.slice(count));
    return [first, rest];
  }
  if (block.kind === 'list' && count < block.items.length)
    return [
      { ...block, items: block.items.slice(0, count) },
      { ...block, items: block.items.slice(count), start: (block.start ?? 1) + count },
    ];
  return [block, null];
}

const wrapped = (text: string, chars = LINE_CHARS): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / chars)), 0);

const itemLines = ({
  text,
  time,
  place,
}: {
  readonly text: string;
  readonly time: string | null;
  readonly place: string | null;
}): number => wrapped(`${text} ${time ?? ''} ${place ?? ''}`, LINE_CHARS - 4) + 0.25;

type TableBlock = Extract<Block, { kind: 'table' }>;

/** Characters that a line of each column holds: as a browser shares out the width, by what the columns want. */
function columnChars({ head, rows }: TableBlock): readonly number[] {
  const wants = head.map((name, i) =>
    Math.min(MAX_COLUMN, Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0))),
  );
  const total = wants.reduce((sum, want) => sum + want + GAP_CHARS, 0);
  return total <= LINE_CHARS
    ? wants.map(() => LINE_CHARS)
    : wants.map((want) => Math.max(6, Math.floor((want * LINE_CHARS) / total)));
}

const rowLines = (row: readonly string[], chars: readonly number[]): number =>
  Math.max(1, ...row.map((cell, i) => wrapped(cell, chars[i]))) + 0.45;

/** Of each table, and of what is left of it on the next pages: a list of a thousand files is measured once, not once a page. */
const heights = new WeakMap<TableBlock, readonly number[]>();

function tableHeights(block: TableBlock): readonly number[] {
  const known = heights.get(block);
  if (known !== undefined) return known;
  const chars = columnChars(block);
  const made = block.rows.map((row) => rowLines(row, chars));
  heights.set(block, made);
  return made;
}

function linesOf(block: Block): number {
  switch (block.kind) {
    case 'statement':
      return 2.2 + wrapped(`${block.ranks} ${block.text}`, 56) * 1.45;
    case 'facts':
      return block.rows.reduce((sum, [, value]) => sum + wrapped(value, 72), 0.8);
    case 'heading':
      return 1.8;
    case 'text':
      return wrapped(block.text) + 0.4;
    case 'list':
      return block.items.reduce((sum, item) => sum + itemLines(item), 0.3);
    case 'table':
      return tableHeights(block).reduce((sum, height) => sum + height, 1.6);
    case 'code':
      return (block.title === '' ? 0 : 1.8) + wrapped(block.text, 80) * 0.85 + 1;
    case 'figure':
      return block.figure.lanes.length * 1.1 + 2 + wrapped(block.figure.caption, 100);
  }
}

/** Parts of one section on one page are one part. */
function joinParts(parts: readonly PagePart[]): Page {
  const out: PagePart[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.id === part.id) out[out.length - 1] = { ...last, blocks: [...last.blocks, ...part.blocks] };
    else out.push(part);
  }
  return out;
}
