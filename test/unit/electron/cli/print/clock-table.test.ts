import { describe, expect, it } from 'vitest';
import { clockMarkdown } from '#shared/report/clock-markdown.ts';
import type { ReportClock, ReportClockDomain } from '#shared/report/clock-schema.ts';
import { md } from '#shared/report/render-markdown.ts';
import type { Report } from '#shared/report/schema.ts';
import { clockLines } from '../../../../../electron/cli/print/clock-table.ts';
import { createPaint } from '../../../../../electron/cli/print/paint.ts';

const PLAIN = { width: 100, paint: createPaint(false), unicode: true };

const domain = (id: string, of: Partial<ReportClockDomain> = {}): ReportClockDomain => ({
  id,
  kind: 'node',
  offsetMs: null,
  driftPpm: null,
  quality: 'none',
  anchors: 0,
  basis: [],
  component: 0,
  ...of,
});
const known = (id: string, estimate: number, half: number): ReportClockDomain =>
  domain(id, {
    offsetMs: { estimate, low: estimate - half, high: null, likelyLow: estimate - 1, likelyHigh: estimate + 1 },
    anchors: 41,
    quality: 'incomplete',
  });
const ZERO = { estimate: 0, low: 0, high: 0, likelyLow: 0, likelyHigh: 0 };

const linesOf = (clock: ReportClock, context = PLAIN): string[] =>
  // The table reads nothing else.
  clockLines({ clock } as Report, context);

const CLOCK: ReportClock = {
  reference: 'node-a',
  domains: [
    domain('node-a', { offsetMs: ZERO, quality: 'good', anchors: 9 }),
    known('node-b', -55.94, 38),
    domain('node-c'),
  ],
};

describe('the printed clocks', () => {
  it('name the reference, give both intervals, and never show unknown as a number', () => {
    const lines = linesOf(CLOCK);
    expect(lines.map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
      'Clock | Offset, ms | Guaranteed | Likely | Anchors | Quality',
      'node-a | reference | 9 | good',
      'node-b | −55.9 | [−93.9, …] | [−56.9, −54.9] | 41 | incomplete',
      'node-c | unknown | 0 | none',
    ]);
  });

  it('use no sign that a plain terminal lacks', () => {
    expect(linesOf(CLOCK, { ...PLAIN, unicode: false }).join('\n')).toContain('-55.9');
    expect(linesOf(CLOCK, { ...PLAIN, unicode: false }).join('')).toMatch(/^[\x20-\x7e]*$/);
  });

  it('say in one sentence that nothing relates the clocks', () => {
    expect(linesOf({ reference: null, domains: [domain('a'), domain('b')] })).toEqual([
      '  2 clocks, and nothing relates them: times of different clocks are not compared.',
    ]);
    expect(linesOf({ reference: null, domains: [domain('a')] })).toEqual([]);
  });

  it('show the least certain clocks where there are too many', () => {
    const many = Array.from({ length: 20 }, (_, i) => known(`node-${10 + i}`, 5, i));
    const closed = many.map((one, i) => ({ ...one, offsetMs: one.offsetMs && { ...one.offsetMs, high: 5 + i } }));
    const lines = linesOf({ reference: 'node-10', domains: [...closed, domain('alone')] });
    expect(lines[1]).toContain('alone');
    expect(lines[2]).toContain('node-29');
    expect(lines.at(-1)).toBe('  and 5 more in the report');
  });
});

describe('what was found about clocks', () => {
  const told: ReportClock = {
    ...CLOCK,
    overrides: [{ clock: 'node-b', against: 'node-a', offsetMs: 1234, boundMs: 5, reason: 'read off <the> wall' }],
    faults: [
      {
        kind: 'step',
        clocks: ['node-c'],
        sizeMs: -80,
        after: null,
        before: null,
        cycle: ['call 7', 'call 9'],
        text: 'The clock of node-c was set back.',
      },
    ],
    changed: ['With raw stamps node-a looks first; aligned it is node-b.'],
    rejected: [{ text: 'Not used, since it contradicts the rest: a Lease', count: 3 }],
    zones: [
      {
        file: 'a.log',
        pod: null,
        minutes: 330,
        candidates: [330],
        proof: 'container',
        anchors: 0,
        text: 'no other zone fits',
      },
      {
        file: 'b.log',
        pod: null,
        minutes: 0,
        candidates: [0],
        proof: 'container',
        anchors: 0,
        text: 'no other zone fits',
      },
      { file: 'c.log', pod: null, minutes: null, candidates: [], proof: null, anchors: 0, text: 'nothing' },
    ],
  };

  it('is listed below the table: set, faulty, changed, left out, and zones that move a time', () => {
    const text = linesOf(told).join(' ').replace(/\s+/g, ' ');
    expect(text).toContain('Set by an analyst: node-b +1234 ms against node-a, ±5 ms. Reason: read off <the> wall');
    expect(text).toContain('The clock of node-c was set back. Excluding each other: call 7; call 9.');
    expect(text).toContain('With raw stamps node-a looks first; aligned it is node-b.');
    expect(text).toContain('Not used, since it contradicts the rest: a Lease (3 times)');
    expect(text).toContain('a.log is written in UTC+5:30: no other zone fits.');
    expect(text).toContain('The zone of 1 log is not known; its times are compared with nothing outside of it: c.log.');
    expect(text).not.toContain('b.log');
  });

  it('stands in the Markdown, escaped', () => {
    const text = clockMarkdown({ clock: told } as Report, md);
    expect(text).toContain('| node-a | reference |  |  | 9 | good |');
    expect(text).toContain('| node-b | −55.9 ms | [−93.9, …] |');
    expect(text).toContain('Reason: read off \\<the\\> wall');
  });
});
