import { describe, expect, it } from 'vitest';
import { CELL_STATES, type CellState } from '#shared/model/divergence-table.ts';
import type { CallAnswer, RankSetColumn, SetCells, TableRow } from '#shared/views/collectives/answers.ts';
import { CELL_DEVIATES, CELL_MIXED, NO_PART } from '#shared/views/collectives/answers.ts';
import { groupTable } from '#shared/views/collectives/group-table.ts';
import { jobTable } from '#shared/views/collectives/job-table.ts';
import { matrixOf } from '#shared/views/collectives/matrix.ts';
import type { CallContent } from '#shared/views/collectives/types.ts';
import { bannersOf } from '../../../../../renderer/viewmodels/collectives/banners.ts';
import { dtypeText, opText, sizeText } from '../../../../../renderer/viewmodels/collectives/call-text.ts';
import {
  columnQuality,
  longestText,
  orderOfRaw,
  qualityOf,
  timeAt,
} from '../../../../../renderer/viewmodels/collectives/call-times.ts';
import { cellPhrase, rowCells } from '../../../../../renderer/viewmodels/collectives/cells.ts';
import { chainModel } from '../../../../../renderer/viewmodels/collectives/chain.ts';
import { detailModel, detailText } from '../../../../../renderer/viewmodels/collectives/detail.ts';
import { groupName } from '../../../../../renderer/viewmodels/collectives/groups.ts';
import { groupItems, jobItems, withHorizons } from '../../../../../renderer/viewmodels/collectives/items.ts';
import { cellSize, matrixPixels, parseColour } from '../../../../../renderer/viewmodels/collectives/matrix.ts';
import { setHeads } from '../../../../../renderer/viewmodels/collectives/sets.ts';
import { stepsModel } from '../../../../../renderer/viewmodels/collectives/steps.ts';
import { rowLabel, tableText } from '../../../../../renderer/viewmodels/collectives/table-text.ts';
import { groupOf, viewDumpFiles } from '../../../../support/collectives-view.ts';
import { call, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';

const content = (op: string, more: Partial<CallContent> = {}): CallContent => ({
  op,
  inputs: '[[25557032]]',
  outputs: '[[25557032]]',
  dtypes: 'BFloat16',
  sizeId: 0,
  dtypeId: 0,
  varies: false,
  ...more,
});
const set = (ranks: number[], look: RankSetColumn['look'], more: Partial<RankSetColumn> = {}): RankSetColumn => ({
  ranks: Int32Array.from(ranks),
  look,
  rank: ranks[0] ?? -1,
  node: undefined,
  pod: undefined,
  gpu: undefined,
  dumps: [],
  horizon: undefined,
  newest: undefined,
  byLog: false,
  split: false,
  ...more,
});
const cell = (state: CellState | null, id = -1, flags = 0, count = 1, part = count): SetCells => ({
  state: Uint8Array.of(state === null ? NO_PART : CELL_STATES.indexOf(state)),
  content: Int32Array.of(id),
  flags: Uint8Array.of(flags),
  count: Int32Array.of(count),
  part: Int32Array.of(part),
});
const line: TableRow = {
  seq: 4812,
  part: 0,
  parts: 1,
  pair: undefined,
  differs: 'none',
  firstNs: 5,
  firstRank: 0,
  firstClock: 0,
  longestMs: Number.NaN,
  folded: 1,
};

describe('texts of calls', () => {
  it('writes elements and type shortly', () => {
    expect(sizeText(content('x'))).toBe('25\u2009557\u2009032 bf16');
    expect(sizeText(content('x', { inputs: '[]', outputs: '[[2,3],[4]]', dtypes: 'Float' }))).toBe(
      '10 in 2 tensors fp32',
    );
    expect(sizeText(content('x', { inputs: '', outputs: '' }))).toBe('');
    expect(sizeText(content('x', { inputs: '[[1],[2],[3…' }))).toBe('many tensors bf16');
    expect(sizeText(content('x', { varies: true }))).toMatch(/sizes vary/);
    expect(dtypeText('Float,Float,Long')).toBe('fp32, int64');
  });

  it('shows what is hidden in names', () => {
    expect(opText(content('a\u202eb'))).toBe('a\\u202eb');
    expect(groupName('\u001b[31mx', undefined, '')).toBe('\\x1b[31mx');
    expect(groupName('__proto__', undefined, '')).toBe('__proto__');
    expect(opText(content('o'.repeat(9999))).length).toBeLessThan(64);
  });

  it('names a bare number with its kind', () => {
    const tp = { name: 'tp', basis: 'description', groups: 2, size: 8, p2p: false } as const;
    expect(groupName('41', tp, 'X')).toBe('tp 41');
    expect(groupName('tp_4', tp, '')).toBe('tp_4');
    expect(groupName('0', { ...tp, name: 'default', basis: 'default' }, 'undefined')).toBe('default_pg');
  });
});

describe('cells', () => {
  const sets = [set([0, 1], 'waits'), set([14], 'waits'), set([11], 'first'), set([6], 'silent')];
  const contents = [content('all_reduce'), content('broadcast', { sizeId: 1 })];
  const row = (cells: SetCells[], focus = true) => rowCells({ row: 0, line, sets, cells, contents, focus });

  it('says the call once, then same, and tells the one that differs', () => {
    const cells = row([
      cell('waiting', 0, 0, 2),
      cell('waiting', 0),
      cell('waiting', 1, CELL_DEVIATES),
      cell('no-dump'),
    ]);
    expect(cells.map((one) => `${one.glyph} ${one.form} ${one.op}`)).toEqual([
      'waiting waits all_reduce',
      'waiting waits same',
      'differs first broadcast',
      'missing missing ',
    ]);
    expect(cells.map(cellPhrase)).toEqual([
      'all_reduce 25\u2009557\u2009032 bf16, waiting',
      'same waiting',
      'broadcast 25\u2009557\u2009032 bf16, waiting',
      'no dump',
    ]);
  });

  it('is loud about a call never enqueued only in the row where ranks part', () => {
    const never = [cell('waiting', 0, 0, 2), cell('waiting', 0), cell('never-enqueued'), cell('no-dump')];
    expect(row(never)[2]).toMatchObject({ glyph: 'never', form: 'first', op: 'never enqueued' });
    expect(row(never, false)[2]).toMatchObject({ glyph: 'dot', form: 'quiet', note: 'not enqueued' });
  });

  it('says how many of a set are meant where they differ, and when a set has no part', () => {
    const cells = row([cell('waiting', 0, CELL_MIXED, 8, 24), cell(null), cell('not-held'), cell('unknown')], false);
    expect(cells[0]?.note).toMatch(/8 of 24/);
    expect(cells.slice(1).map(cellPhrase)).toEqual(['no part', 'overwritten', 'cannot be told']);
  });
});

describe('heads of sets', () => {
  it('put the named rank into its chip, and say what became of the dumps of silent ones', () => {
    const heads = setHeads(
      [
        set([0, 1, 2, 3], 'waits'),
        set([11], 'first', { pod: 'vit-large-1', gpu: '3 (0000:9d:00.0)' }),
        set([6, 13], 'silent', {
          dumps: [
            { state: 'absent', ranks: 1 },
            { state: 'empty', ranks: 1 },
          ],
        }),
        set([9], 'waits', { byLog: true }),
      ],
      [],
    );
    expect(heads.map((head) => [head.title, head.chip?.label, head.sub])).toEqual([
      ['A, 4 ranks', 'wait', '0–3'],
      ['B', 'rank 11', 'vit-large-1, GPU 3'],
      ['C, 2 ranks', undefined, '6, 13: 1 no file, 1 0 bytes or no entries'],
      ['D, rank 9', 'waits', 'from log lines'],
    ]);
    expect(heads.map((head) => head.canSplit)).toEqual([true, false, true, false]);
  });
});

describe('times', () => {
  const clocks = [
    { id: 'a', offsetMs: 0, boundMs: 0 },
    { id: 'b', offsetMs: 1000, boundMs: 38 },
    { id: 'c', offsetMs: undefined, boundMs: undefined },
  ];
  it('never order two clocks beyond their bounds', () => {
    const at = (ms: number, clock: number) => ({ ns: ms * 1e6, clock });
    expect(orderOfRaw(at(0, 0), at(1, 0), clocks)).toEqual({ word: 'certain', text: '1 ms later' });
    expect(orderOfRaw(at(0, 0), at(1030, 1), clocks)).toMatchObject({
      word: 'undecided',
      text: 'order not determined (gap 30 ms, bound 38 ms)',
    });
    expect(orderOfRaw(at(0, 0), at(1039, 1), clocks)).toEqual({ word: 'certain', text: '39 ms later' });
    expect(orderOfRaw(at(0, 0), at(9999, 2), clocks).word).toBe('undecided');
    expect(orderOfRaw(at(0, -1), at(0, -1), clocks).word).toBe('undecided');
  });

  it('carry their bound or the word raw', () => {
    expect(qualityOf(clocks[1], 'corrected')).toBe('±38 ms');
    expect(qualityOf(clocks[1], 'raw')).toBe('raw');
    expect(qualityOf(clocks[2], 'corrected')).toBe('raw, clock not known');
    expect(columnQuality(0, 38, 'corrected')).toBe('corrected, ±38 ms');
    expect(columnQuality(3, undefined, 'corrected')).toBe('raw, clocks not known');
    expect(timeAt('1771410505456000000', 1e6)).toBe('10:28:25.457');
    expect(timeAt('0', Number.NaN)).toBe('');
    expect([
      longestText(0.42, true, true),
      longestText(288.2, true, false),
      longestText(Number.NaN, true, true),
      longestText(Number.NaN, true, false),
      longestText(Number.NaN, false, false),
    ]).toEqual(['0.4 ms', '288 ms', 'not done', 'no end time', '']);
  });
});

describe('a real answer on the screen', () => {
  const job = sameProgram(4, times(30, call('all_reduce', 64)));
  job.programs[2]?.splice(25, 1, call('all_gather', 8));
  const { view } = viewDumpFiles(dumpFiles(simulate(job)));
  const asked = { mode: 'around', hideEqual: false, seq: null, from: 0, rows: 500, split: [] } as const;
  const answer = groupTable(view, groupOf(view, '0'), asked);

  it('frames the row in which ranks part, with the named one in it', () => {
    const items = groupItems(answer, 'corrected');
    const focus = items.filter((item) => item.focus !== undefined);
    expect(focus.map((item) => [item.label, item.focus])).toEqual([['26', 'named']]);
    expect(items.find((item) => item.label === '25')?.longest).toMatch(/ms$/);
    expect(focus[0]?.longest).toBe('not done');
  });

  it('tells of the whole job in words', () => {
    const whole = jobTable(view, []);
    const chain = chainModel(whole);
    expect(chain.chain.map((row) => [row.glyph, row.title, row.count, row.sub])).toEqual([
      ['first', 'default_pg', '3 of 4 wait', 'for rank 2'],
    ]);
    expect(chain.why[0]).toMatchObject({ ranks: 'Rank 2', text: 'made another call than the majority' });
    const steps = stepsModel(whole, 'corrected');
    expect(steps.steps.map((step) => `${step.title}: ${step.what}`)).toEqual([
      'rank 2: calls something else at default_pg #26',
      '3 ranks: wait in default_pg all_reduce #26',
    ]);
    expect(steps.steps[0]?.first).toBe(true);
    expect(jobItems(whole, 'raw').filter((item) => item.kind === 'section')).toHaveLength(1);
    expect(bannersOf(whole)).toEqual([]);
    expect(bannersOf({ ...whole, story: { ...whole.story, dumpsPresent: 1 } })[0]).toMatch(/nothing to compare/);
  });

  it('copies as text what it shows', () => {
    const text = tableText({
      title: 'default_pg',
      heads: setHeads(answer.sets, answer.cells),
      sets: answer.sets,
      sections: [{ title: '', rows: answer.rows, cells: answer.cells, focus: answer.focus }],
      contents: answer.contents,
    });
    expect(text).toMatch(/^26\tall_reduce 64 fp32, waiting\tall_gather 8 fp32, waiting$/m);
    expect(rowLabel({ ...line, pair: { from: 0, to: 1, own: false } })).toBe('0→1 4812');
    expect(rowLabel({ ...line, folded: 238 })).toBe('+238');
  });

  it('draws red only what the named rank holds up', () => {
    const matrix = matrixOf(view, groupOf(view, '0'), { from: 0, columns: 100 });
    const colours = {
      of: (token: string) => (token === '--role-first' ? ([255, 0, 0] as const) : ([1, 2, 3] as const)),
    };
    const pixels = matrixPixels(matrix, new Set([2]), colours);
    const red: number[] = [];
    for (let at = 0; at < matrix.cells.length; at++) if (pixels[at * 4] === 255) red.push(at);
    expect(red).toEqual([2 * matrix.seqs.length + 25]);
    expect(parseColour(' #0d0f12')).toEqual([13, 15, 18]);
    expect(cellSize(1000, 500, 2000, 512)).toEqual({ x: 1, y: 1 });
    expect(cellSize(1000, 500, 20, 16)).toEqual({ x: 14, y: 14 });
  });

  it('draws the horizon of a shorter recorder between its lost and its kept calls', () => {
    const short = {
      ...answer,
      cells: answer.cells.map((cells, i) => ({
        ...cells,
        state: cells.state.map((state, row) => (i === 1 && row < 3 ? CELL_STATES.indexOf('not-held') : state)),
      })),
    };
    const items = withHorizons(short, groupItems(short, 'raw'));
    expect(items[3]).toMatchObject({ kind: 'horizon', sets: [1] });
    expect(items[3]?.kind === 'horizon' && items[3].text).toMatch(/rank 2: calls above were overwritten, not missing/);
  });
});

describe('the detail', () => {
  const frame = (name: string) => ({ file: '/opt/lib/site-packages/torch/x.py', line: 3, name });
  const answer: CallAnswer = {
    group: '0',
    seq: 7,
    originNs: '0',
    clocks: [],
    sides: [
      {
        rank: 0,
        state: 'waiting',
        entry: 1,
        path: 'a',
        record: 6,
        line: undefined,
        clock: -1,
        found: true,
        frames: [frame('main'), frame('step')],
        moreFrames: 0,
      },
      {
        rank: 3,
        state: 'waiting',
        entry: 2,
        path: 'b\u0007',
        record: 6,
        line: undefined,
        clock: -1,
        found: true,
        frames: [frame('main'), frame('save')],
        moreFrames: 0,
      },
    ],
    fields: [
      { name: 'op', values: ['all_reduce', 'broadcast'], differs: true },
      { name: 'timeout', values: ['10 m', '10 m'], differs: false },
    ],
    firstDifference: 1,
    divergence: 'op',
  };
  it('marks the first frame that differs, keeps the lesser fields below, hides what is equal on request', () => {
    expect(detailModel(answer, 'raw', false).rows.map((row) => [row.key, row.mark])).toEqual([
      ['op', 'differs'],
      ['frame 0', 'same'],
      ['frame 1', 'first'],
      ['timeout', 'same'],
    ]);
    const hidden = detailModel(answer, 'raw', true);
    expect(hidden.rows.map((row) => row.key)).toEqual(['op', 'frame 1']);
    expect(hidden.hidden).toBe(2);
    expect(hidden.rows[1]?.values[0]?.text).toBe('torch/x.py:3 step');
    expect(detailText(answer, hidden, 'Call #7')).toMatch(/raw\ta record 6\tb\\x07 record 6/);
  });
});
