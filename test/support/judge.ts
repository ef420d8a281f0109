/**
 * Compares a verdict with the truth.
 *
 * - `right`   the outcome fits and the ranks agree
 * - `honest`  not right, but nothing false is said: cannot tell, or a group that still holds the guilty rank
 * - `wrong`   it says something false; `sure` if with the status `established`
 */
import type { ReportVerdict } from '#shared/report/schema.ts';
import type { Truth } from './incidents/spec.ts';

export interface Judgement {
  readonly answer: 'right' | 'honest' | 'wrong';
  /** Wrong and established: the worst defect. */
  readonly sure: boolean;
  readonly stage: boolean;
  readonly cause: boolean;
}

type Expected = Pick<Truth, 'outcome' | 'alsoRight' | 'firstRanks' | 'stages' | 'causes' | 'pod' | 'node'>;

export function judge(verdict: ReportVerdict, truth: Expected): Judgement {
  const answer = answerOf(verdict, truth);
  return {
    answer,
    sure: answer === 'wrong' && verdict.status === 'established',
    stage: truth.stages.includes(verdict.stage),
    cause: truth.causes.includes(verdict.cause),
  };
}

function answerOf(verdict: ReportVerdict, truth: Expected): Judgement['answer'] {
  const named = new Set(verdict.firstRanks);
  const guilty = new Set(truth.firstRanks);
  const outside = [...named].filter((rank) => !guilty.has(rank));
  const inside = [...named].filter((rank) => guilty.has(rank));
  if (verdict.outcome === 'cannot-tell') return truth.outcome === 'cannot-tell' ? 'right' : 'honest';
  if (truth.alsoRight.includes(verdict.outcome) && outside.length === 0) return 'right';
  if (truth.outcome === 'no-failure') return verdict.outcome === 'no-failure' ? 'right' : 'wrong';
  if (truth.outcome === 'named')
    return answerForNamed(verdict, truth, { inside: inside.length, outside: outside.length, guilty: guilty.size });
  if (truth.outcome === 'group') {
    if (verdict.outcome !== 'group' || outside.length > 0) return 'wrong';
    const placed = named.size === 0 && (verdict.pod === truth.pod || verdict.node === truth.node);
    return inside.length > 0 || placed ? 'right' : 'wrong';
  }
  return verdict.outcome === truth.outcome ? 'right' : 'wrong';
}

function answerForNamed(
  verdict: ReportVerdict,
  truth: Expected,
  counts: { inside: number; outside: number; guilty: number },
): Judgement['answer'] {
  if (verdict.outcome === 'named') return counts.outside === 0 && counts.inside === counts.guilty ? 'right' : 'wrong';
  if (verdict.outcome !== 'group') return 'wrong';
  // The right Pod, with the words that its ranks are not known.
  if (counts.inside === 0 && counts.outside === 0 && verdict.pod !== null)
    return verdict.pod === truth.pod ? 'honest' : 'wrong';
  return counts.inside === counts.guilty ? 'honest' : 'wrong';
}
