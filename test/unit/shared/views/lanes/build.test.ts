import { describe, expect, it } from 'vitest';
import {
  buildLanes,
  cellState,
  findCall,
  type Lane,
  type LanesView,
  pickCall,
  reduceCells,
  reduceSlices,
  SLICE_STATES,
  STATE,
  stepCall,
} from '#shared/views/lanes/index.ts';
import { call, type DumpFile, dumpFiles, sameProgram, simulate, times } from '../../../../support/dump-builder.ts';
import { analyseFiles } from '../../../../support/in-memory-import.ts';

type Files = ReadonlyMap<string, Uint8Array>;

const filesOf = (dumps: readonly DumpFile[], extra: Readonly<Record<string, string>> = {}): Files =>
  new Map<string, Uint8Array>([
    ...dumps.map((file): [string, Uint8Array] => [`fr/${file.path}`, file.bytes]),
    ...Object.entries(extra).map(([path, text]): [string, Uint8Array] => [path, Buffer.from(text)]),
  ]);

function lanesOf(files: Files): LanesView {
  const view = buildLanes(analyseFiles(files));
  if (view === undefined) throw new Error('nothing with a time');
  return view;
}

const rankLane = (view: LanesView, rank: number): Lane => {
  const lane = view.lanes.find((one) => one.rank === rank);
  if (lane === undefined) throw new Error(`no lane of rank ${rank}`);
  return lane;
};

const statesOf = (view: LanesView, rank: number): string[] => {
  const { callFrom, callTo } = rankLane(view, rank);
  return [...view.calls.state.subarray(callFrom, callTo)].map((state) => SLICE_STATES[state] ?? '');
};

/** Rank 2 of four stops after 30 calls; the others wait in the 31st. */
const stalled = () => {
  const job = sameProgram(4, times(40, call('all_reduce', 64)));
  job.programs[2]?.splice(30, Number.POSITIVE_INFINITY, 'stall');
  return job;
};

describe('the stored view of lanes', () => {
  it('is nothing where nothing carries a time', () => {
    expect(buildLanes(analyseFiles(new Map([['notes.txt', Buffer.from('nothing here\n')]])))).toBeUndefined();
  });

  it('holds every record of every dump, by start, with the record it came from', () => {
    const view = lanesOf(filesOf(dumpFiles(simulate(stalled()))));
    for (const rank of [0, 1, 3]) {
      const { callFrom, callTo, dumpEntry } = rankLane(view, rank);
      const starts = view.calls.startNs.subarray(callFrom, callTo);
      expect([...starts]).toEqual([...starts].sort((a, b) => a - b));
      expect([...view.calls.record.subarray(callFrom, callTo)].sort((a, b) => a - b)).toEqual(
        starts.map((_, i) => i) && [...starts.keys()],
      );
      expect(dumpEntry).not.toBeNull();
    }
  });

  it('tells who waits, since when, and who never enqueued the call', () => {
    const view = lanesOf(filesOf(dumpFiles(simulate(stalled()))));
    for (const rank of [0, 1, 3]) expect(statesOf(view, rank)).toContain('waiting');
    expect(statesOf(view, 2)).not.toContain('waiting');
    const lane = rankLane(view, 2);
    expect(lane.role).toBe('first');
    const red = statesOf(view, 2).indexOf('first') + lane.callFrom;
    expect(view.calls.seq[red]).toBe(31);
    expect(view.calls.record[red]).toBe(-1);
    expect(Number.isNaN(view.calls.endNs[red])).toBe(true);
  });

  it('gives gloo no end that it did not record, and calls only the last retired one of unknown result', () => {
    const job = { ...sameProgram(2, times(5, call('all_reduce', 64))), backend: 'gloo' as const, ahead: 0 };
    const view = lanesOf(filesOf(dumpFiles(simulate(job))));
    expect(statesOf(view, 0)).toEqual(['completed', 'completed', 'completed', 'completed', 'ended']);
    expect([...view.calls.endNs].every(Number.isNaN)).toBe(true);
  });

  it('draws a rank without a dump as missing, and with an empty one too', () => {
    const files = new Map(filesOf(dumpFiles(simulate(stalled()), {}, [1])));
    files.set('fr/nccl_trace_rank_1', new Uint8Array());
    const view = lanesOf(files);
    expect(rankLane(view, 1).dump).toBe('empty');
    const at = view.lanes.findIndex((one) => one.rank === 1);
    const cells = reduceCells(view, {
      basis: 'raw',
      from: 0,
      to: view.endNs,
      columns: 40,
      lanes: [at],
      lanesPerRow: 1,
    });
    expect(new Set([...cells].map(cellState))).toEqual(new Set([STATE.missing]));
  });

  it('does not depend on the order of files', () => {
    const files = filesOf(dumpFiles(simulate(stalled())), {
      'logs/a.log': '2026-02-18T10:00:00.5Z [rank1]: ValueError: bad\n',
    });
    expect(lanesOf(new Map([...files].reverse()))).toEqual(lanesOf(files));
  });

  it('keeps one absurd stamp from stretching the axis', () => {
    const day = (text: string) => `${text} [rank0]: INFO step 1\n`;
    const lines = ['2026-02-18T10:00:00.0Z', '2026-02-18T10:00:05.0Z'].map(day).join('');
    const view = lanesOf(
      new Map([
        ['logs/rank-0.log', Buffer.from(lines)],
        ['logs/rank-1.log', Buffer.from(lines)],
        ['logs/rank-2.log', Buffer.from(day('1999-01-01T00:00:00.0Z'))],
      ]),
    );
    expect(view.endNs).toBe(5e9);
  });

  it('survives hostile names', () => {
    const view = lanesOf(
      new Map([
        ['logs/__proto__.log', Buffer.from('2026-02-18T10:00:00.5Z [rank1]: ValueError: __proto__ <img src=x>\n')],
      ]),
    );
    expect(view.lanes.length).toBeGreaterThan(0);
    expect(Object.prototype).not.toHaveProperty('atNs');
  });
});

describe('questions about single calls', () => {
  const view = lanesOf(filesOf(dumpFiles(simulate(stalled()))));
  const lane = view.lanes.findIndex((one) => one.rank === 0);

  it('steps forth and back along a lane and stops at its ends', () => {
    const first = stepCall(view, lane, { call: null, at: -1, basis: 'raw', by: 1 });
    expect(first).toMatchObject({ seq: 1, op: 'all_reduce', record: 0 });
    const second = stepCall(view, lane, { call: first?.call ?? null, at: 0, basis: 'raw', by: 1 });
    expect(second?.seq).toBe(2);
    expect(stepCall(view, lane, { call: second?.call ?? null, at: 0, basis: 'raw', by: -1 })).toEqual(first);
    expect(stepCall(view, lane, { call: first?.call ?? null, at: 0, basis: 'raw', by: -1 })).toBeNull();
  });

  it('finds a call by group and number, null where the rank has none', () => {
    expect(findCall(view, 3, '0', 31, 'raw')).toMatchObject({ state: STATE.waiting, seq: 31 });
    expect(findCall(view, 3, '0', 4000, 'raw')).toBeNull();
    expect(findCall(view, 77, '0', 1, 'raw')).toBeNull();
  });

  it('picks the worst of several lanes', () => {
    const lanes = view.lanes.map((_, i) => i);
    const span = { basis: 'raw' as const, from: view.endNs - 1, to: view.endNs };
    const { call: worst, states } = pickCall(view, lanes, span);
    expect(worst).toMatchObject({ state: STATE.first, lane: view.lanes.findIndex((one) => one.rank === 2) });
    expect(states[STATE.waiting]).toBe(3);
  });

  it('hands out slices, or nothing where there would be too many', () => {
    const request = { basis: 'raw' as const, from: 0, to: view.endNs, columns: 5000, lanes: [lane] };
    const slices = reduceSlices(view, { ...request, maxSlices: 100 });
    expect([...(slices?.state ?? [])]).toContain(STATE.waiting);
    expect(slices?.count.reduce((a, b) => a + b, 0)).toBe(
      view.lanes[lane] === undefined ? 0 : view.lanes[lane].callTo - view.lanes[lane].callFrom,
    );
    expect(reduceSlices(view, { ...request, maxSlices: 1, columns: 1_000_000 })).toBeUndefined();
  });
});
