import { describe, expect, it } from 'vitest';
import { computeClocks } from '#shared/analysis/clocks/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import type { EventBody } from '#shared/model/events.ts';
import type { ClocksFact } from '#shared/model/facts.ts';
import { entryId } from '#shared/model/ids.ts';
import type { TimeReport } from '#shared/model/time-service.ts';
import { file, incident, jobSetLabels, pod, ready } from '../rank-map/build-incident.ts';
import { at, placed } from './placed.ts';

const step = (ms: number | undefined, tool: 'chronyd' | 'journald' = 'chronyd'): EventBody => ({
  kind: 'clock-note',
  tool,
  what: 'step',
  ms,
  boundMs: undefined,
});
const wrong = (ms: number): EventBody => ({ kind: 'clock-note', tool: 'chronyd', what: 'offset', ms, boundMs: 100 });
const line: EventBody = { kind: 'progress', step: undefined, epoch: undefined };

/** Two nodes; node b says it was exact, node a what the test gives it. */
function clocks(
  events: Parameters<typeof computeClocks>[2],
  reports: readonly [string, number, number][] = [],
): ClocksFact {
  const base = incident([file('x/y.log', [ready()])], {
    pods: ['a', 'b'].map((node, i) => pod(`job-${i}`, { labels: jobSetLabels(i), node })),
  });
  const input = {
    ...base,
    entries: [
      ...base.entries,
      ...reports.map(([node], i) => ({ ...EMPTY, id: entryId(50 + i), path: `node/${node}/chrony.txt` })),
    ],
    timeReports: reports.map(
      ([, offset, t], i): TimeReport => ({
        source: { kind: 'entry', entry: entryId(50 + i) },
        tool: 'chronyc-tracking',
        offset: { lowMs: offset - 1, highMs: offset + 1, certainty: 'guaranteed' },
        at: at(t),
        synchronised: true,
        zoneMinutes: undefined,
      }),
    ),
  };
  const { rankMap } = computeRankMap(input);
  return computeClocks(input, rankMap, events);
}

/** Clock a minus clock b. */
function difference({ domains }: ClocksFact) {
  const [a, b] = ['a', 'b'].map((id) => domains.find((one) => one.id === id)?.offset);
  return a === undefined || b === undefined
    ? undefined
    : { estimate: a.estimate - b.estimate, low: (a.low ?? -Infinity) - (b.high ?? Infinity) };
}

describe('lines of time services', () => {
  it('tell how far a clock is off, as likely', () => {
    const found = clocks([placed('a', 10_000, wrong(4_700)), placed('b', 0, line)], [['b', 0, 0]]);
    expect(difference(found)?.estimate).toBeCloseTo(4_700, -2);
    expect(difference(found)?.low).toBe(-Infinity);
  });

  it('that set a clock back after the incident keep the state that was read later from being taken for the incident', () => {
    // The job wrote until 100 s of a clock that was 4.7 s ahead; chronyd set it back at 200 s; chronyc was asked at 3,600 s and saw none of it.
    const events = [
      placed('a', 0, line),
      placed('a', 100_000, line),
      placed('a', 204_700, wrong(4_700)),
      placed('a', 200_000, step(-4_700)),
      placed('b', 100_000, line),
    ];
    const found = clocks(events, [
      ['a', 0, 3_600_000],
      ['b', 0, 100_000],
    ]);
    expect(difference(found)?.estimate).toBeCloseTo(4_700, -2);
    expect(found.faults?.map(({ text }) => text)).toEqual([
      "The clock of a was set back by 4700 ms, as chronyd wrote; only what lies on the incident's side of that is used.",
    ]);
    // Without the line it would be taken at its word.
    expect(
      difference(
        clocks(events.slice(0, 2).concat(events.slice(4)), [
          ['a', 0, 3_600_000],
          ['b', 0, 100_000],
        ]),
      )?.estimate,
    ).toBeCloseTo(0, -2);
  });

  it('give way to what a service bounds itself: no clock is blamed for a line', () => {
    const events = [placed('a', 0, line), placed('a', 100_000, wrong(4_700)), placed('b', 100_000, line)];
    const found = clocks(events, [
      ['a', 0, 100_000],
      ['b', 0, 100_000],
    ]);
    expect(found.faults).toEqual([]);
    expect(difference(found)?.estimate).toBeCloseTo(0, 0);
    expect(found.rejected?.map(({ text }) => text)).toEqual([
      'Not used, since it contradicts the rest: chronyd found its clock 4700.0 ms ahead',
    ]);
  });

  it('before the job, and before all other evidence, are no fault', () => {
    const found = clocks(
      [placed('a', 0, step(86_400_000)), placed('a', 100_000, line), placed('b', 100_000, line)],
      [
        ['a', 0, 90_000],
        ['b', 0, 90_000],
      ],
    );
    expect(found.faults).toEqual([]);
    expect(difference(found)?.estimate).toBeCloseTo(0, 0);
  });

  it('of those who only noticed are told once', () => {
    const events = [
      placed('a', 0, line),
      placed('a', 50_000, step(300)),
      placed('a', 50_100, step(undefined, 'journald')),
      placed('a', 90_000, line),
    ];
    expect(clocks(events).faults?.map(({ sizeMs }) => sizeMs)).toEqual([300]);
    expect(clocks(events.filter((_, i) => i !== 1)).faults?.map(({ sizeMs }) => sizeMs)).toEqual([undefined]);
  });
});

const EMPTY = {
  bytes: 0,
  sha256: null,
  format: 'time-service',
  kind: '',
  why: '',
  status: 'read',
  detail: '',
  lines: 1,
  firstNs: null,
  lastNs: null,
  duplicateOf: null,
} as const;
