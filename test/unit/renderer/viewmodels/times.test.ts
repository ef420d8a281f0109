import { describe, expect, it } from 'vitest';
import {
  calendarDay,
  calendarDayShort,
  formatBound,
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
