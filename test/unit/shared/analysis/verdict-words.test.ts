import { expect, it } from 'vitest';
import { chooseVerdict } from '#shared/analysis/verdict/index.ts';
import { buildFacts } from '../../../rules/build-facts.ts';

const failure = (rank: number) => ({
  root: rank === 0,
  rank,
  localRank: rank,
  host: 'gpu-3',
  time: undefined,
  exitCode: -6,
  pid: 100 + rank,
  hasErrorFile: false,
  message: undefined,
});

it('does not call a bundle free of failures in which a launcher lists ends by a signal', () => {
  const facts = buildFacts({
    events: [{ kind: 'failure-summary', failures: [failure(0), failure(1)], at: 10, text: 'failure summary' }],
  });
  expect(chooseVerdict(facts, [])[0].summary).toBe(
    'The bundle shows no act that began the failure, only its consequences or its surroundings.',
  );
});
