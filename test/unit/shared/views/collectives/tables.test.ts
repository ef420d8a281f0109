import { describe, expect, it } from 'vitest';
import { CELL_STATES } from '#shared/model/divergence-table.ts';
import type { GroupAnswer, JobAnswer, SetCells } from '#shared/views/collectives/answers.ts';
import { CELL_DEVIATES, MATRIX_DEVIATES, NO_PART } from '#shared/views/collectives/answers.ts';
import { type GroupQuestion, groupTable } from '#shared/views/collectives/group-table.ts';
import { jobTable } from '#shared/views/collectives/job-table.ts';
import { matrixOf } from '#shared/views/collectives/matrix.ts';
import { groupOf, viewDumpFiles } from '../../../../support/collectives-view.ts';
import {
  call,
  dumpFiles,
  type Job,
  recv,
  sameProgram,
  send,
  simulate,
  times,
} from '../../../../support/dump-builder.ts';

const AROUND: GroupQuestion = { mode: 'around', hideEqual: false, seq: null, from: 0, rows: 500, split: [] };
const ask = (job: Job, question: Partial<GroupQuestion> = {}, options = {}, without: number[] = []): GroupAnswer => {
  const { view } = viewDumpFiles(dumpFiles(simulate(job), options, without));
  return groupTable(view, groupOf(view, '0'), { ...AROUND, ...question });
};
const states = (cells: SetCells | undefined): string[] =>
  [...(cells?.state ?? [])].map((code) => (code === NO_PART ? '-' : (CELL_STATES[code] ?? '?')));
const sets = (answer: Pick<GroupAnswer, 'sets'>): string[] =>
  answer.sets.map((set) => `${set.look} ${[...set.ranks].join()}`);

const stalled = (calls = 60): Job => {
  const job = sameProgram(6, times(calls, call('all_reduce', 64)));
  job.programs[3]?.splice(calls - 5, Number.POSITIVE_INFINITY, 'stall');
  return job;
};

describe('one group as a table', () => {
  it('folds ranks that do the same, the named one apart, and centres the call in which they part', () => {
    const answer = ask(stalled());
    expect(sets(answer)).toEqual(['waits 0,1,2,4,5', 'first 3']);
    const row = answer.rows[answer.focus];
    expect(row?.seq).toBe(56);
    expect(row?.differs).toBe('missing');
    expect(answer.cells.map((cells) => states(cells)[answer.focus])).toEqual(['waiting', 'never-enqueued']);
    expect(answer.differences[0]).toMatchObject({ seq: 56, kind: 'missing', likelyConsequence: false });
    expect(Number.isNaN(row?.longestMs)).toBe(true);
    expect(answer.rows[answer.focus - 1]?.longestMs).toBeGreaterThan(0);
  });

  it('marks the deviating side, and both where neither has a majority', () => {
    const one = sameProgram(4, times(6, call('all_reduce', 8)));
    one.programs[2]?.splice(5, 1, call('all_gather', 8));
    const odd = ask(one);
    expect(odd.cells.map((cells) => (cells.flags[odd.focus] ?? 0) & CELL_DEVIATES)).toEqual([0, CELL_DEVIATES]);
    const two = sameProgram(4, times(6, call('all_reduce', 8)));
    for (const rank of [2, 3]) two.programs[rank]?.splice(5, 1, call('all_gather', 8));
    const split = ask(two);
    expect(split.cells.map((cells) => (cells.flags[split.focus] ?? 0) & CELL_DEVIATES)).toEqual([
      CELL_DEVIATES,
      CELL_DEVIATES,
    ]);
    expect(split.sets.every((set) => set.look !== 'first')).toBe(true);
  });

  it('tells overwritten from missing by the horizon of each recorder', () => {
    const job = stalled();
    const files = dumpFiles(simulate(job));
    const short = dumpFiles(simulate(job), { ring: 12 });
    const { view } = viewDumpFiles(files.map((file, rank) => (rank === 1 ? (short[1] ?? file) : file)));
    const answer = groupTable(view, groupOf(view, '0'), AROUND);
    expect(sets(answer)).toEqual(['waits 0,2,4,5', 'waits 1', 'first 3']);
    // Counters still tell that the lost calls had completed; without them they would be overwritten.
    expect(answer.sets[1]?.horizon).toEqual({ from: 47, to: 47 });
    const bare = dumpFiles(simulate(job), { status: false });
    const bareShort = dumpFiles(simulate(job), { ring: 12, status: false });
    const lost = viewDumpFiles(bare.map((file, rank) => (rank === 1 ? (bareShort[1] ?? file) : file))).view;
    const without = groupTable(lost, groupOf(lost, '0'), { ...AROUND, seq: 48 });
    const index = without.sets.findIndex((set) => set.ranks.includes(1));
    const at = without.rows.findIndex((row) => row.seq === 48);
    expect(states(without.cells[index]).slice(at - 1, at + 1)).not.toContain('never-enqueued');
    expect(states(without.cells[index])[at]).toBe('completed');
  });

  it('sends only the rows asked for, and the same sets wherever one scrolls', () => {
    const first = ask(stalled(300), { mode: 'all', from: 0, rows: 50 });
    const later = ask(stalled(300), { mode: 'all', from: 250, rows: 50 });
    expect(first.rows).toHaveLength(50);
    expect(later.rows[0]?.seq).toBe(251);
    expect(sets(later)).toEqual(sets(first));
    expect(first.total).toBe(later.total);
    const only = ask(stalled(300), { mode: 'differences' });
    expect(only.rows.every((row) => row.differs !== 'none')).toBe(true);
    expect(only.rows.length).toBeLessThan(10);
  });

  it('splits a set into its ranks and says how many it could not', () => {
    const answer = ask(stalled(), { split: [4] });
    expect(answer.sets.filter((set) => set.split).map((set) => [...set.ranks])).toEqual([[0], [1], [2], [4], [5]]);
    expect(answer.moreRanks).toBe(0);
  });

  it('greys what follows the first difference if it is much', () => {
    const job = sameProgram(4, times(20, call('all_reduce', 8), call('all_gather', 8)), { ahead: 30 });
    // One call left out: from there on every call of this rank is another one than its peers'.
    job.programs[2]?.splice(10, 1);
    const answer = ask(job);
    expect(answer.differencesTotal).toBeGreaterThan(11);
    expect(answer.differences[0]?.likelyConsequence).toBe(false);
    expect(answer.differences[1]?.likelyConsequence).toBe(true);
  });

  it('has a row for each transfer, with no part for ranks that have none in it', () => {
    const job = sameProgram(3, []);
    job.programs[0]?.push(...times(3, send(1)));
    job.programs[1]?.push(...times(2, recv(0)), 'stall');
    const answer = ask(job);
    const transfers = answer.transfers;
    expect(transfers?.rows.map((row) => [row.pair?.from, row.pair?.to, row.seq])).toContainEqual([0, 1, 3]);
    const outsider = answer.sets.findIndex((set) => set.ranks.includes(2));
    if (outsider >= 0) expect(states(transfers?.cells[outsider])).toEqual(transfers?.rows.map(() => '-'));
  });
});

describe('the whole job', () => {
  const threeKinds = (): Job => {
    const groups: Job['groups'] = {
      tp_0: { desc: 'tp', ranks: [0, 1] },
      tp_1: { desc: 'tp', ranks: [2, 3] },
      dp_0: { desc: 'dp', ranks: [0, 2] },
      dp_1: { desc: 'dp', ranks: [1, 3] },
    };
    const step = [
      ...[0, 1].map((i) => call('all_reduce', 32, { group: `tp_${i}` })),
      ...[0, 1].map((i) => call('reduce_scatter', 64, { group: `dp_${i}`, output: [[32]] })),
    ];
    const job = sameProgram(4, [...times(10, ...step), call('barrier')], { groups, ahead: 0 });
    // Rank 3 stops before its eleventh call: tp_1 lacks it, then dp of its partner.
    job.programs[3]?.splice(10, Number.POSITIVE_INFINITY, 'stall');
    return job;
  };
  const answerOf = (job: Job): JobAnswer => jobTable(viewDumpFiles(dumpFiles(simulate(job))).view, []);

  it('orders groups from the cause down', () => {
    const { story, kinds } = answerOf(threeKinds());
    const told = story.chain.map(
      (link) =>
        `${link.level} ${kinds[link.kind]?.name} ${link.groups.join()} ${link.waiting.join()} for ${link.awaited.join()}`,
    );
    expect(told.slice(0, 2).sort()).toEqual(['0 dp dp_1 1 for 3', '0 tp tp_1 2 for 3']);
    expect(told.slice(2)).toEqual(['1 dp dp_0 0 for 2']);
    expect(story.chain[2]?.behind.map((link) => story.chain[link]?.groups)).toEqual([['tp_1']]);
    expect(story.firstRanks).toEqual([3]);
    expect(story.steps[0]).toMatchObject({ kind: 'first', ranks: [3], order: 'first' });
    expect(story.steps.filter((step) => step.kind === 'wait').map((step) => step.ranks)).toEqual([[1, 2], [0]]);
  });

  it('has a section a kind, the cause first, and a cell of every set in each row', () => {
    const answer = answerOf(threeKinds());
    expect(answer.sections.map((section) => answer.kinds[section.kind]?.name)).toEqual(['dp', 'tp']);
    for (const section of answer.sections)
      for (const cells of section.cells) expect(cells.state).toHaveLength(section.rows.length);
    const first = answer.sets.findIndex((set) => set.look === 'first');
    expect([...(answer.sets[first]?.ranks ?? [])]).toEqual([3]);
    const tp = answer.sections[1];
    expect(states(tp?.cells[first])[tp?.focus ?? -1]).toBe('never-enqueued');
    const ranks = answer.sets.flatMap((set) => [...set.ranks]).sort();
    expect(ranks).toEqual([0, 1, 2, 3]);
  });

  it('folds groups that agree, and shows a ring as a ring', () => {
    const healthy = answerOf(
      sameProgram(4, times(5, call('all_reduce', 8), call('all_reduce', 4, { group: 'tp_0' })), {
        groups: { tp_0: { desc: 'tp', ranks: [0, 1] } },
      }),
    );
    expect(healthy.story.chain).toEqual([]);
    expect(healthy.agreeing.map((one) => healthy.kinds[one.kind]?.name).sort()).toEqual(['default', 'tp']);

    const ring = sameProgram(2, [], {
      groups: { a: { desc: 'a', ranks: [0, 1] }, b: { desc: 'b', ranks: [0, 1] } },
      ahead: 0,
    });
    const [a, b] = [call('all_reduce', 8, { group: 'a' }), call('all_reduce', 8, { group: 'b' })];
    ring.programs[0]?.push(a, b);
    ring.programs[1]?.push(b, a);
    const { story } = answerOf(ring);
    expect(story.cycle).toEqual([0, 1]);
    expect(story.chain.every((link) => link.ring)).toBe(true);
    expect(story.firstRanks).toEqual([]);
  });
});

describe('the picture', () => {
  it('has one cell a rank and call, with the deviating ones marked', () => {
    const job = sameProgram(4, times(6, call('all_reduce', 8)));
    job.programs[2]?.splice(5, 1, call('all_gather', 8));
    const { view } = viewDumpFiles(dumpFiles(simulate(job)));
    const matrix = matrixOf(view, groupOf(view, '0'), { from: 0, columns: 100 });
    expect([...matrix.seqs]).toEqual([1, 2, 3, 4, 5, 6]);
    const column = (i: number) => [0, 1, 2, 3].map((row) => matrix.cells[row * 6 + i] ?? -1);
    expect(column(0).map((cell) => CELL_STATES[cell])).toEqual(Array(4).fill('completed'));
    expect(column(5).map((cell) => cell >= MATRIX_DEVIATES)).toEqual([false, false, true, false]);
    expect(matrixOf(view, groupOf(view, '0'), { from: 4, columns: 1 }).cells).toHaveLength(4);
  });
});
