/**
 * One rank at fault in a job with sub-groups, written down in many ways: kind of fault × ring × missing dumps × only-active × versions (also
 * mixed in one job) × order of the files. The same group, call, kind and rank must come out of all of them.
 */
import { describe, expect, it } from 'vitest';
import {
  call,
  type DumpFile,
  type DumpOptions,
  dumpOf,
  encodeDump,
  type Job,
  recv,
  type SimulatedRun,
  type Step,
  sameProgram,
  send,
  simulate,
  times,
} from '../../../../support/dump-builder.ts';
import { compareFiles } from '../../../../support/read-dumps.ts';

const WORLD = 8;
const CULPRIT = 5;
/** Calls of the culprit's group before the fault. */
const LEAD = 6;

const GROUPS = {
  tp0: { desc: 'TP', ranks: [0, 1] },
  tp1: { desc: 'TP', ranks: [2, 3] },
  tp2: { desc: 'TP', ranks: [4, 5] },
  tp3: { desc: 'TP', ranks: [6, 7] },
  dp0: { desc: 'DP', ranks: [0, 2, 4, 6] },
  dp1: { desc: 'DP', ranks: [1, 3, 5, 7] },
} as const;

const tp = ['tp0', 'tp1', 'tp2', 'tp3'].map((group) => call('_all_gather_base', 4, { group, output: [[8]] }));
const dp = (size = 16, dtype = 'Float'): Step[] =>
  ['dp0', 'dp1'].map((group) => call('all_reduce', size, { group, dtype }));

const FAULTS: Readonly<Record<string, { readonly kind: string; readonly step: readonly Step[] }>> = {
  stalls: { kind: 'missing', step: ['stall'] },
  'calls another operation': { kind: 'op', step: [call('all_gather', 16, { group: 'dp1' })] },
  'passes another size': { kind: 'size', step: [call('all_reduce', 17, { group: 'dp1' })] },
  'passes another type': { kind: 'dtype', step: [call('all_reduce', 16, { group: 'dp1', dtype: 'Half' })] },
};

function jobWith(step: readonly Step[]): Job {
  const job = sameProgram(WORLD, [...times(LEAD, ...tp, ...dp()), ...tp, ...dp(), ...times(2, ...tp, ...dp())], {
    groups: GROUPS,
  });
  const program = job.programs[CULPRIT];
  // Two calls a round: the pair's, then that of the four.
  program?.splice(LEAD * 2 + 1, 99, ...step);
  return job;
}

type Writing = (rank: number) => DumpOptions;
const MINORS: readonly DumpOptions[] = [
  {},
  { style: 'json', version: '2.10' },
  { style: 'python4', version: '2.3' },
  { style: 'python5', version: '2.10' },
  { style: 'python2', version: '2.4', frames: false },
];
const WRITINGS: Readonly<Record<string, Writing>> = {
  'C++ 2.9': () => ({}),
  'minors and encodings mixed': (rank) => MINORS[rank % MINORS.length] ?? {},
  'rings of 5 entries': () => ({ ring: 5 }),
  'rings of unlike lengths': (rank) => ({ ring: 4 + rank }),
  'only active, mixed encodings': (rank) => ({ onlyActive: true, style: rank % 2 === 0 ? 'cpp' : 'json' }),
  'no counters': () => ({ status: false }),
};

const ORDERS: Readonly<Record<string, (files: DumpFile[]) => DumpFile[]>> = {
  'in order': (files) => files,
  'the faulty rank first': (files) => [...files.slice(CULPRIT), ...files.slice(0, CULPRIT)],
  backwards: (files) => [...files].reverse(),
};
/** Healthy ranks of the same group, of the pair, of neither. */
const MISSING: Readonly<Record<string, readonly number[]>> = {
  'all dumps': [],
  'without 1': [1],
  'without 4 and 6': [4, 6],
};

function write(run: SimulatedRun, writing: Writing, without: readonly number[]): DumpFile[] {
  return run.ranks.flatMap(({ rank }) => {
    if (without.includes(rank)) return [];
    const options = writing(rank);
    return [{ path: `dump_${rank}`, bytes: encodeDump(dumpOf(run, rank, options), options.style) }];
  });
}

const cases = Object.entries(FAULTS).flatMap(([fault, { kind, step }]) =>
  Object.entries(WRITINGS).flatMap(([written, writing]) =>
    Object.entries(MISSING).flatMap(([lack, without]) =>
      Object.entries(ORDERS).map(([order, sort]) => ({
        name: `${fault}; ${written}; ${lack}; files ${order}`,
        kind,
        files: () => sort(write(simulate(jobWith(step)), writing, without)),
      })),
    ),
  ),
);

describe(`rank ${CULPRIT} of a pair and of a group of four (${cases.length} cases)`, () => {
  it.each(cases)('$name', ({ kind, files }) => {
    const fact = compareFiles(files(), { worldSize: WORLD });
    expect(fact.first).toMatchObject({ group: 'dp1', seq: LEAD + 1, kind, ranks: [CULPRIT], basis: 'dump' });
    expect(fact.roots.map((root) => [root.rank, root.hasDump])).toEqual([[CULPRIT, true]]);
    expect(fact.cycle).toEqual([]);
  });
});

describe('groups made without a description, whose members no dump lists', () => {
  it('are one where they have one name, and lead to the rank at fault', () => {
    const groups = { a: { desc: 'undefined', ranks: [0, 2] }, b: { desc: 'undefined', ranks: [1, 3] } };
    const step = [call('all_reduce', 8, { group: 'a' }), call('all_reduce', 4, { group: 'b' }), call('all_reduce', 2)];
    const job = { ...sameProgram(4, times(5, ...step), { groups }), backend: 'gloo' } as const;
    job.programs[2]?.splice(6, 99, 'stall');
    const fact = compareFiles(
      write(simulate(job), () => ({ config: 'empty' }), []),
      { worldSize: 4 },
    );
    expect(fact.groups.map(({ name, ranks }) => [name, ranks])).toContainEqual(['a', [0, 2]]);
    expect(fact.roots.map(({ rank }) => rank)).toEqual([2]);
  });
});

describe('a pipeline in which one stage stops', () => {
  const job = (): Job => {
    const made = sameProgram(4, [], { ahead: 4 });
    made.programs.forEach((program, rank) => {
      const step = [...(rank > 0 ? [recv(rank - 1)] : []), ...(rank < 3 ? [send(rank + 1)] : [])];
      program.push(...times(6, ...step, call('all_reduce', 8)));
    });
    return made;
  };
  const written = Object.entries(WRITINGS).filter(([name]) => !name.startsWith('only'));
  const stops = [0, 1, 2, 3].flatMap((rank) => written.map(([name, writing]) => ({ rank, name, writing })));

  it.each(stops)('stage $rank, $name', ({ rank, writing }) => {
    const made = job();
    made.programs[rank]?.splice(rank === 0 || rank === 3 ? 6 : 9, 99, 'stall');
    const fact = compareFiles(write(simulate(made), writing, []), { worldSize: 4 });
    expect(fact.roots.map((root) => root.rank)).toEqual([rank]);
    expect(fact.first).toMatchObject({ kind: 'missing', ranks: [rank] });
  });
});
