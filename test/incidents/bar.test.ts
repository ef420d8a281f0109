/**
 * The bar: 300 fixed seeds with everything that looks like trouble and is none, in parts so that no test runs long.
 *
 * - deciding evidence in the bundle: at least 97 % right with the right stage, none wrong
 * - deciding evidence taken away: nothing wrong and nobody named for sure; `cannot-tell`, or something true that is weaker. Sure may be only
 *   that all members of a group disagree, two against none, where each of them shows its call
 *
 * `node test/incidents/table.ts 300 --herrings` prints the same seeds one by one.
 */
import { describe, expect, test } from 'vitest';
import { analyseFiles } from '../support/in-memory-import.ts';
import { buildIncident } from '../support/incidents/index.ts';
import { randomSpec } from '../support/incidents/random-spec.ts';
import { judge } from '../support/judge.ts';

const SEEDS = 300;
const PART = 20;
/** Of the decidable ones; what a reviewer may count on. */
const RIGHT_SHARE = 0.97;
const PARTS = Array.from({ length: SEEDS / PART }, (_, part) => part * PART + 1);
/** A part takes a second on an idle machine. */
const TIMEOUT_MS = 60_000;

interface Outcome {
  readonly seed: number;
  readonly decidable: boolean;
  readonly answer: 'right' | 'honest' | 'wrong';
  readonly sure: boolean;
  readonly said: string;
}

function outcomeOf(seed: number): Outcome {
  const incident = buildIncident({ ...randomSpec(seed), herrings: true });
  const { verdict, collectives } = analyseFiles(incident.files, incident.name).report;
  const divergence = collectives.firstDivergence;
  const group = collectives.groups.find((one) => one.group === divergence?.group);
  const allDisagree = verdict.outcome === 'group' && group?.ranks.join() === verdict.firstRanks.join();
  const { answer, stage } = judge(verdict, incident.truth);
  return {
    seed,
    decidable: incident.truth.decidable,
    answer: answer === 'right' && !stage ? 'honest' : answer,
    sure: verdict.status === 'established' && !allDisagree,
    said: `${incident.name}: ${verdict.outcome} ${verdict.status} [${verdict.firstRanks.join(',')}] ${verdict.stage}/${verdict.cause}: ${verdict.summary}`,
  };
}

describe('the bar', () => {
  const outcomes: Outcome[] = [];

  test.each(PARTS)(
    `${PART} seeds from %i on: nothing wrong, nothing sure without its evidence`,
    (from) => {
      const part = Array.from({ length: PART }, (_, i) => outcomeOf(from + i));
      outcomes.push(...part);
      expect(part.filter(({ answer }) => answer === 'wrong').map(({ said }) => said)).toEqual([]);
      expect(part.filter(({ decidable, sure }) => !decidable && sure).map(({ said }) => said)).toEqual([]);
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
});
