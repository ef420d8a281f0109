/**
 * What must hold for every report, whatever the bundle: it fits the schema, counts add up, every piece of evidence opens
 * in the bundle, and the verdict keeps to the contract's own rules. Throws with all that is broken.
 */
import type { IncidentInput } from '#shared/model/incident.ts';
import { type Report, type ReportEvidence, type ReportVerdict, reportSchema } from '#shared/report/schema.ts';

export function assertSound(report: Report, input: IncidentInput): void {
  const broken = [
    ...schemaProblems(report),
    ...countProblems(report, input),
    ...verdictProblems(report),
    ...[report.verdict, ...report.findings].flatMap((finding) => findingProblems(finding, input)),
    ...rankProblems(report),
    ...clockProblems(report),
  ];
  if (broken.length > 0) throw new Error(`the report is not sound:\n  ${broken.join('\n  ')}`);
}

function schemaProblems(report: Report): string[] {
  const parsed = reportSchema.safeParse(report);
  return parsed.success ? [] : parsed.error.issues.map((issue) => `schema: ${issue.path.join('.')}: ${issue.message}`);
}

function countProblems(report: Report, input: IncidentInput): string[] {
  const { total, ...byStatus } = report.bundle.files;
  const sum = Object.values(byStatus).reduce((a, b) => a + b, 0);
  const problems: string[] = [];
  if (total !== input.entries.length) problems.push(`files.total ${total}, entries ${input.entries.length}`);
  if (sum !== total) problems.push(`files by status add up to ${sum}, not ${total}`);
  for (const [status, count] of Object.entries(byStatus)) {
    const counted = input.entries.filter((entry) => entry.status === status).length;
    if (counted !== count) problems.push(`files.${status} ${count}, counted ${counted}`);
  }
  const { dumpsPresent, dumpsExpected, ranksSeen, worldSize } = report.incident;
  if (dumpsExpected !== null && dumpsPresent > dumpsExpected) problems.push('more dumps than expected ones');
  if (worldSize !== null && ranksSeen > worldSize) problems.push(`${ranksSeen} ranks seen in a world of ${worldSize}`);
  return problems;
}

const sameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((x, i) => x === b[i]);
const isSortedSet = (list: readonly number[]): boolean => list.every((x, i) => i === 0 || x > (list[i - 1] ?? -1));

function verdictProblems(report: Report): string[] {
  const { verdict, findings } = report;
  const problems: string[] = [];
  const [first] = findings;
  if (first === undefined || first.summary !== verdict.summary || !sameList(first.firstRanks, verdict.firstRanks))
    problems.push('the verdict is not the first finding');
  if (verdict.status === 'ruled-out') problems.push('a verdict is never ruled out');
  const noName = verdict.outcome === 'no-rank' || verdict.outcome === 'no-failure' || verdict.outcome === 'cannot-tell';
  if (noName && verdict.firstRanks.length > 0) problems.push(`${verdict.outcome} names ranks`);
  if (verdict.outcome === 'named' && verdict.firstRanks.length === 0) problems.push('named without a rank');
  if (verdict.outcome === 'group' && verdict.firstRanks.length === 0 && verdict.pod === null && verdict.node === null)
    problems.push('a group without ranks, Pod and node');
  if ((verdict.outcome === 'cannot-tell') !== (verdict.status === 'not-determinable'))
    problems.push(`${verdict.outcome} with status ${verdict.status}`);
  if (verdict.outcome === 'no-failure' && verdict.status !== 'established' && verdict.status !== 'supported')
    problems.push(`no-failure with status ${verdict.status}`);
  if (
    (verdict.outcome === 'no-failure' || verdict.outcome === 'cannot-tell') &&
    (verdict.stage !== 'unknown' || verdict.cause !== 'none')
  )
    problems.push(`${verdict.outcome} with ${verdict.stage}/${verdict.cause}`);
  if (verdict.status === 'established' && verdict.against.length > 0)
    problems.push('established in spite of counter-evidence');
  if (!noName && verdict.because.length === 0) problems.push('a name without evidence');
  if (verdict.outcome === 'cannot-tell' && report.gaps.length === 0)
    problems.push('cannot tell, and nothing is missing');
  return problems;
}

function findingProblems(finding: ReportVerdict, input: IncidentInput): string[] {
  const problems: string[] = [];
  if (!isSortedSet(finding.firstRanks)) problems.push(`firstRanks not sorted: ${finding.firstRanks.join(' ')}`);
  if (!isSortedSet(finding.symptomRanks)) problems.push(`symptomRanks not sorted: ${finding.symptomRanks.join(' ')}`);
  const both = finding.firstRanks.filter((rank) => finding.symptomRanks.includes(rank));
  if (both.length > 0) problems.push(`rank ${both.join(' ')} is first and symptom`);
  for (const item of [...finding.because, ...finding.against]) problems.push(...evidenceProblems(item, input));
  return problems;
}

/** The place must exist: a line of that file, a byte inside it, an entry of that dump. */
function evidenceProblems(item: ReportEvidence, input: IncidentInput): string[] {
  const entry = input.entries.find((candidate) => candidate.id === item.entryId);
  const say = (what: string): string[] => [`evidence "${item.text.slice(0, 60)}" in ${item.file}: ${what}`];
  if (entry === undefined || entry.path !== item.file) return say('no such file');
  const places = [item.line, item.byte, item.record].filter((place) => place !== null);
  if (places.length > 1) return say('more than one place');
  if (item.line !== null && item.line > (entry.lines ?? 0)) return say(`line ${item.line} of ${entry.lines}`);
  if (item.byte !== null && item.byte > entry.bytes) return say(`byte ${item.byte} of ${entry.bytes}`);
  if (item.record !== null) {
    const dump = input.dumps.find((candidate) => candidate.source.entry === item.entryId);
    if (dump === undefined || item.record >= dump.columns.length)
      return say(`record ${item.record} of ${dump?.columns.length}`);
  }
  return [];
}

function rankProblems(report: Report): string[] {
  const problems: string[] = [];
  const paths = new Set(report.ranks.flatMap((rank) => rank.files));
  if (paths.has('')) problems.push('a rank has a file without a path');
  for (const [i, rank] of report.ranks.entries()) {
    const before = report.ranks[i - 1];
    if (
      before !== undefined &&
      (before.rank > rank.rank || (before.rank === rank.rank && before.attempt >= rank.attempt))
    )
      problems.push(`ranks not sorted at ${rank.rank}`);
    if (rank.role === 'first' && !report.verdict.firstRanks.includes(rank.rank))
      problems.push(`rank ${rank.rank} is marked first`);
  }
  for (const rank of report.verdict.firstRanks)
    if (report.ranks.length > 0 && !report.ranks.some((row) => row.rank === rank))
      problems.push(`first rank ${rank} is not in the table`);
  return problems;
}

function clockProblems(report: Report): string[] {
  const problems: string[] = [];
  const sizes = new Map<number, number>();
  for (const domain of report.clock.domains) sizes.set(domain.component, (sizes.get(domain.component) ?? 0) + 1);
  for (const domain of report.clock.domains) {
    const { offsetMs } = domain;
    if (offsetMs === null) continue;
    if (sizes.get(domain.component) === 1) problems.push(`clock ${domain.id} is alone and has an offset`);
    const order = [offsetMs.low, offsetMs.likelyLow, offsetMs.estimate, offsetMs.likelyHigh, offsetMs.high].filter(
      (x) => x !== null,
    );
    if (order.some((x, k) => k > 0 && x < (order[k - 1] ?? x)))
      problems.push(`clock ${domain.id}: bounds out of order`);
  }
  return problems;
}
