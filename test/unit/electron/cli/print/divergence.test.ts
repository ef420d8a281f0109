import { describe, expect, it } from 'vitest';
import type { CollectivesFact, MemberState } from '#shared/model/facts.ts';
import { buildCollectives } from '#shared/report/collective-rows.ts';
import type { Report } from '#shared/report/schema.ts';
import { divergenceLines } from '../../../../../electron/cli/print/divergence-table.ts';
import { printExplanation } from '../../../../../electron/cli/print/explanation.ts';
import { createPaint } from '../../../../../electron/cli/print/paint.ts';
import { textWidth } from '../../../../../electron/cli/print/text-layout.ts';
import { call, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';

const at = (width: number, unicode = true) => ({ width, unicode, paint: createPaint(false) });

/** A group of `size` ranks in which `late` never came to call 7, as facts: no file is needed. */
function factOf(size: number, late: readonly number[]): CollectivesFact {
  const ranks = Array.from({ length: size }, (_, rank) => rank);
  const others = ranks.filter((rank) => !late.includes(rank));
  const source = { kind: 'entry', entry: 0 as never } as const;
  const cell = (state: 'completed' | 'waiting' | 'never-enqueued', deviates: boolean, one: number | undefined) => ({
    state,
    call: one,
    deviates,
  });
  const member = (rank: number): MemberState => ({
    rank,
    basis: 'dump-status',
    lastEnqueued: late.includes(rank) ? 6 : 7,
    lastCompleted: 6,
    oldestSeq: 1,
    newestSeq: late.includes(rank) ? 6 : 7,
    waitsIn: undefined,
    newest: undefined,
    source,
  });
  const divergence = {
    group: '0',
    seq: 7,
    kind: 'missing',
    ranks: late,
    sides: [],
    expected: 'all_reduce',
    actual: 'never enqueued',
    agreeing: others,
    calls: [],
    basis: 'dump',
    why: 'late',
  } as const;
  return {
    groups: [
      {
        id: '0',
        name: '0',
        desc: 'default_pg',
        ranks,
        membersKnown: true,
        p2p: false,
        backend: 'nccl',
        members: ranks.map(member),
        withoutDump: [],
        window: { from: 1, to: 6 },
        divergence,
      },
    ],
    waits: others.map((rank) => ({ rank, group: '0', seq: 7, for: late })),
    roots: late.map((rank) => ({
      rank,
      why: 'others wait for it',
      evidence: [],
      hasDump: true,
      how: 'behind' as const,
    })),
    cycle: [],
    first: divergence,
    dumpsPresent: ranks,
    dumpsExpected: ranks,
    onlyActive: false,
    allJoined: undefined,
    table: {
      group: '0',
      seq: 7,
      rows: [6, 7],
      columns: [
        {
          ranks: late,
          deviates: true,
          held: { from: 1, to: 6 },
          cells: [cell('completed', false, 0), cell('never-enqueued', true, undefined)],
        },
        {
          ranks: others,
          deviates: false,
          held: { from: 1, to: 7 },
          cells: [cell('completed', false, 0), cell('waiting', false, 0)],
        },
      ],
      moreRanks: 0,
      calls: ['all_reduce [[4]] Float'],
    },
  };
}

const base = analyseFiles(new Map()).report;
const reportOf = (fact: CollectivesFact): Report => ({ ...base, collectives: buildCollectives(fact) });

describe('the table in the terminal', () => {
  it('looks like this', () => {
    expect(divergenceLines(reportOf(factOf(8, [5])), at(80))).toEqual([
      '  group 0 (default_pg), call #7',
      '  ranks  5                           0–4, 6, 7',
      '         (1 rank)                    (7 ranks)',
      '  #6     ✓ completed A               ✓ completed A',
      '▶ #7     ✗ never enqueued ◂          ◔ waiting A',
      '  held   #1 to #6                    #1 to #7',
      '  A  all_reduce [[4]] Float',
    ]);
    expect(divergenceLines(reportOf(factOf(8, [5])), at(80, false))[4]).toBe(
      '> #7     x never enqueued <          ~ waiting A',
    );
  });

  it.each([80, 100, 120])('4,096 ranks fit %i columns and a screen, also when the sets are ragged', (width) => {
    const late = Array.from({ length: 1000 }, (_, i) => i * 4 + (i % 3));
    const report = reportOf(factOf(4096, late));
    const lines = divergenceLines(report, at(width));
    expect(lines.length).toBeLessThan(15);
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).toMatch(/\(1.000 ranks\)/);
    const told = printExplanation(report, at(width)).split('\n');
    expect(told.length).toBeLessThan(80);
    expect(Math.max(...told.map(textWidth))).toBeLessThanOrEqual(width);
  });

  it('cannot be made to send control characters', () => {
    const fact = factOf(4, [1]);
    const [group] = fact.groups;
    const hostile = '\u001b[2Jall_reduce';
    const table = fact.table === undefined ? undefined : { ...fact.table, calls: [hostile] };
    const report = reportOf({
      ...fact,
      groups: group === undefined ? [] : [{ ...group, desc: hostile }],
      ...(table === undefined ? {} : { table }),
    });
    expect(
      /[\u0000-\u0009\u000b-\u001f]/.test(
        divergenceLines(report, at(80)).join('\n') + printExplanation(report, at(80)),
      ),
    ).toBe(false);
  });

  it('is left out of reports without one', () => {
    expect(divergenceLines(base, at(80))).toEqual([]);
  });
});

describe('--explain', () => {
  const explain = (job: Parameters<typeof simulate>[0], without: readonly number[] = []): string => {
    const files = dumpFiles(simulate(job), {}, without);
    return printExplanation(analyseFiles(new Map(files.map((file) => [file.path, file.bytes]))).report, at(120));
  };
  const lead = times(5, call('all_reduce', 4));

  it.each([
    ['op', [call('barrier')], 'COLLECTIVE_TYPE_MISMATCH at #6', 'another operation than the majority'],
    ['size', [call('all_reduce', 5)], 'SIZE_OR_SYNTAX_MISMATCH at #6', 'other sizes than the majority'],
    [
      'dtype',
      [call('all_reduce', 4, { dtype: 'Half' })],
      'COLLECTIVE_DTYPE_MISMATCH at #6',
      'another type than the majority',
    ],
    ['missing', ['stall'], 'no such word', 'never enqueued the call in which other members wait'],
  ] as const)('%s: official word, ranks and rule', (_kind, step, word, rule) => {
    const job = sameProgram(4, [...lead, ...times(4, call('all_reduce', 4))]);
    job.programs[2] = [...lead, ...step];
    const text = explain(job);
    expect(text).toContain(word);
    expect(text).toMatch(new RegExp(`behind 2: #6: ${rule}`));
    expect(text).toContain('window #1 to #');
    expect(text).toContain('all waiting leads to rank 2');
  });

  it('state: a call that peers left behind long ago', () => {
    const run = simulate(sameProgram(4, times(9, call('all_reduce', 4))));
    for (const record of run.ranks[2]?.records.slice(5) ?? []) record.completed = undefined;
    const files = dumpFiles(run);
    const { report } = analyseFiles(new Map(files.map((file) => [file.path, file.bytes])));
    const text = printExplanation(report, at(120));
    expect(text).toContain('COLLECTIVE_STATE_MISMATCH at #6');
    expect(text).toMatch(/behind 2: #6: enqueued and not completed/);
  });

  it('healthy groups take one line each and say FULLY_MATCHED', () => {
    const lines = explain(sameProgram(4, lead)).split('\n');
    expect(lines.filter((line) => line.includes('FULLY_MATCHED'))).toHaveLength(1);
    expect(lines.join('\n')).toContain('no divergence in what could be compared');
  });

  it('names the rule for a rank without a dump', () => {
    const job = sameProgram(3, times(8, call('all_reduce', 4)));
    job.programs[2]?.splice(6, 99, 'stall');
    expect(explain(job, [2])).toContain('behind 2: left no dump, while every member with one stands in the call');
  });

  it('waits are folded', () => {
    expect(printExplanation(reportOf(factOf(4096, [77])), at(120))).toContain(
      '    0–76, 78–4095 in #7 of group 0, for 77\n',
    );
  });
});
