import { describe, expect, it } from 'vitest';
import { computeCollectives } from '#shared/analysis/collectives/index.ts';
import { type CollectiveFingerprint, type EventBody, type GroupMention, UNTOLD_ORIGIN } from '#shared/model/events.ts';
import type { PlacedEvent } from '#shared/model/facts.ts';
import { entryId } from '#shared/model/ids.ts';
import { call, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';
import { compareFiles } from '../../../../support/read-dumps.ts';

let line = 0;
function placed(rank: number | undefined, body: EventBody, attempt = 0): PlacedEvent {
  line++;
  return {
    event: {
      body,
      ...UNTOLD_ORIGIN,
      rank,
      rankBasis: rank === undefined ? undefined : 'rank-prefix',
      text: '',
      source: { kind: 'line', entry: entryId(rank ?? 99), line, byte: 0, length: 1 },
      lastLine: line,
    },
    stream: undefined,
    rank,
    rankWhy: 'test',
    attempt,
    pod: undefined,
    node: undefined,
    clock: undefined,
  };
}

const DEFAULT: GroupMention = { id: '0', guid: '0', desc: 'default_pg', rank: undefined };
interface TimeoutOptions {
  readonly op?: string;
  readonly numel?: number;
  readonly numelOut?: number;
  readonly group?: GroupMention | undefined;
  readonly attempt?: number;
}
const timedOut = (rank: number | undefined, seq: number, options: TimeoutOptions = {}): PlacedEvent =>
  placed(
    rank,
    {
      kind: 'collective-timeout',
      seq,
      op: options.op ?? 'ALLREDUCE',
      numelIn: options.numel ?? 1024,
      numelOut: options.numelOut ?? options.numel ?? 1024,
      timeoutMs: 600_000,
      ranMs: 600_020,
      group: 'group' in options ? options.group : DEFAULT,
      blockingWait: false,
    },
    options.attempt,
  );
const counters = (
  rank: number,
  lastEnqueued: number,
  lastCompleted: number,
  group: GroupMention | undefined = DEFAULT,
): PlacedEvent => placed(rank, { kind: 'work-status', work: undefined, lastEnqueued, lastCompleted, group });
const ranks = (count: number): number[] => Array.from({ length: count }, (_, rank) => rank);
const compare = (events: readonly PlacedEvent[], worldSize?: number) =>
  computeCollectives({ dumps: [], events, worldSize });
const named = (events: readonly PlacedEvent[], worldSize?: number) => {
  const { first, roots } = compare(events, worldSize);
  return {
    seq: first?.seq,
    kind: first?.kind,
    ranks: first?.ranks,
    basis: first?.basis,
    roots: roots.map((root) => root.rank),
  };
};
const NOBODY = { seq: undefined, kind: undefined, ranks: undefined, basis: undefined, roots: [] };

describe('time-outs', () => {
  it('all but one timed out in the same call: the silent one', () => {
    const events = ranks(8)
      .filter((rank) => rank !== 3)
      .map((rank) => timedOut(rank, 76));
    expect(named(events, 8)).toEqual({ seq: 76, kind: 'missing', ranks: [3], basis: 'log', roots: [3] });
    expect(compare(events, 8).roots[0]).toMatchObject({ hasDump: false });
    // A gap below the highest rank heard exists whatever the size of the job; the highest rank of all cannot be known.
    expect(named(events).ranks).toEqual([3]);
    expect(named(ranks(7).map((rank) => timedOut(rank, 76)))).toEqual(NOBODY);
  });

  it('the sizes of a gather tell how many there are, also above the highest rank that was heard', () => {
    const gathering = (rank: number) => timedOut(rank, 76, { op: '_ALLGATHER_BASE', numel: 10, numelOut: 80 });
    expect(named(ranks(7).map(gathering))).toMatchObject({ kind: 'missing', ranks: [7] });
    expect(named([gathering(0), gathering(2)])).toEqual(NOBODY);
    expect(named([timedOut(0, 76), timedOut(2, 76)])).toMatchObject({ ranks: [1] });
  });

  it('all timed out: nobody is named', () => {
    expect(
      named(
        ranks(8).map((rank) => timedOut(rank, 76)),
        8,
      ),
    ).toEqual(NOBODY);
  });

  it('most are silent: silence means nothing', () => {
    expect(named([timedOut(0, 76), timedOut(1, 76)], 8)).toEqual(NOBODY);
  });

  it('counters show who is behind, also one that timed out elsewhere', () => {
    const events = [...ranks(4).flatMap((rank) => [timedOut(rank, 76), counters(rank, 76, 75)]), counters(4, 75, 75)];
    expect(named(events, 5)).toEqual({ seq: 76, kind: 'missing', ranks: [4], basis: 'log', roots: [4] });
  });

  it('timed out in an earlier call that the others completed: stuck after enqueue', () => {
    const events = [
      ...ranks(4).flatMap((rank) => [timedOut(rank, 76), counters(rank, 78, 75)]),
      timedOut(4, 75),
      counters(4, 78, 74),
    ];
    expect(named(events, 5)).toEqual({ seq: 76, kind: 'state', ranks: [4], basis: 'log', roots: [4] });
  });

  it('same call, other size: the minority, or both sides', () => {
    const minority = [...ranks(4).map((rank) => timedOut(rank, 76)), timedOut(4, 76, { numel: 1000 })];
    expect(named(minority, 5)).toEqual({ seq: 76, kind: 'size', ranks: [4], basis: 'log', roots: [4] });
    const even = compare([timedOut(0, 76), timedOut(1, 76, { numel: 1000 })], 2);
    expect([even.first?.kind, even.first?.ranks, even.first?.sides, even.roots]).toEqual(['size', [], [[0], [1]], []]);
  });

  it('all-to-all may have any size', () => {
    expect(
      named(
        [
          timedOut(0, 76, { op: 'ALLTOALL_BASE' }),
          timedOut(1, 76, { op: 'ALLTOALL_BASE', numel: 9 }),
          timedOut(2, 76, { op: 'ALLTOALL_BASE', numel: 7 }),
        ],
        3,
      ),
    ).toEqual(NOBODY);
  });

  it('same number, other operation', () => {
    const events = [...ranks(4).map((rank) => timedOut(rank, 76)), timedOut(4, 76, { op: 'BROADCAST' })];
    expect(named(events, 5)).toMatchObject({ kind: 'op', ranks: [4] });
  });

  it('the rank in a mention is the rank inside the group: global only in the default group', () => {
    const inside = (rank: number): GroupMention => ({ ...DEFAULT, rank });
    const events = ranks(8)
      .filter((rank) => rank !== 3)
      .map((rank) => timedOut(undefined, 76, { group: inside(rank) }));
    expect(named(events, 8).ranks).toEqual([3]);
    const sub = ranks(8)
      .filter((rank) => rank !== 3)
      .map((rank) => timedOut(undefined, 76, { group: { id: '5', guid: '35', desc: 'TP', rank } }));
    expect(named(sub, 8)).toEqual(NOBODY);
  });

  it('lines without a group may belong to several groups', () => {
    // Ranks 0 and 1 in one group at #5000, ranks 2 and 3 in another at #100: nobody is behind anybody.
    const events = [
      ...[0, 1].flatMap((rank) => [timedOut(rank, 5000, { group: undefined }), counters(rank, 5000, 4999, undefined)]),
      ...[2, 3].flatMap((rank) => [
        timedOut(rank, 100, { group: undefined }),
        placed(rank, { kind: 'work-status', work: undefined, lastEnqueued: 100, lastCompleted: 99, group: undefined }),
      ]),
    ];
    expect(named(events, 4)).toEqual(NOBODY);
  });

  describe('lines that name no group', () => {
    const tp: GroupMention = { id: '5', guid: '35', desc: 'TP', rank: undefined };
    const drawn = (events: readonly PlacedEvent[], worldSize?: number) =>
      compare(events, worldSize).groups.map(({ id, desc, members }) => [id, desc, members.map(({ rank }) => rank)]);
    const unnamed = (rank: number, seq: number): PlacedEvent => timedOut(rank, seq, { group: undefined });

    it('are not said to be of the default group where another one is known', () => {
      expect(drawn([timedOut(0, 76), timedOut(1, 9, { group: tp }), unnamed(2, 9)], 4)).toEqual([
        ['(not named)', '', [2]],
        ['0', 'default_pg', [0]],
        ['35', 'TP', [1]],
      ]);
    });

    it('are of the default group where that is the only one named', () => {
      expect(drawn([timedOut(0, 76), unnamed(2, 76)], 4)).toEqual([['0', 'default_pg', [0, 2]]]);
    });

    it('are compared, but not called the default group, where none is named', () => {
      const events = [0, 1, 2].map((rank) => unnamed(rank, 76));
      expect(drawn(events, 4)).toEqual([['(not named)', '', [0, 1, 2]]]);
      expect(named(events, 4)).toMatchObject({ seq: 76, kind: 'missing', ranks: [3] });
    });

    it('excuse their rank from silence in a group that is named', () => {
      const waiting = [0, 1, 2, 4, 5].map((rank) => timedOut(rank, 76));
      const elsewhere = timedOut(0, 9, { group: tp });
      expect(named([...waiting, elsewhere], 6).ranks).toEqual([3]);
      expect(named([...waiting, elsewhere, unnamed(3, 9)], 6)).toEqual(NOBODY);
    });
  });

  it('sub-groups are kept apart and not completed by guessing', () => {
    const tp = (guid: string, rank: number): GroupMention => ({ id: '5', guid, desc: 'TP', rank });
    expect(
      named(
        [
          timedOut(13, 216, { group: tp('119', 1) }),
          counters(13, 220, 215, tp('119', 1)),
          timedOut(15, 57, { group: tp('112', 0) }),
          counters(15, 57, 56, tp('112', 0)),
        ],
        16,
      ),
    ).toEqual(NOBODY);
  });

  it('only the last attempt counts', () => {
    const events = [
      ...ranks(8)
        .filter((rank) => rank !== 3)
        .map((rank) => timedOut(rank, 76)),
      ...ranks(8)
        .filter((rank) => rank !== 5)
        .map((rank) => timedOut(rank, 12, { attempt: 1 })),
    ];
    expect(named(events, 8)).toMatchObject({ seq: 12, ranks: [5] });
  });

  it('the order of events does not matter', () => {
    const events = [...ranks(4).flatMap((rank) => [timedOut(rank, 76), counters(rank, 76, 75)]), counters(4, 75, 75)];
    expect(compare([...events].reverse(), 5)).toEqual(compare(events, 5));
  });
});

describe('fingerprints and counts', () => {
  const print = (rank: number, shape: string): CollectiveFingerprint => ({
    rank,
    seq: 8,
    op: 'ALLGATHER',
    shape,
    dtypes: 'Float',
  });
  const mismatch = (a: CollectiveFingerprint, b: CollectiveFingerprint) =>
    placed(a.rank, { kind: 'collective-mismatch', a, b });

  it('the minority of the fingerprints', () => {
    const good = print(0, '[4, 10]');
    const events = [
      ...ranks(5).map((rank) => mismatch({ ...good, rank }, print(5, '[5, 10]'))),
      mismatch(print(5, '[5, 10]'), good),
    ];
    expect(named(events, 6)).toEqual({ seq: 8, kind: 'size', ranks: [5], basis: 'log', roots: [5] });
  });

  it('two fingerprints have no majority', () => {
    const fact = compare([mismatch(print(1, '[4]'), print(0, '[5]'))], 2);
    expect([fact.first?.sides, fact.roots]).toEqual([[[0], [1]], []]);
  });

  it('ranks that NCCL counted behind', () => {
    const events = [
      placed(undefined, {
        kind: 'ras-count',
        ranks: [1],
        count: 288_686,
        behind: false,
        op: 'AllGather',
        others: 288_685,
      }),
      placed(undefined, {
        kind: 'ras-count',
        ranks: [0],
        count: 288_685,
        behind: true,
        op: 'AllGather',
        others: 288_686,
      }),
    ];
    expect(named(events)).toEqual({ seq: 288_686, kind: 'missing', ranks: [0], basis: 'log', roots: [0] });
  });
});

describe('logs beside dumps', () => {
  const job = () => {
    const made = sameProgram(5, times(8, call('all_reduce', 4)), { backend: 'gloo' });
    made.programs[2]?.splice(6, 99, 'stall');
    return made;
  };

  it('a rank without a dump whose log shows that it waits is no candidate', () => {
    const files = dumpFiles(simulate(job()), {}, [2, 4]);
    expect(compareFiles(files).roots.map((root) => root.rank)).toEqual([2, 4]);
    expect(compareFiles(files, { events: [timedOut(4, 7, { numel: 4 })] }).roots.map((root) => root.rank)).toEqual([2]);
  });

  it('a line that shows another call than the dumps names its rank, whoever left no dump', () => {
    const fact = compareFiles(dumpFiles(simulate(job()), {}, [2, 4]), { events: [timedOut(4, 7, { numel: 8 })] });
    expect(fact.first).toMatchObject({ kind: 'size', seq: 7, ranks: [4], agreeing: [0, 1, 3], basis: 'log' });
  });

  describe('votes by lines', () => {
    const odd = () => {
      const made = sameProgram(5, times(8, call('all_reduce', 4)), { backend: 'nccl' });
      made.programs[1]?.splice(6, 1, call('all_reduce', 6));
      return made;
    };
    const two = dumpFiles(simulate(odd()), {}, [0, 2, 4]);

    it('two dumps alone are two sides', () => {
      expect(compareFiles(two).first).toMatchObject({ kind: 'size', ranks: [], sides: [[1], [3]] });
    });

    it('a line of a third member joins a side, and is known as a line', () => {
      const fact = compareFiles(two, { events: [timedOut(0, 7, { numel: 4 })] });
      expect(fact.first).toMatchObject({ ranks: [1], agreeing: [0, 3], voices: [0], basis: 'dump' });
    });

    it('a line of another number, another group or a name that dumps do not use is no vote', () => {
      for (const line of [
        timedOut(0, 8, { numel: 4 }),
        timedOut(0, 7, { numel: 4, group: { ...DEFAULT, guid: '7', desc: 'dp' } }),
        timedOut(0, 7, { numel: 4, op: 'COALESCED' }),
      ])
        expect(compareFiles(two, { events: [line] }).first).toMatchObject({ ranks: [], sides: [[1], [3]] });
    });

    it('lines can turn a majority of dumps, and a third call has its own side', () => {
      const three = dumpFiles(simulate(odd()), {}, [2, 4]);
      const lines = [timedOut(2, 7, { numel: 6 }), timedOut(4, 7, { numel: 6 })];
      expect(compareFiles(three, { events: lines }).first).toMatchObject({ ranks: [0, 3], agreeing: [1, 2, 4] });
      expect(compareFiles(two, { events: [timedOut(0, 7, { numel: 9 })] }).first).toMatchObject({
        ranks: [],
        sides: [[1], [3], [0]],
      });
    });
  });

  it('a rank without a dump whose counters are behind is named by them', () => {
    const fact = compareFiles(dumpFiles(simulate(job()), {}, [2]), { events: [counters(2, 6, 6)] });
    expect(fact.roots.map((root) => [root.rank, root.hasDump])).toEqual([[2, false]]);
    expect(fact.first).toMatchObject({ kind: 'missing', ranks: [2], basis: 'log' });
  });

  it('what dumps show is not overruled by silence', () => {
    const fact = compareFiles(dumpFiles(simulate(job())), {
      worldSize: 5,
      events: [0, 1, 2].map((rank) => timedOut(rank, 7)),
    });
    expect(fact.roots.map((root) => root.rank)).toEqual([2]);
    expect(fact.first?.basis).toBe('dump');
  });
});
