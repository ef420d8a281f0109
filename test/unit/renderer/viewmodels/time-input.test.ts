import { describe, expect, it } from 'vitest';
import { parseTimeInput, type TimeInputContext } from '../../../../renderer/viewmodels/time-input.ts';
import { formatSignedNs, isoToNs, nsToIso, timeOfDay, zoneName } from '../../../../renderer/viewmodels/times.ts';

const CASE: TimeInputContext = {
  start: '2026-02-18T23:58:00.000Z',
  end: '2026-02-19T00:40:10.481Z',
  onset: '2026-02-18T23:59:30.500Z',
  zone: { kind: 'utc' },
};

const parsed = (text: string, context = CASE) => {
  const ns = parseTimeInput(text, context);
  return ns === null ? null : nsToIso(ns);
};

describe('a typed time', () => {
  it.each([
    ['23:59:30.5', '2026-02-18T23:59:30.500000Z'],
    ['00:10', '2026-02-19T00:10:00.000000Z'],
    ['12:00', '2026-02-18T12:00:00.000000Z'],
    ['2026-02-19T00:01:02.5Z', '2026-02-19T00:01:02.500000Z'],
    ['2026-02-19T01:01:02+01:00', '2026-02-19T00:01:02.000000Z'],
    ['+30 s', '2026-02-19T00:00:00.500000Z'],
    ['−1m30s', '2026-02-18T23:58:00.500000Z'],
    ['-250ms', '2026-02-18T23:59:30.250000Z'],
    ['+2', '2026-02-18T23:59:32.500000Z'],
    ['1771459170500000000', '2026-02-18T23:59:30.500000Z'],
  ])('%s', (text, iso) => {
    expect(parsed(text)).toBe(iso);
  });

  it.each(['', 'rank 3', '25:00', '12', '+', '10:61', 'default_pg#4812'])('not %j', (text) => {
    expect(parsed(text)).toBeNull();
  });

  it('counts from nothing where no first fault is told', () => {
    expect(parsed('+30 s', { ...CASE, onset: null })).toBeNull();
  });
});

describe('the shown zone', () => {
  const iso = '2026-02-18T10:28:25.497123Z';
  it.each([
    [{ kind: 'utc' } as const, '10:28:25.497'],
    [{ kind: 'epoch' } as const, '1771410505497123000'],
    [{ kind: 'onset', onset: '2026-02-18T10:28:20Z' } as const, '+5.497 s'],
    [{ kind: 'onset', onset: '2026-02-18T10:30:25.497123Z' } as const, '−2 m 00.000 s'],
  ])('%j', (zone, expected) => {
    expect(timeOfDay(iso, zone)).toBe(expected);
  });

  it('writes local time as the machine has it', () => {
    const at = new Date(Date.parse(iso));
    const two = (value: number) => String(value).padStart(2, '0');
    expect(timeOfDay(iso, { kind: 'local' })).toBe(`${two(at.getHours())}:${two(at.getMinutes())}:25.497`);
    expect(zoneName({ kind: 'local' }, iso)).toMatch(/^local, UTC[+−]\d\d:\d\d$/);
  });

  it('keeps every digit on the way to ns and back', () => {
    expect(nsToIso(isoToNs(iso) ?? 0n)).toBe(iso);
    expect(isoToNs('1969-12-31T23:59:59.5Z')).toBe(-500_000_000n);
    expect(nsToIso(-500_000_000n)).toBe('1969-12-31T23:59:59.500000Z');
  });

  it('signs spans and carries hours', () => {
    expect(formatSignedNs(7_384_250_000_000n, 3)).toBe('+2 h 03 m 04.250 s');
    expect(formatSignedNs(0n, 0)).toBe('+0 s');
  });
});
