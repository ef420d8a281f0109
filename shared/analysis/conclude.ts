/** Facts → findings, verdict and gaps. The second half of an analysis; pure, so that rules can be tried on facts made by hand. */
import type { AnalysisResult, FactName, Facts, Finding, RuleDefinition } from '../model/finding.ts';
import { addedBy, firstAttemptAlone } from './first-attempt/index.ts';
import { findGaps } from './gaps/index.ts';
import { RULES } from './rules/index.ts';
import { chooseVerdict } from './verdict/index.ts';

export function conclude(facts: Facts): AnalysisResult {
  const found = RULES.flatMap((rule) => runRule(rule, facts));
  const findings = [...found, ...ofFirstAttempt(facts, found)];
  const ordered = chooseVerdict(facts, findings);
  const [verdict] = ordered;
  return { facts, verdict, findings: ordered, gaps: findGaps(facts, verdict) };
}

/** Of a job that was started again: what the rules about calls say of its first attempt. */
function ofFirstAttempt(facts: Facts, found: readonly Finding[]): Finding[] {
  const alone = firstAttemptAlone(facts);
  const attempt = alone?.events[0]?.attempt;
  if (alone === undefined || attempt === undefined) return [];
  const about = RULES.filter(({ needs }) => needs.includes('collectives'));
  return addedBy(
    about.flatMap((rule) => runRule(rule, alone)),
    found,
    attempt,
  );
}

/** All findings of one rule, stamped with its id. */
export function runRule(rule: RuleDefinition<FactName>, facts: Facts): Finding[] {
  return rule.run(facts).map((finding) => ({ rule: rule.id, ...finding }));
}
