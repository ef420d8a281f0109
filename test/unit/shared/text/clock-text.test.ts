import { describe, expect, it } from 'vitest';
import { boundText, intervalMs, signedMs, zoneName } from '#shared/text/clock-text.ts';

describe('words of clocks', () => {
  it.each([
    [0, 'UTC'],
    [60, 'UTC+1'],
    [330, 'UTC+5:30'],
    [-210, 'UTC−3:30'],
    [-480, 'UTC−8'],
  ])('names the zone of %i minutes %s', (minutes, name) => expect(zoneName(minutes)).toBe(name));

  it.each([
    [4681.4, '+4681'],
    [-55.94, '−55.9'],
    [0.126, '+0.13'],
    [-0.001, '0'],
    [0, '0'],
  ])('writes %f ms as %s', (ms, text) => expect(signedMs(ms)).toBe(text));

  it('writes an open side of an interval as such', () => {
    expect(intervalMs(null, 93.9)).toBe('[…, +93.9]');
    expect(intervalMs(-17.92, null)).toBe('[−17.9, …]');
  });

  it.each([
    [0, 'on the reference clock'],
    [0.001, '±0.01 ms'],
    [3.21, '±3.3 ms'],
    [38.01, '±39 ms'],
    [38, '±38 ms'],
    [999.2, '±1 s'],
    [1234, '±1.3 s'],
    [5436, '±5.5 s'],
    [2000, '±2 s'],
  ])('never makes the bound of %f ms tighter: %s', (ms, text) => expect(boundText(ms)).toBe(text));
});
