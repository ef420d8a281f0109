import { describe, expect, it } from 'vitest';
import { UNTOLD_ORIGIN } from '#shared/model/events.ts';
import {
  anySize,
  call,
  type DumpOptions,
  dumpFiles,
  type Job,
  recv,
  type SimulatedCall,
  type Step,
  sameProgram,
  send,
  simulate,
  times,
} from '../../../../support/dump-builder.ts';
import { compareFiles } from '../../../../support/read-dumps.ts';

const WORLD = 6;
const CULPRIT = 4;
const LEAD = 10;

/** Every way of writing the same incident down: none may change the finding. */
const WRITINGS: Readonly<Record<string, DumpOptions>> = {
  'C++ pickle 2.9': {},
  'JSON 2.10': { style: 'json', version: '2.10' },
  'Python pickle 2.3': { style: 'python4', version: '2.3' },
  'ring of 4': { ring: 4 },
  'only active': { onlyActive: true },
  'no status': { status: false },
  'no config': { config: 'none' },
  'version 1.4': { version: '1.4' },
};

const OPERATIONS: Readonly<Record<string, SimulatedCall>> = {
  all_reduce: call('all_reduce', 64),
  _all_gather_base: call('_all_gather_base', 8, { output: [[48]] }),
  _reduce_scatter_base: call('_reduce_scatter_base', 48, { output: [[8]] }),
  all_to_all: anySize(call('all_to_all', 12)),
  broadcast: call('broadcast', 5),
  barrier: call('barrier'),
};

interface Fault {
  readonly kind: 'missing' | 'op' | 'size' | 'dtype' | 'state';
  readonly step: (one: SimulatedCall) => readonly Step[];
  readonly applies: (op: string, writing: DumpOptions) => boolean;
}
const old = (writing: DumpOptions): boolean => writing.version === '1.4';
const FAULTS: Readonly<Record<string, Fault>> = {
  'never enqueued': {
    kind: 'missing',
    step: () => ['stall'],
    // Without counters an only-active dump of a rank that enqueued nothing is empty.
    applies: () => true,
  },
  'other operation': { kind: 'op', step: () => [call('gather', 3)], applies: () => true },
  'other size': {
    kind: 'size',
    step: (one) => [
      call(one.op, undefined, { input: [[(one.input[0]?.[0] ?? 0) + 6]], output: [[(one.output[0]?.[0] ?? 0) + 6]] }),
    ],
    applies: (op) => op !== 'barrier' && op !== 'all_to_all',
  },
  'other type': {
    kind: 'dtype',
    step: (one) => [call(one.op, undefined, { input: one.input, output: one.output, dtype: 'Half' })],
    applies: (op, writing) => op !== 'barrier' && op !== 'all_to_all' && !old(writing),
  },
  'hung after enqueue': {
    kind: 'state',
    step: (one) => ['hang', one],
    applies: (op) => op !== 'broadcast',
  },
};

interface Case {
  readonly name: string;
  readonly job: Job;
  readonly writing: DumpOptions;
  readonly kind: Fault['kind'];
}

const cases: Case[] = [];
for (const [writingName, writing] of Object.entries(WRITINGS)) {
  for (const [op, one] of Object.entries(OPERATIONS)) {
    for (const [faultName, fault] of Object.entries(FAULTS)) {
      if (!fault.applies(op, writing)) continue;
      // The others go on to further calls, so that a hang shows in their counters.
      const job = sameProgram(WORLD, [
        ...times(LEAD, call('all_reduce', 64)),
        one,
        ...times(5, call('all_reduce', 64)),
      ]);
      job.programs[CULPRIT] = [
        ...times(LEAD, call('all_reduce', 64)),
        ...fault.step(one),
        ...times(5, call('all_reduce', 64)),
      ];
      cases.push({ name: `${writingName}: ${faultName} at ${op}`, job, writing, kind: fault.kind });
    }
  }
}

/** A call that hung is told from the dump's moment by two completed calls beyond it, a time-out, or its age; peers go on for one call only. */
function expectFinding(one: Case, without: readonly number[] = []): void {
  const fact = compareFiles(dumpFiles(simulate(one.job), one.writing, without), {
    worldSize: WORLD,
    events: one.kind === 'state' ? [timeout()] : [],
  });
  expect(fact.roots.map((root) => [root.rank, root.hasDump])).toEqual([[CULPRIT, true]]);
  expect(fact.first).toMatchObject({ seq: LEAD + 1, kind: one.kind, ranks: [CULPRIT], basis: 'dump' });
  expect(fact.groups.find((group) => group.id === fact.first?.group)?.ranks).toEqual([0, 1, 2, 3, 4, 5]);
}

/** A time-out line of some rank: dumps were then written after a hang. */
const timeout = () => ({
  event: {
    body: {
      kind: 'collective-timeout',
      seq: undefined,
      op: 'ALLREDUCE',
      numelIn: undefined,
      numelOut: undefined,
      timeoutMs: 600_000,
      ranMs: 600_001,
      group: undefined,
      blockingWait: false,
    } as const,
    ...UNTOLD_ORIGIN,
    text: '',
    source: { kind: 'line', entry: 0 as never, line: 1, byte: 0, length: 0 } as const,
    lastLine: 1,
  },
  stream: undefined,
  rank: undefined,
  rankWhy: '',
  attempt: 0,
  pod: undefined,
  node: undefined,
  clock: undefined,
});

describe(`one rank of ${WORLD} at fault (${cases.length} cases)`, () => {
  it.each(cases)('$name', (one) => {
    // A rank that enqueued nothing more leaves an empty only-active dump: without counters it says nothing.
    expectFinding(one);
  });

  it.each(cases.filter((one) => one.writing.onlyActive !== true))('one healthy dump missing: $name', (one) => {
    expectFinding(one, [1]);
  });
});

describe('healthy jobs give no divergence', () => {
  const shapes: readonly (readonly [string, Job])[] = [
    ['data parallel', sameProgram(8, times(20, call('all_reduce', 64), call('barrier')))],
    ['broadcasts with empty inputs elsewhere', broadcastJob()],
    ['gather and scatter with the root alone having the list', rootedJob()],
    ['all-to-all with own sizes everywhere', ownSizes('all_to_all')],
    ['all_gather of unequal tensors (v-form)', vForm()],
    ['tensor and data parallel groups', gridJob()],
    ['a pipeline with unlike numbers of operations', pipelineJob()],
    ['gloo with point-to-point operations in a ring', ringJob()],
    ['gloo pipeline: edge stages issue fewer operations', pipelineJob('gloo')],
    ['one rank alone', sameProgram(1, times(5, call('all_reduce', 64)))],
    ['nothing at all', sameProgram(4, [])],
  ];
  for (const [name, job] of shapes) {
    it.each(Object.entries(WRITINGS).filter(([, writing]) => job.backend !== 'gloo' || writing.version === undefined))(
      `${name}: %s`,
      (_writing, writing) => {
        const fact = compareFiles(dumpFiles(simulate(job), writing));
        expect([fact.first, fact.roots, fact.cycle, fact.allJoined]).toEqual([undefined, [], [], undefined]);
        for (const group of fact.groups) expect(group.divergence).toBe(undefined);
      },
    );
  }

  it('a view of the same number of elements is no size mismatch', () => {
    const job = sameProgram(3, [call('all_reduce', undefined, { input: [[4, 6]] })]);
    job.programs[1] = [
      { ...call('all_reduce', undefined, { input: [[24]] }), key: 'all_reduce [[[4,6]],[[4,6]]] Float' },
    ];
    expect(compareFiles(dumpFiles(simulate(job))).first).toBe(undefined);
  });

  it('a difference that everybody left behind is not reported', () => {
    const job = sameProgram(3, [anySize(call('all_reduce', 4)), ...times(3, call('all_reduce', 4))]);
    job.programs[1] = [anySize(call('all_reduce', 5)), ...times(3, call('all_reduce', 4))];
    expect(compareFiles(dumpFiles(simulate(job))).first).toBe(undefined);
  });

  it('a call that is done in one dump and open in the next is the moment of the dump', () => {
    const job = sameProgram(4, times(10, call('all_reduce', 64)));
    const run = simulate(job);
    const last = run.ranks[2]?.records[9];
    if (last !== undefined) last.completed = undefined;
    const fact = compareFiles(dumpFiles(run));
    expect([fact.first, fact.roots]).toEqual([undefined, []]);
  });

  it('a dump that was plainly written earlier accuses nobody', () => {
    const run = simulate(sameProgram(4, times(10, call('all_reduce', 64))));
    run.ranks[2]?.records.splice(4);
    const open = run.ranks[0]?.records[9];
    if (open !== undefined) open.completed = undefined;
    const fact = compareFiles(dumpFiles(run));
    expect([fact.first, fact.roots]).toEqual([undefined, []]);
  });
});

function broadcastJob(): Job {
  const job = sameProgram(4, []);
  job.programs.forEach((program, rank) => {
    program.push(
      ...times(
        5,
        anySize(call('broadcast', undefined, { input: rank === 0 ? [[8]] : [], output: [[8]] })),
        call('all_reduce', 4),
      ),
    );
  });
  return job;
}
function rootedJob(): Job {
  const job = sameProgram(4, []);
  job.programs.forEach((program, rank) => {
    const root = rank === 0;
    program.push(
      ...times(
        5,
        anySize(call('gather', undefined, { input: [[8]], output: root ? [[8], [8], [8], [8]] : [] })),
        anySize(call('scatter', undefined, { input: root ? [[8], [8], [8], [8]] : [], output: [[8]] })),
        anySize(call('reduce', undefined, { input: [[8]], output: root ? [[8]] : [] })),
      ),
    );
  });
  return job;
}
function ownSizes(op: string): Job {
  const job = sameProgram(4, []);
  job.programs.forEach((program, rank) => {
    program.push(...times(5, anySize(call(op, 10 + rank)), call('barrier')));
  });
  return job;
}
function vForm(): Job {
  const job = sameProgram(3, []);
  const sizes = [[2], [3], [4]];
  job.programs.forEach((program, rank) => {
    program.push(...times(3, anySize(call('all_gather', undefined, { input: [sizes[rank] ?? []], output: sizes }))));
  });
  return job;
}
function gridJob(backend: 'nccl' | 'gloo' = 'nccl'): Job {
  const groups = {
    tp0: { desc: 'TP', ranks: [0, 1] },
    tp1: { desc: 'TP', ranks: [2, 3] },
    dp0: { desc: 'DP', ranks: [0, 2] },
    dp1: { desc: 'DP', ranks: [1, 3] },
  };
  const step = [
    ...['tp0', 'tp1'].map((group) => call('all_gather', 4, { group, output: [[8]] })),
    ...['dp0', 'dp1'].map((group) => call('all_reduce', 16, { group })),
  ];
  return sameProgram(4, times(6, ...step), { groups, backend });
}
/** Stage 0 sends only, the last receives only, and each has its own number of collectives in its own group. */
function pipelineJob(backend: 'nccl' | 'gloo' = 'nccl'): Job {
  const job = sameProgram(4, [], { backend, ahead: 4 });
  job.programs.forEach((program, rank) => {
    const step = [...(rank > 0 ? [recv(rank - 1)] : []), ...(rank < 3 ? [send(rank + 1)] : [])];
    program.push(...times(6, ...step, call('all_reduce', 8)));
  });
  return job;
}
function ringJob(): Job {
  const job = sameProgram(4, [], { backend: 'gloo', ahead: 3 });
  job.programs.forEach((program, rank) => {
    program.push(...times(6, send((rank + 1) % 4), recv((rank + 3) % 4), call('all_reduce', 8)));
  });
  return job;
}

describe('sub-groups', () => {
  it.each(['nccl', 'gloo'] as const)(
    '%s: a stalled rank is named by its pair, not the partner that waits for it',
    (backend) => {
      const job = gridJob(backend);
      job.programs[3]?.splice(4, 99, 'stall');
      const fact = compareFiles(dumpFiles(simulate(job)), { worldSize: 4 });
      expect(fact.roots.map((root) => root.rank)).toEqual([3]);
      expect(fact.first).toMatchObject({ kind: 'missing', ranks: [3] });
      expect(fact.cycle).toEqual([]);
    },
  );

  it('a rank without a dump is told as such, and only if nobody else explains the hang', () => {
    const job = gridJob();
    job.programs[3]?.splice(4, 99, 'stall');
    const fact = compareFiles(dumpFiles(simulate(job), {}, [3]));
    expect(fact.roots.map((root) => [root.rank, root.hasDump])).toEqual([[3, false]]);
    expect(fact.first).toBe(undefined);
    expect(fact.groups.find((group) => group.id === 'dp1')?.withoutDump).toEqual([3]);
  });

  it('groups of one name and other members are two groups', () => {
    const groups = { a: { desc: 'x', ranks: [0, 1] }, b: { desc: 'x', ranks: [2, 3] } };
    const job = sameProgram(
      4,
      [...times(4, call('all_reduce', 4, { group: 'a' })), ...times(9, call('barrier', undefined, { group: 'b' }))],
      { groups },
    );
    const files = dumpFiles(simulate(job), { style: 'json' }).map((file) => ({
      ...file,
      bytes: new TextEncoder().encode(new TextDecoder().decode(file.bytes).replaceAll('"b"', '"a"')),
    }));
    const fact = compareFiles(files);
    expect(fact.groups.map((group) => [group.id, group.ranks, group.divergence])).toEqual([
      ['a[0,…]', [0, 1], undefined],
      ['a[2,…]', [2, 3], undefined],
    ]);
  });

  it('a deadlock by order is a cycle of ranks, none of them named', () => {
    const groups = { a: { desc: '', ranks: [0, 1] }, b: { desc: '', ranks: [0, 1] } };
    const job = sameProgram(
      2,
      times(3, call('barrier', undefined, { group: 'a' }), call('barrier', undefined, { group: 'b' })),
      { groups, ahead: 0 },
    );
    job.programs[1]?.push(call('barrier', undefined, { group: 'b' }));
    job.programs[0]?.push(call('barrier', undefined, { group: 'a' }));
    const fact = compareFiles(dumpFiles(simulate(job)));
    expect([fact.roots, fact.cycle]).toEqual([[], [0, 1]]);
    expect(fact.first).toMatchObject({ kind: 'order', ranks: [], sides: [[0], [1]] });
  });
});

describe('point to point', () => {
  it('follows a pipeline back to the stage that stopped', () => {
    const job = pipelineJob();
    job.programs[1]?.splice(7, 99, 'stall');
    const fact = compareFiles(dumpFiles(simulate(job)));
    expect(fact.roots.map((root) => root.rank)).toEqual([1]);
  });

  it('gloo: the rank that left a send out is named, not the one that waits for it', () => {
    const job = ringJob();
    job.programs[2]?.splice(12, 1);
    const fact = compareFiles(dumpFiles(simulate(job)));
    expect(fact.roots.map((root) => root.rank)).toEqual([2]);
    expect(fact.first).toMatchObject({ kind: 'order', ranks: [2], seq: 5 });
  });

  it('gloo: where it cannot be said who left one out, nobody is named', () => {
    const job = ringJob();
    job.programs[2]?.splice(12, 1);
    const fact = compareFiles(dumpFiles(simulate(job), {}, [0]), { worldSize: 4 });
    expect(fact.roots.filter((root) => root.rank !== 2)).toEqual([]);
  });
});

describe('no majority', () => {
  it.each([
    [2, [[0], [1]]],
    [
      4,
      [
        [0, 1],
        [2, 3],
      ],
    ],
  ] as const)('%i ranks: the sides are listed', (world, sides) => {
    const job = sameProgram(world, [...times(4, call('all_reduce', 8)), call('barrier')]);
    for (const rank of sides[1]) job.programs[rank] = [...times(4, call('all_reduce', 8)), call('all_gather', 8)];
    const fact = compareFiles(dumpFiles(simulate(job)));
    expect(fact.roots).toEqual([]);
    expect(fact.first).toMatchObject({ kind: 'op', ranks: [], sides, seq: 5 });
  });
});

describe('everybody joined', () => {
  it.each(['nccl', 'gloo'] as const)('%s: a call that nobody finished accuses nobody', (backend) => {
    const run = simulate(sameProgram(4, times(5, call('all_reduce', 8)), { backend }));
    for (const rank of run.ranks) {
      const last = rank.records[4];
      if (last !== undefined) last.completed = undefined;
    }
    const fact = compareFiles(dumpFiles(run));
    expect([fact.roots, fact.first]).toEqual([[], undefined]);
    expect(fact.allJoined).toEqual({ group: '0', seq: 5, op: 'all_reduce', ranks: [0, 1, 2, 3] });
  });

  it('not if one of them has gone on to the next call and waits there for the others', () => {
    const run = simulate(sameProgram(4, times(6, call('all_reduce', 8))));
    for (const rank of run.ranks) for (const record of rank.records.slice(5)) record.completed = undefined;
    const late = run.ranks[2];
    const fifth = late?.records[4];
    if (fifth !== undefined) fifth.completed = undefined;
    late?.records.splice(5);
    const fact = compareFiles(dumpFiles(run));
    expect(fact.waits).toEqual([0, 1, 3].map((rank) => ({ rank, group: '0', seq: 6, for: [2] })));
    expect(fact.allJoined).toBe(undefined);
  });

  it('not if a member left no dump', () => {
    const run = simulate(sameProgram(4, times(5, call('all_reduce', 8)), { backend: 'gloo' }));
    for (const rank of run.ranks) {
      const last = rank.records[4];
      if (last !== undefined) last.completed = undefined;
    }
    expect(compareFiles(dumpFiles(run, {}, [3])).allJoined).toBe(undefined);
  });
});
