/** What the inspector says of the selected thing: its name, its fields, what speaks of it, and where it can be seen. */
import type { EntryId } from '#shared/model/ids.ts';
import type { Report, ReportEvidence, ReportRank } from '#shared/report/schema.ts';
import type { EntryRow, RecordView } from '#shared/rpc/contract.ts';
import { formatBytes, formatCount, formatRanks, plural, shortenHash } from '#shared/text/format.ts';
import { attemptRow } from './attempt-rows.ts';
import { escapeText } from './escape-text.ts';
import { type EvidenceRow, evidenceRows } from './evidence-rows.ts';
import { clockTitle } from './overview.ts';
import { exitClockWords, seenWords } from './rank-table.ts';
import { calendarDay, formatBound, timeOfDay } from './times.ts';
import { DUMP_WORDS, ROLE_WORDS } from './words.ts';

export interface InspectorField {
  readonly name: string;
  /** Escaped. */
  readonly value: string;
  /** In `text-3` behind the value: the bound, the clock. */
  readonly note?: string;
  readonly tone?: 'first' | 'warn';
}

export interface InspectorModel {
  /** Word in the head of the dock. */
  readonly kind: string;
  readonly rank: { readonly rank: number; readonly role: ReportRank['role'] } | null;
  readonly title: string;
  readonly fields: readonly InspectorField[];
  readonly evidence: readonly EvidenceRow[];
  /** Files that belong to it, by path as the bundle wrote it. */
  readonly files: readonly string[];
}

const MAX_EVIDENCE = 8;

const field = (name: string, value: string | null | undefined, note?: string): readonly InspectorField[] =>
  value === null || value === undefined || value === ''
    ? []
    : [{ name, value: escapeText(value), ...(note === undefined ? {} : { note }) }];

export function rankInspector(report: Report, rank: number): InspectorModel {
  const row = attemptRow(report, rank);
  const base = { kind: 'Rank', evidence: evidenceOf(report, (item) => item.rank === rank) };
  if (row === null) {
    const why = 'No file of this bundle speaks of it.';
    return {
      ...base,
      rank: { rank, role: 'unknown' },
      title: '',
      fields: [{ name: 'Known', value: why }],
      files: [],
    };
  }
  const groups = report.collectives.groups.filter((group) => group.ranks.includes(rank));
  const place = [
    row.gpu === null ? null : `GPU ${row.gpu}`,
    row.localRank === null ? null : `local rank ${row.localRank}`,
  ];
  return {
    ...base,
    rank: { rank, role: row.role },
    title: ROLE_WORDS[row.role],
    fields: [
      ...field('Node', row.node),
      ...field('Pod', row.pod),
      ...field('Container', row.container),
      ...field('Place', place.filter((part) => part !== null).join(', ')),
      ...(row.attempt > 0 ? field('Attempt', String(row.attempt)) : []),
      ...exitFields(row),
      ...seenField(row),
      ...clockField(row),
      ...field('Dump', DUMP_WORDS[row.dump]),
      ...field(
        groups.length === 1 ? 'Group' : 'Groups',
        groups
          .map((group) => group.desc || group.group)
          .slice(0, 6)
          .join(', '),
      ),
      ...row.conflicts
        .slice(0, 4)
        .map((text): InspectorField => ({ name: 'Conflict', value: escapeText(text), tone: 'warn' })),
      ...field('Known by', row.basis.slice(0, 3).join('; ')),
    ],
    files: row.files,
  };
}

function exitFields({ exit }: ReportRank): readonly InspectorField[] {
  if (exit === null) return [];
  const parts = [
    exit.reason,
    exit.code === null ? null : `exit code ${exit.code}`,
    exit.signal === null ? null : `signal ${exit.signal}`,
  ].filter((part) => part !== null);
  return [
    ...field('End', parts.join(', ')),
    ...(exit.at === null ? [] : [{ name: 'Ended', value: timeOfDay(exit.at), note: exitClockWords(exit) }]),
  ];
}

function seenField(row: ReportRank): readonly InspectorField[] {
  if (row.lastSeen === null) return [];
  return [{ name: 'Last seen', value: timeOfDay(row.lastSeen), note: escapeText(seenWords(row)) }];
}

/** A stamp as its record has it. */
function timeField(name: string, iso: string | null, clock: string | null): readonly InspectorField[] {
  if (iso === null) return [];
  return [{ name, value: timeOfDay(iso), note: `raw, ${escapeText(clock ?? 'clock unknown')}` }];
}

function clockField({ clock, clockOffsetMs }: ReportRank): readonly InspectorField[] {
  if (clock === null) return [];
  if (clockOffsetMs === null) return field('Clock', clock, 'offset unknown');
  const { estimate, low, high } = clockOffsetMs;
  const bound = low === null || high === null ? 'bound unknown' : formatBound((high - low) / 2);
  return field('Clock', clock, `${signedMs(estimate)} ${bound}`);
}

const signedMs = (ms: number): string =>
  `${ms < 0 ? '−' : '+'}${Math.abs(ms) >= 1000 ? `${(Math.abs(ms) / 1000).toFixed(3)} s` : `${Number(Math.abs(ms).toFixed(1))} ms`}`;

export function clockInspector(report: Report, clock: string): InspectorModel {
  const domain = report.clock.domains.find((item) => item.id === clock);
  const ranks = report.ranks.filter((row) => row.clock === clock).map((row) => row.rank);
  const base = { kind: 'Clock', rank: null, evidence: [], files: [] };
  if (!domain)
    return { ...base, title: escapeText(clock), fields: field('Known', 'The report has no clock of this name.') };
  const offset = domain.offsetMs;
  const reference = domain.id === report.clock.reference;
  const bound = offset?.low == null || offset.high == null ? null : (offset.high - offset.low) / 2;
  const interval =
    offset?.low == null || offset.high == null ? '' : `${signedMs(offset.low)} to ${signedMs(offset.high)}`;
  return {
    ...base,
    title: escapeText(clockTitle(domain)),
    fields: [
      ...field('Kind', domain.kind),
      ...(reference
        ? field('Offset', 'reference clock')
        : field(
            'Offset',
            offset === null ? 'unknown' : signedMs(offset.estimate),
            bound === null ? 'bound unknown' : formatBound(bound),
          )),
      ...(reference ? [] : field('Guaranteed', interval)),
      ...field('Drift', domain.driftPpm === null ? null : `${domain.driftPpm.toFixed(1)} ppm`),
      ...field('Quality', domain.quality),
      ...field('Anchors', formatCount(domain.anchors)),
      ...field('Ranks', ranks.length === 0 ? null : formatRanks(ranks)),
      ...domain.basis.slice(0, 4).flatMap((text) => field('Known by', text)),
    ],
  };
}

export function entryInspector(report: Report, entry: EntryRow): InspectorModel {
  const time = (iso: string | null) => (iso === null ? null : `${timeOfDay(iso)}, ${calendarDay(iso)}`);
  return {
    kind: 'File',
    rank: null,
    title: escapeText(entry.path.split('/').at(-1) ?? entry.path),
    fields: [
      ...field('Path', entry.path),
      ...field('Kind', entry.kind, entry.format ?? undefined),
      ...field('Status', entry.status),
      ...field('Detail', entry.detail),
      ...field('Size', formatBytes(entry.bytes), entry.lines === null ? undefined : plural(entry.lines, 'line')),
      ...field('First', time(entry.first), 'raw'),
      ...field('Last', time(entry.last), 'raw'),
      ...field('SHA-256', entry.sha256 === null ? 'not taken' : shortenHash(entry.sha256)),
      ...field('Ranks', ranksOfFile(report, entry.path)),
    ],
    evidence: evidenceOf(report, (item) => item.entryId === entry.id),
    files: [],
  };
}

const ranksOfFile = (report: Report, path: string): string | null => {
  const ranks = report.ranks.filter((row) => row.files.includes(path)).map((row) => row.rank);
  return ranks.length === 0 ? null : formatRanks(ranks);
};

export function lineInspector(report: Report, path: string, entryId: EntryId, line: number): InspectorModel {
  const name = path.split('/').at(-1) ?? path;
  return {
    kind: 'Line',
    rank: null,
    title: `line ${formatCount(line)}`,
    fields: [
      ...field('File', name),
      ...field('Path', path === name ? null : path),
      ...field('Ranks', ranksOfFile(report, path)),
    ],
    evidence: evidenceOf(report, (item) => item.entryId === entryId && item.line === line),
    files: [],
  };
}

export interface SelectedCall {
  readonly group: string;
  readonly seq: number;
  readonly rank: number;
}

/** Fields of the recorder that say most, in this order; the raw viewer shows all of them. */
const RECORD_FIELDS: readonly (readonly [string, string])[] = [
  ['state', 'State'],
  ['profiling_name', 'Call'],
  ['time_created_ns', 'Entered'],
  ['time_discovered_started_ns', 'Started'],
  ['time_discovered_completed_ns', 'Completed'],
  ['duration_ms', 'Duration'],
  ['input_sizes', 'Input'],
  ['input_dtypes', 'Type'],
  ['output_sizes', 'Output'],
  ['p2p_seq_id', 'P2P number'],
  ['timeout_ms', 'Timeout'],
  ['retired', 'Retired'],
];

/** `record` null while it is read, or where the rank has none. */
export function callInspector(report: Report, call: SelectedCall, record: RecordView | null): InspectorModel {
  const row = attemptRow(report, call.rank);
  const group = report.collectives.groups.find((item) => item.group === call.group || item.desc === call.group);
  const divergence = group?.firstDivergence;
  const differs = divergence && divergence.seq === call.seq ? divergence : null;
  // The whole number: `#48` is no part of `#4812`.
  const named = new RegExp(`#${call.seq}(?!\\d)`);
  const op = record?.fields.find((item) => item.name === 'profiling_name')?.value.replace(/^(?:nccl|gloo):/, '') ?? '';
  return {
    kind: 'Record',
    rank: { rank: call.rank, role: row?.role ?? 'unknown' },
    title: escapeText(`${op === '' ? 'call' : op} #${call.seq}`),
    fields: [
      ...field('Group', group?.desc || call.group, group ? plural(group.ranks.length, 'rank') : undefined),
      ...(record === null ? [] : RECORD_FIELDS.flatMap(([name, word]) => recordField(record, name, word, row))),
      ...(differs
        ? [
            {
              name: 'Differs',
              value: escapeText(`${differs.actual}; expected ${differs.expected}`),
              tone: 'first' as const,
            },
          ]
        : []),
      ...field('Node', row?.node),
      ...field('Pod', row?.pod),
    ],
    evidence: evidenceOf(
      report,
      (item) =>
        item.rank === call.rank && (named.test(item.text) || (record !== null && item.record === record.record)),
    ),
    files: row?.files ?? [],
  };
}

function recordField(
  record: RecordView,
  name: string,
  word: string,
  row: ReportRank | null,
): readonly InspectorField[] {
  const value = record.fields.find((item) => item.name === name)?.value ?? '';
  if (value === '' || value === 'None') return [];
  if (name === 'time_created_ns' || name.startsWith('time_discovered')) return nsField(word, value, row);
  if (name === 'timeout_ms') return field(word, `${value} ms`);
  return field(word, value);
}

function nsField(word: string, value: string, row: ReportRank | null): readonly InspectorField[] {
  if (!/^\d{16,19}$/.test(value)) return field(word, value);
  const iso = `${new Date(Number(BigInt(value) / 1_000_000n)).toISOString().slice(0, 19)}.${value.slice(-9, -3)}Z`;
  return timeField(word, iso, row?.clock ?? row?.node ?? row?.pod ?? null);
}

/** Statements of the verdict and of all findings that fit, each once. */
function evidenceOf(report: Report, fits: (item: ReportEvidence) => boolean): readonly EvidenceRow[] {
  const seen = new Set<string>();
  const found: ReportEvidence[] = [];
  for (const finding of [report.verdict, ...report.findings]) {
    for (const item of [...finding.because, ...finding.against]) {
      const key = `${item.entryId} ${item.line} ${item.byte} ${item.record} ${item.text}`;
      if (!fits(item) || seen.has(key)) continue;
      seen.add(key);
      found.push(item);
    }
  }
  return evidenceRows(report, found.slice(0, MAX_EVIDENCE), 'inspector');
}
