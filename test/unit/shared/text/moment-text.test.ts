import { describe, expect, it } from 'vitest';
import { bracketLine, bracketTimes, clockWords, whenLine } from '#shared/text/moment-text.ts';

const end = (time: string, clock: string, boundMs: number | null, timeBasis: 'raw' | 'corrected') => ({
  ...{ time, clock, boundMs, timeBasis },
  ...{ rank: 3, text: 'step 30' },
});
const same = (time: string): string => time;

describe('times in words', () => {
  it.each([
    [{ boundMs: 38, timeBasis: 'corrected', clock: 'n1' }, '±38 ms, clock of n1'],
    [{ boundMs: null, timeBasis: 'corrected', clock: 'n1' }, 'bound unknown, clock of n1'],
    [{ boundMs: 0, timeBasis: 'corrected', clock: 'n1' }, 'reference clock n1'],
    [{ boundMs: null, timeBasis: 'raw', clock: 'n1' }, 'raw, clock of n1'],
    [{ boundMs: 5, timeBasis: 'raw', clock: null }, 'raw, clock not known'],
    [{ boundMs: null, timeBasis: null, clock: null }, 'raw, clock not known'],
  ] as const)('%j carries %s', (moment, words) => expect(clockWords(moment)).toBe(words));

  it('name the clock of both ends once where it is one and as sure', () => {
    const until = end('B', 'n1', 38, 'corrected');
    const of = (from: ReturnType<typeof end> | null) => ({ from, until, latenessMs: 1000 });
    expect(bracketTimes(of(end('A', 'n1', 38, 'corrected')), same)).toBe(
      'stalled between A and B (±38 ms, clock of n1)',
    );
    expect(bracketTimes(of(end('A', 'n2', null, 'raw')), same)).toBe(
      'stalled between A (raw, clock of n2) and B (±38 ms, clock of n1)',
    );
    expect(bracketTimes(of(null), same)).toBe('stalled before B (±38 ms, clock of n1)');
    expect(bracketLine(of(null), same)).toMatch(/^stalled before B .*; nothing that it did before has a time$/);
  });

  it('are none where neither a moment nor a bracket is told', () => {
    expect(whenLine({ at: null }, same)).toBe('');
    expect(whenLine({ at: { time: 'A', boundMs: 3 } }, same)).toBe('A (±3 ms, clock not known)');
  });
});
