/** Ranks × calls of one group as one byte a cell, for the picture of a group. O(members × columns). */
import { MATRIX_DEVIATES, type MatrixAnswer } from './answers.ts';
import { CellReader } from './cells.ts';
import type { CollectiveGroup, CollectivesView } from './types.ts';

/** Cells of one answer. */
const MAX_MATRIX_CELLS = 12_000_000;

export function matrixOf(
  view: CollectivesView,
  group: CollectiveGroup,
  asked: { readonly from: number; readonly columns: number },
): MatrixAnswer {
  const { seq } = group.rows;
  const most = Math.max(1, Math.floor(MAX_MATRIX_CELLS / Math.max(1, group.members.length)));
  const from = Math.min(asked.from, Math.max(0, seq.length - 1));
  const seqs = seq.slice(from, from + Math.min(asked.columns, most));
  const reader = new CellReader(group, view.pool);
  const cells = new Uint8Array(group.members.length * seqs.length);
  for (let column = 0; column < seqs.length; column++) {
    const call = seqs[column] ?? 0;
    const differs = (group.rows.differs[from + column] ?? 0) !== 0;
    const votes = new Map<number, number>();
    for (let member = 0; member < group.members.length; member++) {
      const record = reader.record(member, call, 0);
      cells[member * seqs.length + column] = reader.state(member, call, record);
      if (!differs || record < 0) continue;
      const content = reader.content(record);
      votes.set(content, (votes.get(content) ?? 0) + 1);
    }
    if (votes.size < 2) continue;
    const total = [...votes.values()].reduce((sum, count) => sum + count, 0);
    const [expected] = [...votes].find(([, count]) => count * 2 > total) ?? [-1];
    for (let member = 0; member < group.members.length; member++) {
      const record = reader.record(member, call, 0);
      const at = member * seqs.length + column;
      if (record >= 0 && reader.content(record) !== expected) cells[at] = (cells[at] ?? 0) + MATRIX_DEVIATES;
    }
  }
  return { group: group.id, ranks: group.members, seqs, totalColumns: seq.length, from, cells };
}
