/**
 * Chooses what is said first among all findings. The argument for each step stands in README.md.
 *
 * Input: facts and the findings of all rules in any order. Output: all findings, the verdict first, then by strength; never empty.
 */
import { formatRanks, isWithin, nameRanks, rankSet, without } from '../../lib/rank-set.ts';
import type { Facts, Finding } from '../../model/finding.ts';
import { MOST_AGAINST } from '../rules/support/draft.ts';
import { endedWithSuccess } from '../rules/support/pods.ts';
import { cannotTell } from './cannot-tell.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { beganEarlier } from './earlier-attempt.ts';
import { explains, STRENGTH_ORDER } from './explains.ts';
import { surelyBefore } from './moments.ts';
import { stallBracket, stallMoment } from './stall-moment.ts';
import { earlierConsequences, symptomRanks } from './symptoms.ts';

export function chooseVerdict(facts: Facts, findings: readonly Finding[]): readonly [Finding, ...Finding[]] {
  const coverage = coverageOf(facts);
  const sorted = [...findings].sort(byStrength);
  const live = sorted.filter((finding) => isFailure(finding));
  const first = earliestAttempt(live);
  const here = live.filter((finding) => (finding.attempt ?? first) === first);
  const beginnings = here.filter(
    (finding) => !here.some((other) => explains(other, finding) && !explains(finding, other)),
  );
  const best = choose(beginnings, facts, coverage, sorted);
  const earlier = beganEarlier(best.finding, sorted, facts, coverage);
  const chosen =
    earlier === undefined ? best : { finding: cannotTell(facts, [best.finding], coverage, earlier), rivals: [] };
  const verdict = finish(chosen.finding, chosen.rivals, facts, coverage);
  const rest = sorted.filter(
    (finding) => finding !== chosen.finding && !(chosen.finding.rule === 'verdict' && finding.rule === 'verdict'),
  );
  return [verdict, ...rest];
}

interface Choice {
  readonly finding: Finding;
  /** Findings that contradict it and could not be explained or ordered away. */
  readonly rivals: readonly Finding[];
}

function choose(beginnings: readonly Finding[], facts: Facts, coverage: Coverage, all: readonly Finding[]): Choice {
  const candidates = beginnings.filter(canBeSaidFirst);
  const serious = candidates.filter((finding) => !candidates.some((other) => comesFirst(other, finding, facts)));
  const [top] = serious;
  const healthy = all.find((finding) => finding.outcome === 'no-failure');
  // Dumps and silences show a moment. A job whose end is known to be good was past it.
  const onlyMoments = serious.every(({ strength }) => strength === 'recorder' || strength === 'absence');
  if (healthy !== undefined && onlyMoments && (healthy.status === 'established' || everyPodEnded(healthy, facts)))
    return { finding: healthy, rivals: [] };
  if (top === undefined) {
    return { finding: healthy ?? undecided(beginnings, facts, coverage), rivals: [] };
  }
  const disagreeing = serious.filter((finding) => finding !== top && disagrees(top, finding));
  const equals = disagreeing.filter((finding) => finding.strength === top.strength && weight(finding) === weight(top));
  return equals.length > 0
    ? { finding: together([top, ...equals]), rivals: [] }
    : { finding: top, rivals: disagreeing };
}

/** Where a rule says why nothing can be told, and nothing else is seen, its own words; else what all the leads together leave open. */
function undecided(beginnings: readonly Finding[], facts: Facts, coverage: Coverage): Finding {
  const open = beginnings.filter((finding) => finding.status === 'not-determinable');
  const leads = beginnings.filter((finding) => finding.status !== 'not-determinable');
  const [only] = open;
  return only !== undefined && leads.length === 0 ? only : cannotTell(facts, [...leads, ...open], coverage);
}

/** The end of each Pod of the job is told, and is good: no rank of it stood still for good. */
function everyPodEnded(healthy: Finding, { rankMap: { pods, places } }: Facts): boolean {
  if (healthy.rule !== 'job-ended-well' || pods.length === 0) return false;
  const ended = new Set(pods.flatMap(({ pod, object }) => (endedWithSuccess(object) ? [pod] : [])));
  return ended.size === pods.length && places.every(({ pod }) => pod === undefined || ended.has(pod));
}

/** True if `other` is of the same evidence class or a stronger one and surely happened before. */
function comesFirst(other: Finding, finding: Finding, facts: Facts): boolean {
  if (other === finding || STRENGTH_ORDER[other.strength] > STRENGTH_ORDER[finding.strength]) return false;
  return surelyBefore(other.at, finding.at, facts.clocks);
}

/** A single name needs more than a guess; a group or an outside cause may be offered as a hypothesis. */
function canBeSaidFirst(finding: Finding): boolean {
  if (finding.strength === 'context' || finding.outcome === 'cannot-tell') return false;
  return finding.status !== 'hypothesis' || finding.outcome === 'group' || finding.outcome === 'no-rank';
}

function isFailure(finding: Finding): boolean {
  return finding.status !== 'ruled-out' && finding.outcome !== 'no-failure';
}

function earliestAttempt(live: readonly Finding[]): number {
  const attempts = live.filter(canBeSaidFirst).flatMap((finding) => finding.attempt ?? []);
  return attempts.length === 0 ? 0 : Math.min(...attempts);
}

function weight(finding: Finding): number {
  return ['established', 'supported', 'hypothesis'].indexOf(finding.status);
}

function byStrength(a: Finding, b: Finding): number {
  const ruledOut = (finding: Finding) => (finding.status === 'ruled-out' ? 1 : 0);
  return (
    ruledOut(a) - ruledOut(b) ||
    STRENGTH_ORDER[a.strength] - STRENGTH_ORDER[b.strength] ||
    weight(a) - weight(b) ||
    a.firstRanks.length - b.firstRanks.length ||
    compare(a.rule, b.rule) ||
    compare(a.firstRanks.join(), b.firstRanks.join()) ||
    compare(a.summary, b.summary)
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function disagrees(a: Finding, b: Finding): boolean {
  if (a.outcome === 'no-rank' || b.outcome === 'no-rank') return a.outcome !== b.outcome;
  return !isWithin(a.firstRanks, b.firstRanks) && !isWithin(b.firstRanks, a.firstRanks);
}

/** Several direct causes that cannot be ordered: all of them, with what speaks for each. */
function together(findings: readonly [Finding, ...Finding[]]): Finding {
  const [first] = findings;
  const ranks = rankSet(findings.flatMap((finding) => finding.firstRanks));
  const sameStage = findings.every((finding) => finding.stage === first.stage);
  return {
    ...first,
    rule: 'verdict',
    outcome: 'group',
    status: sameStage ? 'supported' : 'hypothesis',
    firstRanks: ranks,
    candidates: findings.map((finding) => ({ ranks: finding.firstRanks, why: finding.summary })),
    pod: samePlace(findings.map((finding) => finding.pod)),
    node: samePlace(findings.map((finding) => finding.node)),
    at: undefined,
    summary: `${findings.length} failures began independently or in an order that cannot be told (${nameRanks(ranks)}): ${findings.map((finding) => finding.summary).join(' ')}`,
    because: findings.flatMap((finding) => finding.because.slice(0, 2)).slice(0, 8),
    wouldChange: ['clocks of the nodes compared well enough to order these failures'],
  };
}

function samePlace(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

function finish(finding: Finding, rivals: readonly Finding[], facts: Facts, coverage: Coverage): Finding {
  const symptoms = without(
    rankSet([...finding.symptomRanks, ...symptomRanks(facts, finding.attempt)]),
    finding.firstRanks,
  );
  if (finding.outcome === 'cannot-tell' || finding.outcome === 'no-failure')
    return { ...finding, symptomRanks: finding.outcome === 'no-failure' ? [] : symptoms };
  const earlier = earlierConsequences(finding, facts);
  const against = [...finding.against, ...earlier, ...rivals.flatMap((rival) => rival.because.slice(0, 1))].slice(
    0,
    MOST_AGAINST,
  );
  const reasons = doubts(coverage, finding);
  const between = finding.at === undefined ? stallBracket(finding, facts) : undefined;
  const doubted = reasons.length > 0 || rivals.length > 0 || earlier.length > 0;
  return {
    ...finding,
    at: finding.at ?? stallMoment(finding, facts),
    ...(between === undefined ? {} : { between }),
    symptomRanks: symptoms,
    status: finding.status === 'established' && doubted ? 'supported' : finding.status,
    against,
    wouldChange: [...new Set([...finding.wouldChange, ...reasons])],
  };
}

function doubts(coverage: Coverage, finding: Finding): string[] {
  const reasons: string[] = [];
  if (!coverage.worldKnown)
    reasons.push(
      'the number of ranks of the job: nothing in the bundle says it, so an unseen rank may have failed first',
    );
  if (coverage.silentRanks.length > 0 && !isWithin(coverage.silentRanks, finding.firstRanks))
    reasons.push(
      `logs or dumps of ${coverage.silentRanks.length === 1 ? 'rank' : 'ranks'} ${formatRanks(coverage.silentRanks)}: nothing of them is in the bundle`,
    );
  if (coverage.beginningLost.length > 0 && !isWithin(coverage.beginningLost, finding.firstRanks))
    reasons.push(
      `the beginning of the log of ${nameRanks(coverage.beginningLost)}: it starts after ${coverage.beginningLost.length === 1 ? 'that rank' : 'those ranks'} had begun`,
    );
  for (const lost of coverage.lostAttempts.slice(0, 3))
    reasons.push(`the earlier attempt${lost.pod === '' ? '' : ` of Pod ${lost.pod}`}: ${lost.why}`);
  if (coverage.damagedLogs.length > 0)
    reasons.push(`files that could not be read whole: ${coverage.damagedLogs.slice(0, 3).join(', ')}`);
  return reasons;
}
