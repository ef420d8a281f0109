/** The Overview: everything it draws, out of the one report. */
import { formatRanks } from '#shared/lib/rank-set.ts';
import type { Status } from '#shared/model/finding.ts';
import type { Report, ReportEvidence, ReportFinding, ReportGap, ReportVerdict } from '#shared/report/schema.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { outOfText } from '#shared/text/partial-text.ts';
import { CAUSE_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '#shared/text/verdict-text.ts';
import { attemptRow } from './attempt-rows.ts';
import { escapeText } from './escape-text.ts';
import { type EvidenceRow, evidenceRows, statementText } from './evidence-rows.ts';
import { momentNote, verdictMoment } from './moment.ts';
import { formatRanksShort } from './ranks-text.ts';
import { type PlacedStatement, placeChip, type Statement, splitStatement } from './statement.ts';
import { calendarDay, formatBound, timeOfDayShort } from './times.ts';
import { type WouldChangeItem, wouldChangeItems } from './would-change.ts';

/** What the header's glyph says: a status, or the quiet check mark of a job that ended well. */
export type VerdictGlyph = Status | 'no-failure';

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Beside the value: a bound, or the clock of a raw time. */
  readonly note: string;
  readonly detail: string;
  /** A second line of detail. */
  readonly more?: string;
}

export interface VerdictHeader {
  readonly glyph: VerdictGlyph;
  readonly word: string;
  readonly meaning: string;
  readonly rule: string | null;
  readonly statement: PlacedStatement;
  readonly facts: readonly Fact[];
}

export interface FindingRow {
  readonly key: string;
  readonly status: Status;
  readonly word: string;
  readonly statement: Statement;
  readonly rule: string;
  readonly counts: string;
  readonly because: readonly EvidenceRow[];
  readonly against: readonly EvidenceRow[];
}

export interface LeadRow {
  readonly key: string;
  readonly label: string;
  readonly ranks: readonly number[];
  readonly why: string;
  /** `2 for, 0 against`; empty where the report keeps no evidence of it. */
  readonly counts: string;
  readonly because: readonly EvidenceRow[];
  readonly against: readonly EvidenceRow[];
}

export interface GapRow {
  readonly key: string;
  readonly state: ReportGap['state'];
  readonly item: string;
  readonly word: string;
  readonly matters: string;
  readonly where: string;
  readonly collect: string;
}

export interface OverviewModel {
  readonly outcome: ReportVerdict['outcome'];
  readonly header: VerdictHeader;
  readonly because: readonly EvidenceRow[];
  readonly against: readonly EvidenceRow[];
  readonly wouldChange: readonly WouldChangeItem[];
  readonly nextChecks: readonly string[];
  readonly leads: readonly LeadRow[];
  readonly findings: readonly FindingRow[];
  readonly gaps: readonly GapRow[];
}

export function overviewModel(report: Report): OverviewModel {
  const { verdict } = report;
  return {
    outcome: verdict.outcome,
    header: headerOf(report),
    because: evidenceRows(report, verdict.because, 'because'),
    against: evidenceRows(report, verdict.against, 'against'),
    wouldChange: wouldChangeItems(report),
    nextChecks: verdict.nextChecks.map(escapeText),
    leads: verdict.candidates.map((lead, index) => leadRow(report, lead, index)),
    findings: otherFindings(report).map((finding, index) => findingRow(report, finding, index)),
    gaps: gapRows(report.gaps),
  };
}

type Candidate = ReportVerdict['candidates'][number];

function leadRow(report: Report, lead: Candidate, index: number): LeadRow {
  const { because, against } = leadEvidence(report, lead);
  return {
    key: `lead-${index}`,
    label:
      lead.ranks.length === 0
        ? 'no rank'
        : `${lead.ranks.length === 1 ? 'rank' : 'ranks'} ${formatRanksShort(lead.ranks, 20)}`,
    ranks: lead.ranks,
    why: statementText(lead.why),
    counts:
      because.length + against.length === 0
        ? ''
        : `${formatCount(because.length)} for, ${formatCount(against.length)} against`,
    because: evidenceRows(report, because, `lead-${index}-because`),
    against: evidenceRows(report, against, `lead-${index}-against`),
  };
}

/**
 * What speaks for and against a lead: that of the finding it came from, whether it is the whole of it or one of its candidates; of one
 * candidate only what is about it, where some of it is about another.
 */
function leadEvidence({ verdict, findings }: Report, lead: Candidate): Pick<ReportVerdict, 'because' | 'against'> {
  const same = (ranks: readonly number[]): boolean => formatRanks(ranks) === formatRanks(lead.ranks);
  const whole = findings.find((one) => one.summary === lead.why && same(one.firstRanks));
  if (whole !== undefined) return whole;
  const others = new Set(verdict.candidates.flatMap(({ ranks, why }) => (why === lead.why ? [] : ranks)));
  for (const rank of lead.ranks) others.delete(rank);
  const texts = new Set(verdict.candidates.flatMap(({ why }) => (why === lead.why ? [] : why)));
  const source = findings.find(
    (one) =>
      one.summary !== verdict.summary && one.candidates.some(({ ranks, why }) => why === lead.why && same(ranks)),
  );
  const { because, against } = source ?? verdict;
  const isOwn = ({ rank, text }: ReportEvidence): boolean => !texts.has(text) && (rank === null || !others.has(rank));
  return { because: because.filter(isOwn), against: against.filter(isOwn) };
}

/** All gaps, what is wholly there left out, in the report's order (the most telling first). */
function gapRows(gaps: readonly ReportGap[]): readonly GapRow[] {
  return gaps
    .filter((gap) => gap.state !== 'present')
    .map((gap, index) => ({
      key: `gap-${index}`,
      state: gap.state,
      item: escapeText(gap.item),
      word: gap.state.replace('-', ' '),
      matters: escapeText(gap.matters),
      where: escapeText(gap.where),
      collect: escapeText(gap.collect),
    }));
}

function headerOf(report: Report): VerdictHeader {
  const { verdict } = report;
  const ended = verdict.outcome === 'no-failure';
  return {
    glyph: ended ? 'no-failure' : verdict.status,
    word: ended ? 'No failure' : STATUS_WORD[verdict.status],
    meaning: ended
      ? `${STATUS_WORD[verdict.status].toLowerCase()}: ${lowerFirst(STATUS_MEANING[verdict.status])}`
      : STATUS_MEANING[verdict.status],
    rule: verdictFinding(report)?.rule ?? null,
    statement: placeChip(statementText(verdict.summary), verdict.firstRanks),
    facts:
      verdict.outcome === 'no-failure' || verdict.outcome === 'cannot-tell'
        ? coverageFacts(report)
        : faultFacts(report),
  };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const WHEN = 'When';

/** The fact that tells the moment of the verdict. */
export const isMoment = ({ label }: Fact): boolean => label.startsWith(`${WHEN},`);

/** When, where, stage with the consequence: for a verdict that names something. */
function faultFacts(report: Report): readonly Fact[] {
  const { verdict } = report;
  const facts: Fact[] = [];
  const moment = verdictMoment(report);
  if (moment) {
    const corrected = moment.basis === 'corrected';
    facts.push({
      label: `${WHEN}, ${moment.basis}`,
      value: moment.time,
      note: corrected ? momentNote(moment) : 'raw',
      detail: corrected ? moment.day : `${moment.day}, clock of ${escapeText(moment.clock ?? 'unknown origin')}`,
    });
  }
  const where = whereOf(report);
  if (where) facts.push(where);
  const followed = verdict.symptomRanks.length;
  facts.push({
    label: 'Stage',
    value: capitalise(STAGE_WORD[verdict.stage]),
    note: '',
    detail: `${CAUSE_WORD[verdict.cause]}${followed === 0 ? '' : `; ${formatCount(followed)} followed`}`,
  });
  return facts;
}

function whereOf(report: Report): Fact | null {
  const { verdict } = report;
  const [first, ...others] = verdict.firstRanks;
  const rank = first === undefined || others.length > 0 ? undefined : (attemptRow(report, first) ?? undefined);
  const pod = verdict.pod ?? rank?.pod ?? null;
  const node = verdict.node ?? rank?.node ?? null;
  if (pod === null && node === null) return null;
  const attempt = report.incident.attempts > 1 && verdict.attempt !== null ? `attempt ${verdict.attempt}` : null;
  const inPod = rank?.localRank === null || rank === undefined ? null : `local rank ${rank.localRank}`;
  const gpu = rank?.gpu === null || rank === undefined ? null : `GPU ${rank.gpu}`;
  const value = escapeText(pod ?? node ?? '');
  // Beside a short name, else under it.
  const beside = value.length <= SHORT_NAME ? inPod : null;
  const detail = [beside === null ? inPod : null, pod === null ? null : node, gpu, attempt].filter(
    (part) => part !== null,
  );
  return { label: 'Where', value, note: beside ?? '', detail: escapeText(detail.join(', ')) };
}

const SHORT_NAME = 16;

/** What the bundle covers: for verdicts that name nothing. */
function coverageFacts(report: Report): readonly Fact[] {
  const { incident, bundle } = report;
  const facts: Fact[] = [
    {
      label: 'Ranks seen',
      value:
        incident.worldSize === null
          ? formatCount(incident.ranksSeen)
          : `${formatCount(incident.ranksSeen)} of ${formatCount(incident.worldSize)}`,
      note: '',
      detail: incident.worldSize === null ? 'size of the job unknown' : 'logs, dumps or Pod documents',
    },
    {
      label: 'Recorder dumps',
      value:
        incident.dumpsExpected === null
          ? formatCount(incident.dumpsPresent)
          : `${formatCount(incident.dumpsPresent)} of ${formatCount(incident.dumpsExpected)}`,
      note: '',
      detail: incident.dumpsPresent === 0 ? 'none in the bundle' : 'readable',
    },
    {
      label: 'Files read',
      value: `${formatCount(bundle.files.read + bundle.files.warned)} of ${outOfText(bundle)}`,
      note: '',
      detail: notRead(bundle.files),
    },
  ];
  const attempts = attemptsFact(report);
  if (attempts) facts.push(attempts);
  const exits = exitFact(report);
  if (exits) facts.push(exits);
  return facts;
}

/** A job that was started again: which attempt this is about, and which left nothing. Null for one attempt. */
function attemptsFact({ incident, verdict, ranks }: Report): Fact | null {
  if (incident.attempts < 2) return null;
  const told = new Set(ranks.flatMap(({ attempt, files }) => (files.length > 0 ? [attempt] : [])));
  const lost = Array.from({ length: incident.attempts }, (_, attempt) => attempt).filter((one) => !told.has(one));
  return {
    label: 'Attempts',
    value: formatCount(incident.attempts),
    note: '',
    detail: verdict.attempt === null ? 'none of them named' : `this is about attempt ${verdict.attempt}`,
    ...(lost.length === 0
      ? {}
      : { more: `no file of ${lost.length === 1 ? 'attempt' : 'attempts'} ${formatRanks(lost)}` }),
  };
}

function exitFact(report: Report): Fact | null {
  const codes = report.ranks.flatMap((row) => (row.exit?.code === null || row.exit === null ? [] : [row.exit.code]));
  if (codes.length === 0) return null;
  const zero = codes.filter((code) => code === 0).length;
  return {
    label: 'Exit codes',
    value: zero === codes.length ? `0 on ${formatCount(codes.length)}` : `${formatCount(codes.length - zero)} not 0`,
    note: '',
    // One row a rank and attempt.
    detail: `known for ${formatCount(codes.length)} of ${
      report.incident.attempts > 1
        ? plural(report.ranks.length, 'process', 'processes')
        : plural(report.ranks.length, 'rank')
    }`,
  };
}

function notRead(files: Report['bundle']['files']): string {
  const parts = (['refused', 'failed', 'empty', 'truncated', 'skipped', 'duplicate'] as const)
    .filter((status) => files[status] > 0)
    .map((status) => `${formatCount(files[status])} ${status}`);
  return parts.length === 0 ? 'none refused or empty' : parts.join(', ');
}

/** The finding that became the verdict: the same statement about the same ranks. */
function verdictFinding(report: Report): ReportFinding | undefined {
  return report.findings.find((finding) => isVerdict(report.verdict, finding));
}

function isVerdict(verdict: ReportVerdict, finding: ReportFinding): boolean {
  return (
    finding.outcome === verdict.outcome &&
    finding.cause === verdict.cause &&
    finding.summary === verdict.summary &&
    formatRanks(finding.firstRanks) === formatRanks(verdict.firstRanks)
  );
}

function otherFindings(report: Report): readonly ReportFinding[] {
  const shown = verdictFinding(report);
  return report.findings.filter((finding) => finding !== shown);
}

function findingRow(report: Report, finding: ReportFinding, index: number): FindingRow {
  return {
    key: `finding-${index}`,
    status: finding.status,
    word: STATUS_WORD[finding.status],
    statement: splitStatement(statementText(finding.summary), finding.firstRanks),
    rule: finding.rule,
    counts: `${formatCount(finding.because.length)} for, ${formatCount(finding.against.length)} against`,
    because: evidenceRows(report, finding.because, `finding-${index}-because`),
    against: evidenceRows(report, finding.against, `finding-${index}-against`),
  };
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface ScopeRow {
  readonly label: string;
  readonly value: string;
}

/** The side column's Scope: what the case is about. */
export function scopeRows(report: Report): readonly ScopeRow[] {
  const { incident, bundle, collectives } = report;
  const nodes = new Set(report.ranks.flatMap((row) => (row.node === null ? [] : [row.node])));
  const pods = new Set(report.ranks.flatMap((row) => (row.pod === null ? [] : [row.pod])));
  const ranks = incident.worldSize ?? incident.ranksSeen;
  const places = [nodes.size > 0 ? plural(nodes.size, 'node') : null, pods.size > 0 ? plural(pods.size, 'Pod') : null];
  const known = places.filter((place) => place !== null).join(', ');
  const groups = collectives.groups.map((group) => escapeText(group.desc === '' ? group.group : group.desc));
  const software = Object.entries(incident.software).map(
    ([name, version]) => `${escapeText(name)} ${escapeText(version)}`,
  );
  return [
    { label: 'Bundle', value: escapeText(bundle.name) },
    {
      label: 'Ranks',
      value: `${incident.worldSize === null ? '≥ ' : ''}${formatCount(ranks)}${known === '' ? '' : ` on ${known}`}`,
    },
    {
      label: 'Groups',
      value: groups.length === 0 ? 'none named' : `${formatCount(groups.length)}, ${listShort(groups)}`,
    },
    { label: 'Attempts', value: incident.attempts === 0 ? 'unknown' : formatCount(incident.attempts) },
    { label: 'Range', value: rangeText(report) },
    { label: 'Software', value: software.length === 0 ? 'unknown' : software.join(', ') },
  ];
}

function listShort(names: readonly string[]): string {
  if (names.length <= 3) return names.join(', ');
  return `${names.slice(0, 2).join(', ')} and ${formatCount(names.length - 2)} more`;
}

/** `18 Feb 2026, 09:57:50 – 10:40:10 raw`: raw unless a reference clock exists. */
function rangeText(report: Report): string {
  const { start, end } = report.incident;
  if (start === null || end === null) return 'unknown';
  return `${calendarDay(start)}, ${timeOfDayShort(start)} – ${timeOfDayShort(end)}${report.clock.reference === null ? ' raw' : ''}`;
}

export interface ClockRow {
  readonly id: string;
  /** Null while the offset is unknown. */
  readonly offset: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
    readonly likelyLow: number | null;
    readonly likelyHigh: number | null;
  } | null;
  readonly reference: boolean;
}

export interface ClocksModel {
  /** `unknown`, `good ±3 ms`. */
  readonly quality: string;
  readonly sentence: string;
  readonly rows: readonly ClockRow[];
}

/** Nodes by their name; the one clock that is no node by what it is. */
export function clockTitle(domain: Report['clock']['domains'][number]): string {
  return domain.kind === 'api' && domain.id === 'api' ? 'API server' : escapeText(domain.id);
}

const QUALITY_ORDER = ['contradictory', 'none', 'incomplete', 'loose', 'good'] as const;

/** Guaranteed bound of each clock that has one, ms: the farther side. The reference defines the time and has none. */
export function boundsOf({ clock }: Report): readonly number[] {
  return clock.domains.flatMap(({ id, offsetMs }) =>
    id === clock.reference || offsetMs === null || offsetMs.low === null || offsetMs.high === null
      ? []
      : [Math.max(offsetMs.high - offsetMs.estimate, offsetMs.estimate - offsetMs.low)],
  );
}

/** The side column's Clocks. Without a reference clock nothing is compared, and the sentence says so. */
export function clocksModel(report: Report): ClocksModel {
  const { reference, domains } = report.clock;
  const rows = domains.map((domain) => ({
    id: clockTitle(domain),
    offset: domain.offsetMs,
    reference: domain.id === reference,
  }));
  if (domains.length === 0) return { quality: 'none', sentence: 'No file carries a time.', rows };
  if (reference === null) {
    const sentence =
      domains.length === 1
        ? 'One clock, no second one to compare it with. All times are raw.'
        : `${formatCount(domains.length)} clocks, offsets unknown. Times are raw and not compared between them.`;
    return { quality: 'unknown', sentence, rows };
  }
  const worst = QUALITY_ORDER.find((quality) => domains.some((domain) => domain.quality === quality)) ?? 'none';
  const bounds = boundsOf(report);
  const widest = Math.max(0, ...bounds);
  return { quality: bounds.length > 0 ? `${worst}, ${formatBound(widest)}` : worst, sentence: '', rows };
}
