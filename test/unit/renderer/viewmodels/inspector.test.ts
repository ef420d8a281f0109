import { describe, expect, it } from 'vitest';
import type { Report } from '#shared/report/schema.ts';
import { attemptRow } from '../../../../renderer/viewmodels/attempt-rows.ts';
import { callInspector, rankInspector } from '../../../../renderer/viewmodels/inspector.ts';
import { namedReport } from '../../../e2e/support/named-report.ts';

/** The report with these statements about rank 3 alone. */
function told(items: readonly { readonly text: string; readonly record: number | null }[]): Report {
  const base = namedReport();
  const [first] = base.verdict.because;
  if (first === undefined) throw new Error('the report has no evidence');
  const because = items.map((item) => ({ ...first, ...item, rank: 3, line: null, byte: null }));
  return { ...base, verdict: { ...base.verdict, because, against: [] }, findings: [] };
}

describe('what speaks of a call', () => {
  const report = told([
    { text: 'allreduce #48 began', record: 7 },
    { text: 'allreduce #4812 never ended', record: 1900 },
    { text: 'its last record', record: 12 },
  ]);
  const call = (seq: number) => ({ group: 'default_pg', seq, rank: 3 });
  const texts = (seq: number, record: number | null) =>
    callInspector(
      report,
      call(seq),
      record === null ? null : { record, total: 2000, fields: [], frames: [] },
    ).evidence.map(({ text }) => text);

  it('is what names its number, not one that begins alike', () => {
    expect(texts(48, null)).toEqual(['allreduce #48 began']);
    expect(texts(4812, null)).toEqual(['allreduce #4812 never ended']);
  });

  it('is also what rests on its record, and on no other', () => {
    expect(texts(4700, 12)).toEqual(['its last record']);
    expect(texts(4700, null)).toEqual([]);
  });
});

describe('a rank that was started again', () => {
  it('is shown as in the attempt that the verdict is about, as the map shows it; else as in the last one', () => {
    const base = namedReport();
    const [rank] = base.ranks;
    if (rank === undefined) throw new Error('the report has no rank');
    const rows = [0, 1, 2].map((attempt) => ({ ...rank, attempt, node: `node-${attempt}` }));
    const about = (attempt: number | null): Report => ({ ...base, ranks: rows, verdict: { ...base.verdict, attempt } });
    expect(attemptRow(about(1), rank.rank)?.node).toBe('node-1');
    expect(attemptRow(about(null), rank.rank)?.node).toBe('node-2');
    expect(attemptRow(about(7), rank.rank)?.node).toBe('node-2');
    expect(attemptRow(about(0), 4095)).toBeNull();
    const node = rankInspector(about(0), rank.rank).fields.find(({ name }) => name === 'Node');
    expect(node?.value).toBe('node-0');
  });
});
