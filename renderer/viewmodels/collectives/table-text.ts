/** A table as text with tabs, as it stands on the screen. */
import type { RankSetColumn, SetCells, TableRow } from '#shared/views/collectives/answers.ts';
import type { CallContent } from '#shared/views/collectives/types.ts';
import { cellPhrase, rowCells } from './cells.ts';
import type { SetHead } from './sets.ts';

export interface TableTextInput {
  readonly title: string;
  readonly heads: readonly SetHead[];
  readonly sets: readonly RankSetColumn[];
  readonly sections: readonly {
    readonly title: string;
    readonly rows: readonly TableRow[];
    readonly cells: readonly SetCells[];
    readonly focus: number;
  }[];
  readonly contents: readonly CallContent[];
}

export function tableText({ title, heads, sets, sections, contents }: TableTextInput): string {
  const lines = [
    title,
    ...heads.map((head) => head.whole),
    '',
    ['call', ...heads.map((head) => head.letter)].join('\t'),
  ];
  for (const section of sections) {
    if (section.title !== '') lines.push(section.title);
    section.rows.forEach((line, row) => {
      const cells = rowCells({ row, line, sets, cells: section.cells, contents, focus: row === section.focus });
      lines.push([rowLabel(line), ...cells.map(cellPhrase)].join('\t'));
    });
  }
  return lines.join('\n');
}

/** `4812`, `4812·2` in a coalesced launch, `0→1 4806` for a transfer, `+238` for folded calls. */
export function rowLabel(line: TableRow): string {
  if (line.folded > 1) return `+${line.folded}`;
  if (line.pair !== undefined) return `${line.pair.from}→${line.pair.to} ${line.seq}`;
  return line.parts > 1 ? `${line.seq}·${line.part + 1}` : String(line.seq);
}
