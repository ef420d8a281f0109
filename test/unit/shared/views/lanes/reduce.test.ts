import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundHalfNs,
  cellShare,
  cellState,
  countWaiting,
  type Lane,
  type LaneClock,
  type LanesView,
  orderToFault,
  reduceCells,
  STATE,
} from '#shared/views/lanes/index.ts';

const CLOCK: LaneClock = {
  id: 'a',
  kind: 'node',
  offsetNs: null,
  momentNs: 0,
  drift: 0,
  reference: false,
  toFaultNs: null,
};
const offset = (estimate: number, half: number, likely = half) => ({
  estimate,
  low: estimate - half,
  high: estimate + half,
  likelyLow: estimate - likely,
  likelyHigh: estimate + likely,
});

interface Slice {
  readonly from: number;
  readonly to: number;
  readonly state: number;
}

/** One lane for each list of slices; times in ns. */
function viewOf(lanes: readonly (readonly Slice[])[], change: Partial<Lane> = {}): LanesView {
  const all = lanes.map((list) => [...list].sort((a, b) => a.from - b.from));
  const flat = all.flat();
  let at = 0;
  return {
    version: 1,
    originNs: '0',
    endNs: 1000,
    clocks: [CLOCK],
    groups: [],
    strings: ['op'],
    kinds: [],
    sections: [],
    lanes: all.map((list, rank): Lane => {
      const callFrom = at;
      at += list.length;
      return {
        id: `rank-${rank}`,
        kind: 'rank',
        rank,
        localRank: null,
        pod: null,
        node: null,
        gpu: null,
        clock: 0,
        role: 'unknown',
        dump: 'present',
        dumpEntry: 0,
        undated: 0,
        heldFromNs: null,
        log: 'none',
        logFromNs: null,
        logToNs: null,
        openUntilNs: null,
        exit: null,
        callFrom,
        callTo: at,
        instantFrom: 0,
        instantTo: 0,
        ...change,
      };
    }),
    calls: {
      length: flat.length,
      startNs: Float64Array.from(flat, (one) => one.from),
      endNs: Float64Array.from(flat, (one) => one.to),
      state: Uint8Array.from(flat, (one) => one.state),
      group: new Int32Array(flat.length),
      seq: new Int32Array(flat.length),
      op: new Int32Array(flat.length),
      record: new Int32Array(flat.length),
    },
    instants: {
      length: 0,
      atNs: new Float64Array(0),
      kind: new Uint16Array(0),
      severity: new Uint8Array(0),
      clock: new Int16Array(0),
      entry: new Int32Array(0),
      line: new Int32Array(0),
      text: new Int32Array(0),
    },
    sources: [],
    marks: [],
    files: [],
    outside: 0,
    instantsLeftOut: 0,
  };
}

const whole = { basis: 'raw' as const, from: 0, to: 1000 };
const slices = fc.array(
  fc.record({
    from: fc.integer({ min: 0, max: 999 }),
    length: fc.integer({ min: 0, max: 400 }),
    state: fc.constantFrom(1, 3, 5, 7, 8, 9),
  }),
  { maxLength: 80 },
);

describe('lanes as cells', () => {
  it('lets the worst win in every pixel, whatever blocks it is found by', () => {
    fc.assert(
      fc.property(
        fc.array(slices, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(1, 8, 64, 256),
        (lists, columns) => {
          const lanes = lists.map((list) =>
            list.map(({ from, length, state }) => ({ from, to: Math.min(999, from + length), state })),
          );
          const cells = reduceCells(viewOf(lanes), {
            ...whole,
            to: 1024,
            columns,
            lanes: lanes.map((_, i) => i),
            lanesPerRow: 1,
          });
          // Powers of two, so that both sides round alike.
          const perPx = 1024 / columns;
          lanes.forEach((list, row) => {
            for (let x = 0; x < columns; x++) {
              const touching = list.filter(
                (one) => Math.floor(one.from / perPx) <= x && Math.min(columns - 1, Math.floor(one.to / perPx)) >= x,
              );
              const worst = touching.reduce((most, one) => Math.max(most, one.state), 0);
              expect(cellState(cells[row * columns + x] ?? 0)).toBe(worst);
            }
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keeps a bad call out of the pixel before it, where a block of calls lies over the border', () => {
    const calls = [
      { from: 380, to: 380, state: STATE.completed },
      { from: 512, to: 512, state: STATE.first },
    ];
    const later = [{ from: 500, to: 500, state: STATE.completed }, ...calls.slice(1)];
    const request = { ...whole, to: 1024, columns: 8, lanesPerRow: 1 };
    const cells = reduceCells(viewOf([calls, later]), { ...request, lanes: [0, 1] });
    expect([...cells].map(cellState)).toEqual([
      ...[0, 0, STATE.completed, 0, STATE.first, 0, 0, 0],
      ...[0, 0, 0, STATE.completed, STATE.first, 0, 0, 0],
    ]);
  });

  it('never averages one bad lane of thousands away', () => {
    const lanes = Array.from({ length: 4096 }, (_, i) => [
      { from: 0, to: 999, state: i === 1851 ? STATE.first : STATE.completed },
    ]);
    const view = viewOf(lanes);
    const cells = reduceCells(view, { ...whole, columns: 10, lanes: lanes.map((_, i) => i), lanesPerRow: 8 });
    const red = [...cells.keys()].filter((i) => cellState(cells[i] ?? 0) === STATE.first);
    expect(new Set(red.map((i) => Math.floor(i / 10)))).toEqual(new Set([Math.floor(1851 / 8)]));
    expect(red).toHaveLength(10);
  });

  it('shades completed calls by their share of the time', () => {
    const view = viewOf([
      [
        { from: 0, to: 100, state: 1 },
        { from: 100, to: 120, state: 1 },
      ],
    ]);
    const cells = reduceCells(view, { ...whole, columns: 10, lanes: [0], lanesPerRow: 1 });
    expect([cellShare(cells[0] ?? 0), cellShare(cells[1] ?? 0), cells[2]]).toEqual([5, 1, 0]);
  });

  it('says what was overwritten before the oldest record', () => {
    const view = viewOf([[{ from: 500, to: 600, state: 1 }]], { heldFromNs: 500 });
    const cells = reduceCells(view, { ...whole, columns: 10, lanes: [0], lanesPerRow: 1 });
    expect([...cells].map(cellState)).toEqual([4, 4, 4, 4, 4, 4, 1, 0, 0, 0]);
    expect(cellShare(cells[0] ?? 0)).toBe(3);
  });
});

describe('ranks that wait', () => {
  it('counts a rank once, however many calls it waits in', () => {
    const view = viewOf([
      [
        { from: 200, to: 800, state: STATE.waiting },
        { from: 300, to: 900, state: STATE.waiting },
      ],
      [{ from: 500, to: 900, state: STATE.waiting }],
    ]);
    expect([...countWaiting(view, { ...whole, columns: 10 })]).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 2, 0]);
  });
});

describe('order to the first fault', () => {
  const fault = { atNs: 1000, clock: { ...CLOCK, id: 'f', toFaultNs: offset(0, 0) } };
  const at = (estimate: number, half: number, likely: number, raw: number) =>
    orderToFault({ ...CLOCK, toFaultNs: offset(estimate, half, likely) }, raw, fault);

  it('is certain only where the guaranteed interval decides', () => {
    expect(at(0, 10, 2, 900)).toMatchObject({ order: 'certain', side: -1, gapNs: -100, low: -110, high: -90 });
    expect(at(0, 200, 2, 900)).toMatchObject({ order: 'likely', side: -1 });
    expect(at(0, 200, 150, 900)).toMatchObject({ order: 'undecided' });
  });

  it('takes the offset off before it compares', () => {
    expect(at(500, 10, 2, 1400)).toMatchObject({ order: 'certain', side: -1, gapNs: -100 });
  });

  it('widens with the distance from the moment the offset is given for', () => {
    const drifting = { ...CLOCK, drift: 0.5, momentNs: 0, toFaultNs: offset(0, 10, 2) };
    expect(orderToFault(drifting, 900, fault)?.order).toBe('undecided');
  });

  it('says nothing where nothing relates the clocks', () => {
    expect(orderToFault(CLOCK, 900, fault)).toBeUndefined();
    expect(orderToFault(undefined, 900, fault)).toBeUndefined();
    expect(boundHalfNs(CLOCK, 900)).toBeNull();
  });
});
