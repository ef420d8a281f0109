/** Both sides of what counts as standing still: by the limit that the job tells, else by its own rhythm. */
import { expect, test } from 'vitest';
import { pauseBefore } from '#shared/analysis/rules/support/stood-still.ts';
import type { PlacedEvent } from '#shared/model/facts.ts';
import { buildFacts } from '../../../rules/build-facts.ts';

const POD = { pod: 'p0', node: 'n1', ranks: [0, 1] };

/** Steps of rank 0 at these moments, its error at `at`, and what else is told; all ms on one clock. */
function pauseOf(
  steps: readonly number[],
  at: number,
  more: readonly object[] = [],
  leastMs?: number,
): number | undefined {
  const { events } = buildFacts({
    world: 2,
    pods: [POD],
    events: [
      ...steps.map((when, step) => ({ kind: 'progress', rank: 0, at: when, step, text: `step ${step}` })),
      {
        kind: 'exception',
        rank: 0,
        at,
        type: 'StepFailed',
        message: '',
        class: 'python',
        frames: [],
        text: 'StepFailed',
      },
      ...more,
    ],
  } as never);
  const raised = events.find(({ event }) => event.body.kind === 'exception') as PlacedEvent;
  return pauseBefore(raised, events, 0, leastMs)?.ms;
}

const RHYTHM = [0, 1_000, 2_000, 3_000];
const limit = (ms: number, attempt = 0) => [
  { kind: 'gloo-timeout', rank: 1, at: 40_000, ms, direction: 'recv', attempt, text: `Timed out waiting ${ms}ms` },
];

test('without a told limit: five seconds and more than three times the longest pause before', () => {
  expect(pauseOf(RHYTHM, 3_000 + 4_999)).toBeUndefined();
  expect(pauseOf(RHYTHM, 3_000 + 5_000)).toBe(5_000);
  const slow = [0, 4_000, 8_000];
  expect(pauseOf(slow, 8_000 + 12_000)).toBeUndefined();
  expect(pauseOf(slow, 8_000 + 12_001)).toBe(12_001);
});

test('with a told limit: not shorter than that, and longer than any pause before', () => {
  expect(pauseOf(RHYTHM, 3_000 + 14_999, limit(15_000))).toBeUndefined();
  expect(pauseOf(RHYTHM, 3_000 + 15_000, limit(15_000))).toBe(15_000);
  // Less than three times the longest before, and waited through all the same.
  expect(pauseOf([0, 8_000, 16_000], 16_000 + 15_000, limit(15_000))).toBe(15_000);
  expect(pauseOf([0, 16_000, 32_000], 32_000 + 16_000, limit(15_000))).toBeUndefined();
  expect(pauseOf([0, 16_000, 32_000], 32_000 + 16_001, limit(15_000))).toBe(16_001);
  // A limit below five seconds is the limit.
  expect(pauseOf(RHYTHM, 3_000 + 3_000, limit(3_000))).toBe(3_000);
});

test('a limit that another attempt tells is none of this one', () => {
  expect(pauseOf(RHYTHM, 3_000 + 6_000, limit(15_000, 1))).toBe(6_000);
});

test('the caller may ask for more, whatever limit is told', () => {
  expect(pauseOf(RHYTHM, 3_000 + 59_999, limit(15_000), 60_000)).toBeUndefined();
  expect(pauseOf(RHYTHM, 3_000 + 60_000, limit(15_000), 60_000)).toBe(60_000);
});

test('fewer than three steps show no rhythm', () => {
  expect(pauseOf([0, 1_000], 31_000)).toBeUndefined();
});
