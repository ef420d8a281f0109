/** Facts → findings, verdict and gaps. The second half of an analysis; pure, so that rules can be tried on facts made by hand. */
import type { AnalysisResult, FactName, Facts, Finding, RuleDefinition } from '../model/finding.ts';
import { findGaps } from './gaps/index.ts';
import { RULES } from './rules/index.ts';
import { chooseVerdict } from './verdict/index.ts';

export function conclude(facts: Facts): AnalysisResult {
  const findings = RULES.flatMap((rule) => runRule(rule, facts));
  const ordered = chooseVerdict(facts, findings);
  const [verdict] = ordered;
  return { facts, verdict, findings: ordered, gaps: findGaps(facts, verdict) };
}

/** All findings of one rule, stamped with its id. */
export function runRule(rule: RuleDefinition<FactName>, facts: Facts): Finding[] {
  return rule.run(facts).map((finding) => ({ rule: rule.id, ...finding }));
}
