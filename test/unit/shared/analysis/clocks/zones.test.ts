import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindZones } from '#shared/analysis/clocks/zones/index.ts';
import { UNTOLD_PLACE } from '#shared/formats/log/path-facts.ts';
import { type EventBody, type LogEvent, type LogStream, UNTOLD_ORIGIN } from '#shared/model/events.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import { entryId } from '#shared/model/ids.ts';
import type { ContainerState, PodObject } from '#shared/model/kubernetes.ts';
import { epochNs, type Stamp } from '#shared/model/time.ts';
import { pod } from '../rank-map/build-incident.ts';

const BASE_S = 1_800_000_000;
const HOUR_S = 3600;
const ns = (seconds: number) => epochNs(BigInt(Math.round((BASE_S + seconds) * 1e6)) * 1000n);
const local = (seconds: number, resolutionNs = 1000): Stamp => ({
  ns: ns(seconds),
  kind: 'local',
  resolutionNs,
  zoneAssumed: true,
});
const runtime = (seconds: number): Stamp => ({ ns: ns(seconds), kind: 'runtime', resolutionNs: 1, zoneAssumed: false });
const NOTE: EventBody = { kind: 'progress', step: 1, epoch: undefined };

interface LineOf {
  readonly entry?: number;
  readonly line?: number;
  readonly stamp: Stamp;
  readonly inner?: Stamp;
  readonly text?: string;
  readonly rank?: number;
  readonly body?: EventBody;
}

const event = ({ entry = 0, line = 1, stamp, inner, text = 'a line', rank, body = NOTE }: LineOf): LogEvent => ({
  body,
  ...UNTOLD_ORIGIN,
  stamp,
  innerStamp: inner,
  rank,
  rankBasis: rank === undefined ? undefined : 'rank-prefix',
  text,
  source: { kind: 'line', entry: entryId(entry), line, byte: line * 100, length: 99 },
  lastLine: line,
});

const stream = (first: Stamp, last: Stamp, of: Partial<LogStream> = {}): LogStream => ({
  ...UNTOLD_PLACE,
  pod: 'job-0',
  container: 'trainer',
  lines: 2,
  first: { stamp: first, source: { kind: 'line', entry: entryId(0), line: 1, byte: 0, length: 9 } },
  last: { stamp: last, source: { kind: 'line', entry: entryId(0), line: 2, byte: 10, length: 9 } },
  lastLine: undefined,
  ranks: [],
  ...of,
});

/** As the API server shows it: whole seconds, cut. */
function ended(from: number, to: number): PodObject {
  const whole = (seconds: number) => epochNs(BigInt(Math.floor(BASE_S + seconds)) * 1_000_000_000n);
  const container: ContainerState = {
    name: 'trainer',
    init: false,
    containerId: undefined,
    restartCount: 0,
    ready: false,
    runningSince: undefined,
    waiting: undefined,
    terminated: {
      exitCode: 1,
      signal: undefined,
      reason: 'Error',
      message: undefined,
      startedAt: whole(from),
      finishedAt: whole(to),
      containerId: undefined,
    },
    lastTerminated: undefined,
  };
  return pod('job-0', { node: 'node-a', containers: [container] });
}

const NONE = { events: [], streams: [], pods: [], dumps: [] } as const;

describe('zone of a log by the life of its container', () => {
  it('takes the one zone that fits, and the stamps then carry it', () => {
    const [first, last] = [local(5.5 * HOUR_S + 4), local(5.5 * HOUR_S + 7195)];
    const found = bindZones({
      ...NONE,
      events: [event({ stamp: first })],
      streams: [stream(first, last)],
      pods: [ended(0, 7200)],
    });
    expect(found.zones).toMatchObject([{ minutes: 330, proof: 'container' }]);
    expect(found.events[0]?.stamp).toEqual({ ns: ns(4), kind: 'zoned', resolutionNs: 1000, zoneAssumed: false });
    expect(found.streams[0]?.last?.stamp.ns).toBe(ns(7195));
  });

  it('leaves several zones open where the lines cover little of a long life', () => {
    const [first, last] = [local(4000), local(4100)];
    const found = bindZones({ ...NONE, streams: [stream(first, last)], pods: [ended(0, 7200)] });
    // 4,100 s − 7,201 s … 4,000 s: from −51 to 66 minutes.
    expect(found.zones).toMatchObject([{ minutes: undefined, candidates: [-45, -30, -15, 0, 15, 30, 45, 60] }]);
    expect(found.streams[0]?.first?.stamp).toEqual(first);
  });

  it('proves nothing of files that a launcher writes: they may be older than the container', () => {
    const [first, last] = [local(4), local(7195)];
    const of = { attempt: 0, localRank: 1 };
    const found = bindZones({ ...NONE, streams: [stream(first, last, of)], pods: [ended(0, 7200)] });
    expect(found.zones).toMatchObject([{ minutes: undefined, candidates: [] }]);
  });

  it('never names a wrong zone, whatever the log covers of the life', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -48, max: 56 }),
        fc.double({ min: 60, max: 200_000, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (quarters, life, a, b) => {
          const shift = quarters * 900;
          const at = (share: number) => local(0.3 + life * share + shift);
          const [first, last] = [at(Math.min(a, b)), at(Math.max(a, b))];
          const [zone] = bindZones({
            ...NONE,
            streams: [stream(first, last)],
            pods: [ended(0.3, 0.3 + life)],
          }).zones;
          expect([quarters * 15, undefined]).toContain(zone?.minutes);
          expect(zone?.candidates).toContain(quarters * 15 === 0 ? 0 : quarters * 15);
        },
      ),
    );
  });
});

describe('zone of a log by copies of its lines', () => {
  const copies = (count: number, delay: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => i).flatMap((i) => [
      event({ line: i + 1, stamp: local(i * 10 - 8 * HOUR_S), text: `step ${i}` }),
      event({
        entry: 1,
        line: i + 1,
        stamp: runtime(i * 10 + delay(i)),
        inner: local(i * 10 - 8 * HOUR_S),
        text: `step ${i}`,
      }),
    ]);

  it('takes three lines that agree, however late the runtime wrote them within two minutes', () => {
    const found = bindZones({ ...NONE, events: copies(3, (i) => i * 40) });
    expect(found.zones).toMatchObject([{ entry: 0, minutes: -480, proof: 'same-line', anchors: 3 }]);
    expect(found.events[0]?.stamp?.ns).toBe(ns(0));
    // The copy keeps its runtime's stamp.
    expect(found.events[1]?.stamp).toEqual(runtime(0));
  });

  it.each([
    ['two lines', copies(2, () => 0.1)],
    ['lines that disagree', copies(4, (i) => (i === 3 ? 900 : 0.1))],
    ['lines between two zones', copies(3, () => 400)],
  ])('does not take %s', (_, events) => {
    expect(bindZones({ ...NONE, events }).zones).toMatchObject([{ minutes: undefined }]);
  });

  it('does not take a zone that puts the log outside the life of its container', () => {
    const events = copies(3, () => 0.1);
    const streams = [stream(local(-8 * HOUR_S), local(20 - 8 * HOUR_S))];
    const [zone] = bindZones({ ...NONE, events, streams, pods: [ended(7200, 7300)] }).zones;
    expect(zone).toMatchObject({ minutes: undefined, text: expect.stringContaining('outside the life') });
  });

  it('hands a proven zone on to a log of the same Pod that repeats a line', () => {
    const written = local(2 * HOUR_S + 4);
    const found = bindZones({
      ...NONE,
      events: [event({ stamp: written, text: 'said twice' }), event({ entry: 1, stamp: written, text: 'said twice' })],
      streams: [
        stream(written, local(2 * HOUR_S + 7195)),
        stream(written, written, {
          attempt: 0,
          first: { stamp: written, source: { kind: 'line', entry: entryId(1), line: 1, byte: 0, length: 9 } },
        }),
      ],
      pods: [ended(0, 7200)],
    });
    expect(found.zones).toMatchObject([
      { entry: 0, minutes: 120, proof: 'container' },
      { entry: 1, minutes: 120, proof: 'copy' },
    ]);
    expect(found.events[1]?.stamp).toMatchObject({ ns: ns(4), zoneAssumed: false });
  });
});

describe('zone of a log by the recorder of the same rank', () => {
  const timeout = (seconds: number, seq: number, rank: number, op = 'ALLREDUCE'): LogEvent =>
    event({
      stamp: local(seconds, 1e9),
      rank,
      body: {
        kind: 'collective-timeout',
        seq,
        op,
        numelIn: 1,
        numelOut: 1,
        timeoutMs: 600_000,
        ranMs: 600_020,
        group: { id: '0', guid: '0', desc: 'default_pg', rank },
        blockingWait: false,
      },
    });
  const dump = (createdS: number): FlightRecorderDump => ({
    source: { kind: 'entry', entry: entryId(7) },
    encoding: 'pickle',
    version: '2.10',
    library: undefined,
    nameRank: 3,
    groups: [],
    status: [],
    strings: ['0', 'default_pg', 'nccl:all_reduce'],
    shapes: [],
    stacks: [],
    frames: [],
    truncatedAt: undefined,
    unknownKeys: [],
    columns: {
      length: 1,
      recordId: Int32Array.of(0),
      pgId: Int32Array.of(0),
      groupName: Int32Array.of(0),
      groupDesc: Int32Array.of(1),
      collectiveSeq: Float64Array.of(41),
      p2pSeq: Float64Array.of(0),
      opId: Float64Array.of(41),
      op: Int32Array.of(2),
      isP2p: Uint8Array.of(0),
      createdNs: BigInt64Array.of(ns(createdS)),
      startedNs: BigInt64Array.of(0n),
      completedNs: BigInt64Array.of(0n),
      durationMs: Float64Array.of(Number.NaN),
      state: Uint8Array.of(0),
      retired: Uint8Array.of(0),
      timeoutMs: Float64Array.of(600_000),
      inputSizes: Int32Array.of(-1),
      outputSizes: Int32Array.of(-1),
      inputDtypes: Int32Array.of(-1),
      outputDtypes: Int32Array.of(-1),
      stack: Int32Array.of(-1),
      extra: Int32Array.of(-1),
    },
  });
  const zoneOf = (line: LogEvent, created = 100) =>
    bindZones({ ...NONE, events: [line], dumps: [dump(created)] }).zones[0];

  it('takes one timeout line that counts back to the very call', () => {
    expect(zoneOf(timeout(100 + 600 + 9 * HOUR_S, 41, 3))).toMatchObject({ minutes: 540, proof: 'call', anchors: 1 });
  });

  it.each([
    ['another call', timeout(700 + 9 * HOUR_S, 42, 3)],
    ['another rank', timeout(700 + 9 * HOUR_S, 41, 2)],
    ['another operation', timeout(700 + 9 * HOUR_S, 41, 3, 'BROADCAST')],
    ['a moment between two zones', timeout(760 + 9 * HOUR_S, 41, 3)],
  ])('does not take %s', (_, line) => {
    expect(zoneOf(line)?.minutes).toBeUndefined();
  });

  it('believes the groups of a dump, not a name that they contradict', () => {
    const ofRank2 = { ...dump(100), groups: [{ key: '0', name: '0', desc: 'default_pg', ranks: [2] }] };
    const zoneBy = (line: LogEvent) => bindZones({ ...NONE, events: [line], dumps: [ofRank2] }).zones[0];
    const seconds = 100 + 600 + 9 * HOUR_S;
    expect(ofRank2.nameRank).toBe(3);
    expect(zoneBy(timeout(seconds, 41, 3))?.minutes).toBeUndefined();
    expect(zoneBy(timeout(seconds, 41, 2))).toMatchObject({ minutes: 540, proof: 'call', anchors: 1 });
  });

  it('proves nothing by a dump that may belong to several ranks', () => {
    const ofSome = { ...dump(100), groups: [{ key: '0', name: '0', desc: 'default_pg', ranks: [1, 2] }] };
    const lines = [1, 2, 3].map((rank) => timeout(100 + 600 + 9 * HOUR_S, 41, rank));
    for (const line of lines)
      expect(bindZones({ ...NONE, events: [line], dumps: [ofSome] }).zones[0]?.minutes).toBeUndefined();
  });
});
