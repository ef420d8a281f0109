import { describe, expect, it } from 'vitest';
import { computeClocks, offsetBetween, orderOf, whatAlignmentChanged } from '#shared/analysis/clocks/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { DumpGroup, FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import { entryId } from '#shared/model/ids.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import { epochNs } from '#shared/model/time.ts';
import { incident, jobSetLabels, pod } from '../rank-map/build-incident.ts';

interface Call {
  readonly op: string;
  readonly created: number;
  readonly completed?: number;
  readonly seq?: number;
  readonly p2p?: boolean;
  readonly retired?: boolean;
}

const BASE = 1_800_000_000_000_000_000n;
const ns = (ms: number): bigint => BASE + BigInt(Math.round(ms * 1e6));

/** A dump of one group; times in ms on the rank's own clock. */
function dump(rank: number, calls: readonly Call[], ranks: readonly number[]): FlightRecorderDump {
  const n = calls.length;
  const strings = ['0', 'default_pg', ...new Set(calls.map(({ op }) => op))];
  const group: DumpGroup = { key: '0', name: '0', desc: 'default_pg', ranks };
  let seq = 0;
  return {
    source: { kind: 'entry', entry: entryId(100 + rank) },
    encoding: 'pickle',
    version: '2.10',
    library: undefined,
    nameRank: rank,
    groups: [group],
    status: [],
    columns: {
      length: n,
      recordId: Int32Array.from({ length: n }, (_, i) => i + 50),
      pgId: new Int32Array(n),
      groupName: new Int32Array(n),
      groupDesc: new Int32Array(n).fill(1),
      collectiveSeq: Float64Array.from(calls, ({ p2p }) => (p2p === true ? seq : ++seq)),
      p2pSeq: new Float64Array(n),
      opId: Float64Array.from({ length: n }, (_, i) => i),
      op: Int32Array.from(calls, ({ op }) => strings.indexOf(op)),
      isP2p: Uint8Array.from(calls, ({ p2p }) => (p2p === true ? 1 : 0)),
      createdNs: BigInt64Array.from(calls, ({ created }) => ns(created)),
      startedNs: new BigInt64Array(n),
      completedNs: BigInt64Array.from(calls, ({ completed }) => (completed === undefined ? 0n : ns(completed))),
      durationMs: new Float64Array(n).fill(Number.NaN),
      state: Uint8Array.from(calls, ({ completed }) => (completed === undefined ? 1 : 3)),
      retired: Uint8Array.from(calls, ({ completed, retired }) =>
        completed !== undefined || retired === true ? 1 : 0,
      ),
      timeoutMs: new Float64Array(n).fill(600_000),
      inputSizes: new Int32Array(n).fill(0),
      outputSizes: new Int32Array(n).fill(0),
      inputDtypes: new Int32Array(n).fill(-1),
      outputDtypes: new Int32Array(n).fill(-1),
      stack: new Int32Array(n).fill(-1),
      extra: new Int32Array(n).fill(-1),
    },
    strings,
    shapes: ['[[8]]'],
    stacks: [],
    frames: [],
    truncatedAt: undefined,
    unknownKeys: [],
  };
}

/** Rank i on node i of a job whose Pods name their nodes. */
function jobOf(dumps: readonly FlightRecorderDump[]): IncidentInput {
  const pods = dumps.map((_, i) => pod(`job-${i}`, { labels: jobSetLabels(i), node: `node-${i}` }));
  return { ...incident([], { pods }), dumps };
}

function solve(input: IncidentInput) {
  const { rankMap, events } = computeRankMap(input);
  const places = input.dumps.map((one, rank) => ({
    rank,
    attempt: 0,
    localRank: 0,
    pod: `job-${rank}`,
    container: undefined,
    node: `node-${rank}`,
    gpu: undefined,
    pids: [],
    basis: [],
    conflicts: [],
    entries: [one.source.entry],
  }));
  return computeClocks(input, { ...rankMap, places, worldSize: input.dumps.length }, events);
}

const AHEAD = 5000;

describe('calls of recorders', () => {
  const calls = (offset: number, op = 'nccl:all_reduce'): Call[] =>
    [0, 100, 200, 300].map((at) => ({ op, created: at + offset, completed: at + 40 + offset }));

  it('bound two nodes on both sides, guaranteed', () => {
    const clocks = solve(jobOf([dump(0, calls(0), [0, 1]), dump(1, calls(AHEAD), [0, 1])]));
    const found = offsetBetween(clocks, 'node-1', 'node-0');
    // Entered at t, over at t + 40 on both: 40 ms either way, and what the clocks may drift in 0.3 s.
    expect(found?.low).toBeCloseTo(AHEAD - 40, 0);
    expect(found?.high).toBeCloseTo(AHEAD + 40, 0);
    expect(found?.estimate).toBeCloseTo(AHEAD, 0);
    expect(clocks.domains.map(({ quality }) => quality)).toEqual(['good', 'good']);
  });

  it('mirror', () => {
    const clocks = solve(jobOf([dump(0, calls(0), [0, 1]), dump(1, calls(AHEAD), [0, 1])]));
    const [a, b] = [offsetBetween(clocks, 'node-1', 'node-0'), offsetBetween(clocks, 'node-0', 'node-1')];
    expect([b?.low, b?.high, b?.estimate]).toEqual([-(a?.high ?? 0), -(a?.low ?? 0), -(a?.estimate ?? 0)]);
  });

  it.each(['nccl:broadcast', 'nccl:reduce', 'nccl:gather'])('say nothing where a rank need not wait: %s', (op) => {
    const clocks = solve(jobOf([dump(0, calls(0, op), [0, 1]), dump(1, calls(AHEAD, op), [0, 1])]));
    expect(clocks.domains.map(({ offset, quality }) => [offset, quality])).toEqual([
      [undefined, 'none'],
      [undefined, 'none'],
    ]);
    expect(clocks.reference).toBeUndefined();
  });

  it('say nothing on one node: unknown, not 0', () => {
    const clocks = solve(jobOf([dump(0, calls(0), [0])]));
    expect(clocks.domains).toMatchObject([{ id: 'node-0', offset: undefined, quality: 'none', component: 0 }]);
  });

  it('are left out once they took as long as their time-out: an abort may have ended them', () => {
    const late = (offset: number, completed: number): Call[] => [
      { op: 'nccl:all_reduce', created: offset, completed: offset + 40 },
      { op: 'nccl:all_reduce', created: offset + 100, completed: offset + completed },
    ];
    // Rank 1 came to the second call 900 s late, after rank 0 had been aborted.
    const straggler: Call[] = [
      { op: 'nccl:all_reduce', created: AHEAD, completed: AHEAD + 40 },
      { op: 'nccl:all_reduce', created: AHEAD + 900_000, completed: AHEAD + 900_010 },
    ];
    const clocks = solve(jobOf([dump(0, late(0, 600_100), [0, 1]), dump(1, straggler, [0, 1])]));
    const found = offsetBetween(clocks, 'node-1', 'node-0');
    expect(found?.low).toBeLessThanOrEqual(AHEAD);
    expect(found?.high).toBeGreaterThanOrEqual(AHEAD);
  });

  it('of gloo in lockstep: likely only', () => {
    const blocking = (offset: number): Call[] =>
      [0, 100, 200, 300].map((at) => ({ op: 'gloo:all_reduce', created: at + offset, retired: true }));
    const clocks = solve(jobOf([dump(0, blocking(0), [0, 1]), dump(1, blocking(AHEAD), [0, 1])]));
    const found = offsetBetween(clocks, 'node-1', 'node-0');
    expect([found?.low, found?.high]).toEqual([-Infinity, Infinity]);
    expect(found?.likelyLow).toBeCloseTo(AHEAD - 101, 0);
    expect(found?.likelyHigh).toBeCloseTo(AHEAD + 101, 0);
    expect(clocks.domains.map(({ quality }) => quality).sort()).toEqual(['good', 'incomplete']);
  });

  it('of a pipeline: transfers between two collectives', () => {
    const send = (from: number, to: number) => `nccl:send ${from}->${to}`;
    const recv = (at: number, from: number) => `nccl:recv ${at}<-${from}`;
    const rows = (offset: number, own: number): Call[] => {
      const there = own === 0 ? send(0, 1) : recv(1, 0);
      const back = own === 0 ? recv(0, 1) : send(1, 0);
      const wide = (at: number): Call => ({
        op: 'nccl:all_reduce',
        created: at + offset,
        completed: at + 4000 + offset,
      });
      return [
        wide(0),
        { op: there, created: 5000 + offset, completed: 5010 + offset, p2p: true },
        { op: back, created: 6000 + offset, completed: 6010 + offset, p2p: true },
        wide(7000),
      ];
    };
    const clocks = solve(jobOf([dump(0, rows(0, 0), [0, 1]), dump(1, rows(AHEAD, 1), [0, 1])]));
    const found = offsetBetween(clocks, 'node-1', 'node-0');
    expect(found?.likelyLow).toBeGreaterThan(AHEAD - 20);
    expect(found?.likelyHigh).toBeLessThan(AHEAD + 20);
    expect(found?.likelyLow).toBeLessThanOrEqual(AHEAD);
    expect(found?.likelyHigh).toBeGreaterThanOrEqual(AHEAD);
  });

  it('report a clock that was set back, by its own rows', () => {
    const stepped = calls(AHEAD).map((one, i) =>
      i < 2 ? one : { ...one, created: one.created - 2000, completed: (one.completed ?? 0) - 2000 },
    );
    const { faults } = solve(jobOf([dump(0, calls(0), [0, 1]), dump(1, stepped, [0, 1])]));
    expect(faults).toMatchObject([{ kind: 'step', clocks: ['node-1'] }]);
    expect(faults?.[0]?.sizeMs).toBeLessThan(-1800);
  });

  it('order stamps across nodes, and tell what alignment changed', () => {
    const clocks = solve(jobOf([dump(0, calls(0), [0, 1]), dump(1, calls(AHEAD), [0, 1])]));
    const at = (clock: string, ms: number) => ({
      clock,
      stamp: { ns: epochNs(ns(ms)), kind: 'epoch' as const, resolutionNs: 1, zoneAssumed: false },
    });
    expect(orderOf(at('node-0', 300), at('node-1', 400 + AHEAD), clocks)).toBe('before');
    expect(orderOf(at('node-1', 400 + AHEAD), at('node-0', 300), clocks)).toBe('after');
    expect(orderOf(at('node-0', 300), at('node-1', 310 + AHEAD), clocks)).toBe('undecided');
    const moments = [
      { name: 'node-0', clock: 'node-0', rawNs: epochNs(ns(400)) },
      { name: 'node-1', clock: 'node-1', rawNs: epochNs(ns(AHEAD)) },
    ];
    expect(whatAlignmentChanged(moments, 'last', clocks)).toEqual([
      'With raw stamps node-1 looks last; aligned it is node-0.',
    ]);
    expect(whatAlignmentChanged(moments.slice(0, 1), 'last', clocks)).toEqual([]);
  });

  it('give way to what the analyst sets, with a reason', () => {
    const input = jobOf([dump(0, calls(0), [0, 1]), dump(1, calls(AHEAD), [0, 1])]);
    const { rankMap, events } = computeRankMap(input);
    const set = (reason: string) =>
      computeClocks(input, rankMap, events, [
        { clock: 'node-1', against: 'node-0', offsetMs: 1234, boundMs: 5, reason },
      ]);
    const taken = set('read off the wall clock in the rack');
    expect(offsetBetween(taken, 'node-1', 'node-0')).toMatchObject({
      estimate: expect.closeTo(1234, 3),
      low: expect.closeTo(1229, 2),
      high: expect.closeTo(1239, 2),
    });
    expect(set(' ').rejected?.map(({ text }) => text)).toEqual([
      'The setting for node-1 was not used: it has no reason.',
    ]);
  });
});
