import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Clocked, canCompare, computeClocks } from '#shared/analysis/clocks/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { Stamp } from '#shared/model/time.ts';
import { announced, file, incident, jobSetLabels, pod, ready, stamp } from '../rank-map/build-incident.ts';

const at = (ns: number, parts: Partial<Stamp> = {}): Stamp => ({
  ...stamp('2026-03-14T10:00:00Z'),
  ns: BigInt(ns) as Stamp['ns'],
  resolutionNs: 1,
  kind: 'runtime',
  ...parts,
});
const on = (clock: string | undefined, value: Stamp, stream?: object): Clocked => ({ clock, stamp: value, stream });
const oneStream = {};

describe('order of two stamps', () => {
  const second = { resolutionNs: 1_000_000_000 };
  it.each([
    ['one clock', on('n', at(5)), on('n', at(6)), 'before'],
    ['one clock, turned', on('n', at(6)), on('n', at(5)), 'after'],
    ['the same instant', on('n', at(5)), on('n', at(5)), 'undecided'],
    ['two clocks', on('n', at(5)), on('m', at(9_000_000_000)), 'undecided'],
    ['no clock', on(undefined, at(5)), on(undefined, at(6)), 'undecided'],
    ['a whole second may be later than it says', on('n', at(0, second)), on('n', at(999_999_999)), 'undecided'],
    ['a whole second is over', on('n', at(0, second)), on('n', at(1_000_000_000)), 'before'],
    ['a fraction before a whole second', on('n', at(999_999_999)), on('n', at(1_000_000_000, second)), 'before'],
    [
      'kinds with a zone are of one class',
      on('n', at(5, { kind: 'epoch' })),
      on('n', at(6, { kind: 'zoned' })),
      'before',
    ],
    [
      'a stamp without zone against one with',
      on('n', at(5, { kind: 'local', zoneAssumed: true })),
      on('n', at(3_600_000_000_000)),
      'undecided',
    ],
    [
      'in one stream too',
      on('n', at(5, { kind: 'local', zoneAssumed: true }), oneStream),
      on('n', at(3_600_000_000_000), oneStream),
      'undecided',
    ],
    [
      'two without zone in one stream',
      on('n', at(5, { kind: 'local', zoneAssumed: true }), oneStream),
      on('n', at(6, { kind: 'local', zoneAssumed: true }), oneStream),
      'before',
    ],
    [
      'two without zone in two streams',
      on('n', at(5, { kind: 'local', zoneAssumed: true }), {}),
      on('n', at(6, { kind: 'local', zoneAssumed: true }), {}),
      'undecided',
    ],
    ['stamps since boot against a wall clock', on('n', at(5, { kind: 'boot' })), on('n', at(6)), 'undecided'],
  ] as const)('%s', (_name, a, b, expected) => {
    expect(canCompare(a, b)).toBe(expected);
  });

  it('mirrors', () => {
    const side = fc.record({
      clock: fc.constantFrom('n', 'm'),
      ns: fc.integer({ min: 0, max: 50 }),
      resolutionNs: fc.constantFrom(1, 10),
      kind: fc.constantFrom('runtime' as const, 'api' as const, 'local' as const),
    });
    const turned = {
      before: 'after',
      after: 'before',
      undecided: 'undecided',
      'likely-before': 'likely-after',
      'likely-after': 'likely-before',
    };
    fc.assert(
      fc.property(side, side, (a, b) => {
        const [left, right] = [a, b].map(({ clock, ns, ...parts }) => on(clock, at(ns, parts), oneStream));
        if (left === undefined || right === undefined) return;
        expect(canCompare(right, left)).toBe(turned[canCompare(left, right)]);
      }),
    );
  });
});

describe('clock domains', () => {
  it('lists nodes, the API server and streams, none of them known', () => {
    const pods = [pod('job-0', { labels: jobSetLabels(0), created: stamp('2026-03-14T10:00:00Z').ns })];
    const input = incident([file('job-0.log', [announced(0, 1, 0, 5)]), file('x/y.log', [ready()])], { pods });
    const { rankMap, events } = computeRankMap(input);
    const clocks = computeClocks(input, rankMap, events);
    expect(clocks.reference).toBeUndefined();
    expect(
      clocks.domains.map(({ id, kind, component, offset, quality }) => [id, kind, component, offset, quality]),
    ).toEqual([
      ['api', 'api', 0, undefined, 'none'],
      ['node-of-job-0', 'node', 1, undefined, 'none'],
      ['x/y.log', 'stream', 2, undefined, 'none'],
    ]);
  });
});
