/** Tables that are read off the report: the case, its ranks, groups, findings with their evidence, clocks. */
import type { Report, ReportDivergence, ReportEvidence, ReportVerdict } from '../schema.ts';
import { type CaseTable, type Cell, caseTable, type Row } from './types.ts';

export const REPORT_TABLES = {
  cases: caseTable('cases', [
    'bundle:text',
    'tool_version:text',
    'bundle_bytes:long',
    'unpacked_bytes:long',
    'files:int',
    'files_not_read:int',
    'start:time',
    'end:time',
    'world_size:int',
    'ranks_seen:int',
    'dumps_present:int',
    'dumps_expected:int',
    'attempts:int',
    'torch:text',
    'nccl:text',
    'outcome:text',
    'status:text',
    'stage:text',
    'cause:text',
    'first_rank:int',
    'first_ranks:text',
    'pod:text',
    'node:text',
    'attempt:int',
    'at:time',
    'at_bound_ms:real',
    'summary:text',
  ]),
  ranks: caseTable('ranks', [
    'rank:int',
    'local_rank:int',
    'pod:text',
    'node:text',
    'container:text',
    'gpu:text',
    'attempt:int',
    'role:text',
    'dump:text',
    'exit_code:int',
    'exit_signal:int',
    'exit_reason:text',
    'exit_at:time',
    'last_seen:time',
    'clock:text',
    'clock_offset_ms:real',
    'clock_offset_low_ms:real',
    'clock_offset_high_ms:real',
  ]),
  groups: caseTable('groups', [
    'group_name:text',
    'group_desc:text',
    'size:int',
    'dumps:int',
    'window_from:long',
    'window_to:long',
    'divergence_seq:long',
    'divergence_kind:text',
    'divergence_ranks:text',
    'expected:text',
    'actual:text',
    'basis:text',
    'why:text',
  ]),
  findings: caseTable('findings', [
    'finding:text',
    'rule:text',
    'is_verdict:flag',
    'outcome:text',
    'status:text',
    'stage:text',
    'cause:text',
    'pod:text',
    'node:text',
    'attempt:int',
    'at:time',
    'at_bound_ms:real',
    'summary:text',
  ]),
  findingRanks: caseTable('finding_ranks', ['finding:text', 'rank:int', 'role:text']),
  evidence: caseTable('evidence', [
    'finding:text',
    'side:text',
    'text:text',
    'file:text',
    'line:long',
    'byte:long',
    'record:long',
    'rank:int',
    'time:time',
    'bound_ms:real',
    'time_basis:text',
  ]),
  clocks: caseTable('clocks', [
    'clock:text',
    'kind:text',
    'component:int',
    'is_reference:flag',
    'quality:text',
    'anchors:int',
    'offset_ms:real',
    'low_ms:real',
    'high_ms:real',
    'likely_low_ms:real',
    'likely_high_ms:real',
    'drift_ppm:real',
  ]),
} as const satisfies Readonly<Record<string, CaseTable>>;

export type ReportTableName = keyof typeof REPORT_TABLES;

/** `finding` of the verdict in `findings`, `finding_ranks` and `evidence`: it sums up the others and is no finding of a rule. */
export const VERDICT_FINDING = 'verdict';

/** The rows of every table that the report holds; `case_id` is the bundle's SHA-256. */
export function reportRows(report: Report): Readonly<Record<ReportTableName, readonly Row[]>> {
  const id = report.bundle.sha256;
  const judged = [
    { finding: VERDICT_FINDING, rule: null, isVerdict: true, verdict: report.verdict },
    ...report.findings.map((finding) => ({
      finding: finding.id,
      rule: finding.rule,
      isVerdict: false,
      verdict: finding,
    })),
  ];
  return {
    cases: [caseRow(report)],
    ranks: report.ranks.map((rank) => rankRow(id, rank)),
    groups: report.collectives.groups.map((group) => groupRow(id, group)),
    findings: judged.map(({ finding, rule, isVerdict, verdict: v }) => [
      id,
      finding,
      rule,
      isVerdict,
      v.outcome,
      v.status,
      v.stage,
      v.cause,
      v.pod,
      v.node,
      v.attempt,
      ...momentOf(v),
      v.summary,
    ]),
    findingRanks: judged.flatMap(({ finding, verdict }) => [
      ...verdict.firstRanks.map((rank): Row => [id, finding, rank, 'first']),
      ...verdict.symptomRanks.map((rank): Row => [id, finding, rank, 'symptom']),
    ]),
    evidence: judged.flatMap(({ finding, verdict }) => [
      ...verdict.because.map((item) => evidenceRow(id, finding, 'because', item)),
      ...verdict.against.map((item) => evidenceRow(id, finding, 'against', item)),
    ]),
    clocks: report.clock.domains.map(({ id: clock, kind, component, quality, anchors, offsetMs, driftPpm }) => [
      id,
      clock,
      kind,
      component,
      clock === report.clock.reference,
      quality,
      anchors,
      offsetMs?.estimate ?? null,
      offsetMs?.low ?? null,
      offsetMs?.high ?? null,
      offsetMs?.likelyLow ?? null,
      offsetMs?.likelyHigh ?? null,
      driftPpm,
    ]),
  };
}

function caseRow({ tool, bundle, incident, verdict }: Report): Row {
  const { files } = bundle;
  const [only, second] = verdict.firstRanks;
  return [
    bundle.sha256,
    bundle.name,
    tool.version,
    BigInt(bundle.bytes),
    BigInt(bundle.unpackedBytes),
    files.total,
    files.skipped + files.refused + files.failed,
    timeOf(incident.start),
    timeOf(incident.end),
    incident.worldSize,
    incident.ranksSeen,
    incident.dumpsPresent,
    incident.dumpsExpected,
    incident.attempts,
    incident.software['torch'] ?? null,
    incident.software['nccl'] ?? null,
    verdict.outcome,
    verdict.status,
    verdict.stage,
    verdict.cause,
    second === undefined ? (only ?? null) : null,
    verdict.firstRanks.join(','),
    verdict.pod,
    verdict.node,
    verdict.attempt,
    ...momentOf(verdict),
    verdict.summary,
  ];
}

function rankRow(id: string, rank: Report['ranks'][number]): Row {
  const { exit, clockOffsetMs: offset } = rank;
  return [
    id,
    rank.rank,
    rank.localRank,
    rank.pod,
    rank.node,
    rank.container,
    rank.gpu,
    rank.attempt,
    rank.role,
    rank.dump,
    exit?.code ?? null,
    exit?.signal ?? null,
    exit?.reason ?? null,
    timeOf(exit?.at ?? null),
    timeOf(rank.lastSeen),
    rank.clock,
    offset?.estimate ?? null,
    offset?.low ?? null,
    offset?.high ?? null,
  ];
}

function groupRow(
  id: string,
  { group, desc, ranks, dumps, window, firstDivergence }: Report['collectives']['groups'][number],
): Row {
  return [
    id,
    group,
    desc,
    ranks.length,
    dumps,
    longOf(window?.from),
    longOf(window?.to),
    ...divergenceCells(firstDivergence),
  ];
}

function divergenceCells(divergence: ReportDivergence | null): readonly Cell[] {
  if (divergence === null) return [null, null, null, null, null, null, null];
  const { seq, kind, ranks, expected, actual, basis, why } = divergence;
  return [BigInt(seq), kind, ranks.join(','), expected, actual, basis, why];
}

const evidenceRow = (id: string, finding: string, side: string, item: ReportEvidence): Row => [
  id,
  finding,
  side,
  item.text,
  item.file,
  longOf(item.line),
  longOf(item.byte),
  longOf(item.record),
  item.rank,
  timeOf(item.time),
  item.boundMs,
  item.timeBasis,
];

const momentOf = ({ at }: ReportVerdict): readonly [Cell, Cell] => [timeOf(at?.time ?? null), at?.boundMs ?? null];

const longOf = (value: number | null | undefined): bigint | null =>
  value === null || value === undefined ? null : BigInt(value);

/** Microseconds since 1970 of an ISO time; null where there is none. */
function timeOf(iso: string | null): bigint | null {
  if (iso === null) return null;
  const [whole = '', fraction = ''] = iso.replace(/Z$/, '').split('.');
  const ms = Date.parse(`${whole}Z`);
  if (Number.isNaN(ms)) return null;
  return BigInt(ms) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
