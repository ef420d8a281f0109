import { describe, expect, test } from 'vitest';
import type { ReportVerdict } from '#shared/report/schema.ts';
import type { Truth } from '../support/incidents/spec.ts';
import { judge } from '../support/judge.ts';

const verdict = (
  outcome: ReportVerdict['outcome'],
  firstRanks: number[],
  rest: Partial<ReportVerdict> = {},
): ReportVerdict => ({
  outcome,
  firstRanks,
  status: outcome === 'cannot-tell' ? 'not-determinable' : 'supported',
  stage: 'exited-rank',
  cause: 'killed',
  candidates: [],
  symptomRanks: [],
  pod: null,
  node: null,
  attempt: null,
  at: null,
  summary: '',
  because: [],
  against: [],
  wouldChange: [],
  nextChecks: [],
  ...rest,
});
type Expected = Parameters<typeof judge>[1];
const truth = (outcome: Truth['outcome'], firstRanks: number[], rest: Partial<Expected> = {}): Expected => ({
  outcome,
  firstRanks,
  alsoRight: [],
  stages: ['exited-rank'],
  causes: ['killed'],
  pod: 'pod-1',
  node: 'node-1',
  ...rest,
});

describe('judge', () => {
  test.each([
    ['the rank', verdict('named', [3]), truth('named', [3]), 'right'],
    ['another rank', verdict('named', [4]), truth('named', [3]), 'wrong'],
    ['the rank and one more', verdict('named', [3, 4]), truth('named', [3]), 'wrong'],
    ['a group that holds the rank', verdict('group', [2, 3]), truth('named', [3]), 'honest'],
    ['the Pod of the rank, no rank', verdict('group', [], { pod: 'pod-1' }), truth('named', [3]), 'honest'],
    ['the Pod of another rank, no rank', verdict('group', [], { pod: 'pod-2' }), truth('named', [3]), 'wrong'],
    ['a group without the rank', verdict('group', [1, 2]), truth('named', [3]), 'wrong'],
    ['cannot tell', verdict('cannot-tell', []), truth('named', [3]), 'honest'],
    ['no failure where one was', verdict('no-failure', []), truth('named', [3]), 'wrong'],
    ['no rank where one was', verdict('no-rank', []), truth('named', [3]), 'wrong'],
    ['the group', verdict('group', [2, 3]), truth('group', [2, 3]), 'right'],
    ['part of the group', verdict('group', [2]), truth('group', [2, 3]), 'right'],
    ['one of the group by name', verdict('named', [2]), truth('group', [2, 3]), 'wrong'],
    ['the group and an outsider', verdict('group', [2, 3, 4]), truth('group', [2, 3]), 'wrong'],
    ['the Pod alone', verdict('group', [], { pod: 'pod-1' }), truth('group', [2, 3]), 'right'],
    ['another Pod', verdict('group', [], { pod: 'pod-2', node: 'node-2' }), truth('group', [2, 3]), 'wrong'],
    [
      'an outcome that is right as well',
      verdict('no-rank', []),
      truth('group', [2, 3], { alsoRight: ['no-rank'] }),
      'right',
    ],
    ['a name in a healthy job', verdict('named', [0]), truth('no-failure', []), 'wrong'],
    ['no failure', verdict('no-failure', []), truth('no-failure', []), 'right'],
  ])('%s', (_, said, expected, answer) => {
    expect(judge(said, expected).answer).toBe(answer);
  });

  test('only a wrong and established verdict is sure', () => {
    expect(judge(verdict('named', [4], { status: 'established' }), truth('named', [3])).sure).toBe(true);
    expect(judge(verdict('named', [4]), truth('named', [3])).sure).toBe(false);
    expect(judge(verdict('named', [3], { status: 'established' }), truth('named', [3])).sure).toBe(false);
  });
});
