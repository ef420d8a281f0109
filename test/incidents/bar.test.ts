/**
 * The bar: fixed seeds with everything that looks like trouble and is none, in parts so that no test runs long.
 *
 * - 300 seeds of every kind and variety. Deciding evidence in the bundle: at least 97 % right with the right stage, none wrong
 * - 120 seeds from which all that decides them was taken: `cannot-tell` on every one
 * - the same 120 with one proof taken, and those of the 300 that came without theirs: nothing wrong, and no more is said than what is left
 *   can prove (`fare.ts`): `cannot-tell` where it proves nothing, at most a group where it proves that much
 *
 * `node test/incidents/table.ts 300`, `… 120 --removed --from 1001` and `… --weakened …` print the same seeds one by one.
 */
import { describe, expect, test } from 'vitest';
import { randomSpec } from '../support/incidents/random-spec.ts';
import { weakened, withoutProof } from '../support/incidents/removal.ts';
import { VARIETIES, type Variety, varietyOf } from '../support/incidents/variety.ts';
import { type Fare, fareOf } from './fare.ts';

const SEEDS = 300;
const REMOVED = 120;
const FIRST_REMOVED = 1001;
const PART = 20;
/** Of the decidable ones; what a reviewer may count on. */
const RIGHT_SHARE = 0.97;
/** A part takes a second on an idle machine. */
const TIMEOUT_MS = 60_000;

/** What is kept of an incident: the rest is large. */
interface Outcome extends Pick<Fare, 'answer' | 'over' | 'said'> {
  readonly decidable: boolean;
  readonly variety: Variety;
}

const outcomeOf = (fare: Fare): Outcome => ({
  answer: fare.answer,
  over: fare.over,
  said: fare.said,
  decidable: fare.incident.truth.decidable,
  variety: varietyOf(fare.incident.spec),
});

const parts = (first: number, count: number): number[] =>
  Array.from({ length: count / PART }, (_, part) => first + part * PART);
const seedsFrom = (first: number): number[] => Array.from({ length: PART }, (_, i) => first + i);

function expectNothingFalse(outcomes: readonly Outcome[]): void {
  expect(outcomes.filter(({ answer }) => answer === 'wrong').map(({ said }) => said)).toEqual([]);
  expect(outcomes.filter(({ over }) => over).map(({ said }) => said)).toEqual([]);
}

describe('the bar', () => {
  const outcomes: Outcome[] = [];

  test.each(parts(1, SEEDS))(
    `${PART} seeds from %i on: nothing wrong, nothing without its evidence`,
    (from) => {
      const part = seedsFrom(from).map((seed) => outcomeOf(fareOf(randomSpec(seed))));
      outcomes.push(...part);
      expectNothingFalse(part);
    },
    TIMEOUT_MS,
  );

  test(`of the decidable ones at least ${100 * RIGHT_SHARE} % are right, with the stage`, () => {
    // Fewer would mean that a part was not run or broke off.
    expect(outcomes).toHaveLength(SEEDS);
    const decidable = outcomes.filter((one) => one.decidable);
    const less = decidable.filter(({ answer }) => answer !== 'right');
    // A generator that calls everything undecidable would pass any share.
    expect(decidable.length).toBeGreaterThan(0.8 * SEEDS);
    const share = 1 - less.length / decidable.length;
    expect(share, less.map(({ said }) => said).join('\n')).toBeGreaterThanOrEqual(RIGHT_SHARE);
  });

  test('every variety occurs among them', () => {
    expect(new Set(outcomes.map(({ variety }) => variety))).toEqual(new Set(VARIETIES));
  });
});

describe('the bar without the evidence', () => {
  test.each(parts(FIRST_REMOVED, REMOVED))(
    `${PART} seeds from %i on, all that decides them taken away: each cannot be told`,
    (from) => {
      const fares = seedsFrom(from).map((seed) => fareOf(withoutProof(randomSpec(seed))));
      // What was taken is what decides, by what each kind of fault says of itself.
      expect(fares.filter(({ incident }) => incident.truth.decidable).map(({ said }) => said)).toEqual([]);
      expect(fares.filter(({ verdict }) => verdict.outcome !== 'cannot-tell').map(({ said }) => said)).toEqual([]);
      expect(fares.flatMap(({ verdict }) => verdict.firstRanks)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  const outcomes: Outcome[] = [];

  test.each(parts(FIRST_REMOVED, REMOVED))(
    `${PART} seeds from %i on, one proof taken away: nothing is said that is not proven`,
    (from) => {
      const part = seedsFrom(from).map((seed) => outcomeOf(fareOf(weakened(randomSpec(seed)))));
      outcomes.push(...part);
      expectNothingFalse(part);
    },
    TIMEOUT_MS,
  );

  test('most of those cannot be decided any more', () => {
    expect(outcomes).toHaveLength(REMOVED);
    expect(outcomes.filter(({ decidable }) => !decidable).length).toBeGreaterThan(0.75 * REMOVED);
  });
});
