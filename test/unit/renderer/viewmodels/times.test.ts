import { describe, expect, it } from 'vitest';
import {
  calendarDay,
  calendarDayShort,
  formatBound,
  rangeDuration,
  spanMs,
  timeOfDay,
  timeOfDayShort,
} from '../../../../renderer/viewmodels/times.ts';

describe('times', () => {
  it.each([
    ['2026-02-18T10:28:25.497123Z', '10:28:25.497'],
    ['2026-02-18T10:28:25.4Z', '10:28:25.400'],
    ['2026-02-18T10:28:25Z', '10:28:25'],
    ['not a stamp', 'not a stamp'],
  ])('time of day of %s', (iso, expected) => {
    expect(timeOfDay(iso)).toBe(expected);
  });

  it('never rounds up into the next second', () => {
    expect(timeOfDay('2026-02-18T10:28:25.999999Z')).toBe('10:28:25.999');
  });

  it('names days without a locale', () => {
    expect(calendarDay('2026-02-08T23:59:59Z')).toBe('8 Feb 2026');
    expect(calendarDayShort('2026-12-31T00:00:00Z')).toBe('31 Dec');
    expect(timeOfDayShort('2026-02-08T23:59:59.9Z')).toBe('23:59:59');
  });

  it.each([
    [38, '±38 ms'],
    [0.94, '±0.94 ms'],
    [3.12, '±3.2 ms'],
    [1440, '±1.5 s'],
    [1500, '±1.5 s'],
    [0, '±0 ms'],
  ])('bound of %d ms', (ms, expected) => {
    expect(formatBound(ms)).toBe(expected);
  });

  it('has no span without two stamps', () => {
    expect(spanMs('2026-02-18T10:00:00Z', '2026-02-18T10:00:01.5Z')).toBe(1500);
    expect(spanMs('?', '2026-02-18T10:00:01Z')).toBeNull();
  });
});

describe('the length of a range', () => {
  it.each([
    [0, '0 ns'],
    [250, '250 ns'],
    [1_500, '2 µs'],
    [999_700, '1 ms'],
    [1_240_000, '1.2 ms'],
    [340_000_000, '340 ms'],
    [999_600_000, '1.000 s'],
    [1_400_000_000, '1.400 s'],
    [59_999_900_000, '1 m 0 s'],
    [612_000_000_000, '10 m 12 s'],
  ])('%d ns are %s', (ns, words) => {
    expect(rangeDuration({ from: 5, to: 5 + ns })).toBe(words);
  });
});
