/**
 * Analysis result → report object of `schema.ts`. Pure and deterministic: the same input gives the same bytes.
 *
 * Evidence points into entries by id; the report adds the path. The verdict is the first finding and appears in both places.
 */
import type { AnalysisResult, Bracket, BracketEnd, Evidence, Finding } from '../model/finding.ts';
import type { EntryId } from '../model/ids.ts';
import type { IncidentInput } from '../model/incident.ts';
import type { Issue } from '../model/issue.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { type EpochNs, formatEpochNs, type Stamp } from '../model/time.ts';
import { reviewSettings } from '../review/index.ts';
import { issueText } from '../text/issue-text.ts';
import { buildClock } from './clock-rows.ts';
import { buildCollectives } from './collective-rows.ts';
import { buildRankRows, compareText } from './rank-rows.ts';
import type { Report, ReportBracketEnd, ReportEvidence, ReportFinding, ReportIssue, ReportVerdict } from './schema.ts';
import { settingsRows } from './settings-rows.ts';
import { type ClockBook, openClockBook, type ReportTime } from './times.ts';

export interface BuildReportInput {
  readonly input: IncidentInput;
  readonly result: AnalysisResult;
  /** Name, hash and sizes of what the user opened; the file counts are taken from `input.entries`. */
  readonly bundle: {
    readonly name: string;
    readonly sha256: string;
    readonly bytes: number;
    readonly unpackedBytes: number;
    /** The import was ended early. */
    readonly stopped?: Report['bundle']['stopped'];
  };
  readonly tool: { readonly name: string; readonly version: string };
}

export function buildReport({ input, result, bundle, tool }: BuildReportInput): Report {
  const book = openClockBook(result.facts.clocks);
  const paths = new Map(input.entries.map((entry) => [entry.id, entry.path]));
  const pathOf = (entry: EntryId) => paths.get(entry) ?? '';
  const evidence = (item: Evidence) => evidenceRow(item, pathOf, book);
  return {
    schema: 'firstfault-report/1',
    tool: { name: tool.name, version: tool.version },
    bundle: {
      name: bundle.name,
      sha256: bundle.sha256,
      bytes: bundle.bytes,
      unpackedBytes: bundle.unpackedBytes,
      files: countFiles(input),
      ...(bundle.stopped === undefined ? {} : { stopped: bundle.stopped }),
    },
    incident: incidentOf(input, result, book),
    clock: buildClock(result.facts.clocks, input.zones ?? [], pathOf),
    ranks: buildRankRows({ input, result, book, pathOf }),
    collectives: buildCollectives(result.facts.collectives),
    verdict: verdictOf(result.verdict, evidence, book),
    findings: result.findings.map((finding, index) => findingRow(finding, index, evidence, book)),
    gaps: result.gaps.map((gap) => ({ ...gap })),
    issues: issueRows([...input.issues, ...(result.facts.collectives.issues ?? [])], pathOf),
    settings: settingsRows(reviewSettings(result.facts), pathOf),
  };
}

function countFiles(input: IncidentInput): Report['bundle']['files'] {
  const counts = {
    total: input.entries.length,
    read: 0,
    warned: 0,
    empty: 0,
    truncated: 0,
    skipped: 0,
    refused: 0,
    failed: 0,
    duplicate: 0,
  };
  for (const entry of input.entries) counts[entry.status] += 1;
  return counts;
}

function incidentOf(input: IncidentInput, result: AnalysisResult, book: ClockBook): Report['incident'] {
  const { rankMap, collectives } = result.facts;
  const span = spanOf(result, input);
  return {
    start: span ? book.at(span.first.ns, span.first.clock).time : null,
    end: span ? book.at(span.last.ns, span.last.clock).time : null,
    worldSize: rankMap.worldSize !== undefined && rankMap.worldSize > 0 ? rankMap.worldSize : null,
    ranksSeen: new Set(rankMap.places.map((place) => place.rank)).size,
    dumpsPresent: collectives.dumpsPresent.length,
    dumpsExpected: collectives.dumpsExpected?.length ?? null,
    attempts: rankMap.attempts,
    software: softwareOf(input),
  };
}

interface Moment {
  readonly ns: EpochNs;
  readonly clock: string | undefined;
}

/** First and last stamp of any log of the job, each on its own clock. */
function spanOf(result: AnalysisResult, input: IncidentInput): { first: Moment; last: Moment } | undefined {
  let first: Moment | undefined;
  let last: Moment | undefined;
  const see = (stamp: Stamp | undefined, clock: string | undefined) => {
    if (stamp === undefined || stamp.kind === 'boot' || stamp.kind === 'api') return;
    if (first === undefined || stamp.ns < first.ns) first = { ns: stamp.ns, clock };
    if (last === undefined || stamp.ns > last.ns) last = { ns: stamp.ns, clock };
  };
  const clockOfStream = new Map(result.facts.events.map((placed) => [placed.stream, placed.clock]));
  for (const stream of input.streams) {
    const clock = clockOfStream.get(stream);
    see(stream.first?.stamp, clock);
    see(stream.last?.stamp, clock);
  }
  // A reading is of the collecting, which may be days later.
  for (const placed of result.facts.events)
    if (placed.event.body.kind !== 'host-state') see(placed.event.stamp, placed.clock);
  return first !== undefined && last !== undefined ? { first, last } : undefined;
}

function softwareOf(input: IncidentInput): Record<string, string> {
  const found = new Map<string, Set<string>>();
  for (const event of input.events) {
    if (event.body.kind !== 'software') continue;
    for (const name of ['torch', 'nccl', 'cuda', 'driver'] as const) {
      const value = event.body[name];
      if (value === undefined) continue;
      const values = found.get(name) ?? new Set();
      found.set(name, values.add(value));
    }
  }
  return Object.fromEntries(
    [...found]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, values]) => [name, [...values].sort(compareText).join(', ')]),
  );
}

function evidenceRow(item: Evidence, pathOf: (entry: EntryId) => string, book: ClockBook): ReportEvidence {
  const time = item.rawNs === undefined ? undefined : book.at(item.rawNs, item.clock, item.zoneAssumed);
  return {
    text: item.text,
    file: pathOf(item.source.entry),
    ...placeIn(item.source),
    rank: item.rank ?? null,
    time: time?.time ?? null,
    boundMs: time?.boundMs ?? null,
    timeBasis: time?.timeBasis ?? null,
    entryId: item.source.entry,
  };
}

function placeIn(source: SourceRef): Pick<ReportEvidence, 'line' | 'byte' | 'record'> {
  return {
    line: source.kind === 'line' ? source.line : null,
    byte: source.kind === 'byte' ? source.byte : null,
    record: source.kind === 'record' ? source.record : null,
  };
}

function verdictOf(finding: Finding, evidence: (item: Evidence) => ReportEvidence, book: ClockBook): ReportVerdict {
  const at = finding.at ? book.at(finding.at.rawNs, finding.at.clock, finding.at.zoneAssumed) : undefined;
  return {
    outcome: finding.outcome,
    status: finding.status,
    stage: finding.stage,
    cause: finding.cause,
    firstRanks: [...finding.firstRanks],
    candidates: finding.candidates.map((candidate) => ({ ranks: [...candidate.ranks], why: candidate.why })),
    symptomRanks: [...finding.symptomRanks],
    pod: finding.pod ?? null,
    node: finding.node ?? null,
    attempt: finding.attempt ?? null,
    at: at && finding.at ? atRow(at, finding.at) : null,
    between: bracketRow(finding.between, evidence),
    summary: finding.summary,
    because: finding.because.map(evidence),
    against: finding.against.map(evidence),
    wouldChange: [...finding.wouldChange],
    nextChecks: [...finding.nextChecks],
  };
}

function atRow({ time, boundMs, timeBasis }: ReportTime, at: NonNullable<Finding['at']>): ReportVerdict['at'] {
  return { time, boundMs: boundMs === null ? null : boundMs + (at.spanNs ?? 0) / 1e6, clock: at.clock, timeBasis };
}

function bracketRow(
  bracket: Bracket | undefined,
  evidence: (item: Evidence) => ReportEvidence,
): ReportVerdict['between'] {
  if (bracket === undefined) return null;
  const end = (one: BracketEnd): ReportBracketEnd => {
    const row = evidence(one);
    const rawTime = formatEpochNs(one.rawNs, 6);
    return { ...row, time: row.time ?? rawTime, timeBasis: row.timeBasis ?? 'raw', rawTime, clock: one.clock };
  };
  return {
    from: bracket.from === undefined ? null : end(bracket.from),
    until: end(bracket.until),
    latenessMs: bracket.latenessMs,
  };
}

function findingRow(
  finding: Finding,
  index: number,
  evidence: (item: Evidence) => ReportEvidence,
  book: ClockBook,
): ReportFinding {
  return { ...verdictOf(finding, evidence, book), id: `f${index + 1}`, rule: finding.rule };
}

function issueRows(issues: readonly Issue[], pathOf: (entry: EntryId) => string): ReportIssue[] {
  const rows = issues.map((issue) => {
    const file = issue.entry === undefined ? (issue.path ?? null) : pathOf(issue.entry);
    return {
      code: issue.code,
      severity: issue.severity,
      file,
      where: issue.source ? whereText(issue.source) : null,
      count: Math.max(1, issue.count),
      text: issueText(issue.code, issue.detail),
    };
  });
  return rows.sort(
    (a, b) =>
      compareText(a.file ?? '', b.file ?? '') ||
      compareText(a.code, b.code) ||
      compareText(a.where ?? '', b.where ?? '') ||
      compareText(a.text, b.text),
  );
}

function whereText(source: SourceRef): string | null {
  switch (source.kind) {
    case 'line':
      return `line ${source.line}`;
    case 'byte':
      return `byte ${source.byte}`;
    case 'record':
      return `record ${source.record}`;
    case 'entry':
      return null;
  }
}
