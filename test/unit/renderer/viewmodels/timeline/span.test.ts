import { describe, expect, it } from 'vitest';
import { axisTicks, momentLabel, relativeOf } from '../../../../../renderer/viewmodels/timeline/axis.ts';
import {
  centreSpan,
  clampSpan,
  momentSpan,
  panSpan,
  SHORTEST_NS,
  wholeCase,
  zoomSpan,
} from '../../../../../renderer/viewmodels/timeline/span.ts';

const UTC = { kind: 'utc' } as const;
const ORIGIN = BigInt(Date.UTC(2026, 1, 18, 10, 28, 24)) * 1_000_000n;
const whole = { from: 0, to: 1000e9 };

describe('the visible span', () => {
  it('keeps the moment under the pointer where it is', () => {
    const next = zoomSpan({ from: 100e9, to: 200e9 }, 0.5, 125e9, whole);
    expect((125e9 - next.from) / (next.to - next.from)).toBeCloseTo(0.25, 9);
    expect(next.to - next.from).toBe(50e9);
  });

  it('never leaves the case, and never gets shorter than a microsecond', () => {
    expect(panSpan({ from: 900e9, to: 1000e9 }, 5, whole)).toEqual({ from: 900e9, to: 1000e9 });
    expect(panSpan({ from: 0, to: 100e9 }, -5, whole)).toEqual({ from: 0, to: 100e9 });
    expect(clampSpan({ from: -5, to: 5000e9 }, whole)).toEqual(whole);
    let span = { from: 10, to: 20e9 };
    for (let i = 0; i < 100; i++) span = zoomSpan(span, 0.5, 15, whole);
    expect(span.to - span.from).toBe(SHORTEST_NS);
  });

  it('opens half a minute to either side of a moment', () => {
    expect(momentSpan(500e9, whole)).toEqual({ from: 470e9, to: 530e9 });
    expect(centreSpan({ from: 0, to: 10e9 }, 500e9, whole)).toEqual({ from: 495e9, to: 505e9 });
  });

  it('leaves room beside a case of one moment', () => {
    const span = wholeCase({ from: 5, to: 5 });
    expect(span.to).toBeGreaterThan(span.from);
  });
});

describe('ticks of the axis', () => {
  const labels = (from: number, to: number, width = 1000) =>
    axisTicks({ from, to }, ORIGIN, width, 100, UTC)
      .filter((tick) => tick.major)
      .map((tick) => tick.label);

  it('stand on round moments of the clock that is shown', () => {
    expect(labels(0, 10e9)).toEqual(['10:28:24', ':25', ':26', ':27', ':28', ':29', ':30', ':31', ':32', ':33']);
    expect(labels(0.5e9, 1.9e9)).toEqual(['10:28:24.6', '24.8', '25.0', '25.2', '25.4', '25.6', '25.8']);
    expect(labels(0, 3600e9, 800)).toEqual(['10:30', '10:40', '10:50', '11:00', '11:10', '11:20']);
  });

  it('count from the first fault where that is the zone', () => {
    const zone = { kind: 'onset', onset: '2026-02-18T10:28:25.000Z' } as const;
    const shown = axisTicks({ from: 0, to: 2e9 }, ORIGIN, 500, 100, zone).filter((tick) => tick.major);
    expect(shown.map((tick) => tick.label)).toContain('+0.000 s');
  });

  it('are none where there is no room', () => {
    expect(labels(0, 10e9, 50)).toEqual([]);
  });

  it('label a moment as finely as the span needs', () => {
    expect(momentLabel(1.497123456e9, ORIGIN, { from: 0, to: 60e9 }, UTC)).toBe('10:28:25.497');
    expect(momentLabel(1.497123456e9, ORIGIN, { from: 0, to: 5e6 }, UTC)).toBe('10:28:25.497123');
    expect(relativeOf('2026-02-18T10:28:25.497Z', ORIGIN)).toBe(1.497e9);
    expect(relativeOf('soon', ORIGIN)).toBeNull();
  });
});
