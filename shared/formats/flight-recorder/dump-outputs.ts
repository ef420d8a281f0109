/** What a dump format yields for each way its decoding can end: the one place for statuses, issues and the summary. */
import type { DecodedNot, DecodedPart, DecodedWhole } from '../../codecs/value-arena/outcome.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { EntryContext, FormatOutput } from '../../model/format.ts';
import type { EntryId } from '../../model/ids.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import type { DirectEntries } from './direct-entries.ts';
import { MAX_ENTRIES, readDump } from './read-dump.ts';

/** Newest format we know by its fields; a newer minor only adds some. */
const KNOWN_MAJOR = 2;

/** Outputs for decoded values: the dump with its issues, or why it is none. `direct`: entries that are not among the values. */
export function* decodedOutputs(
  decoded: DecodedWhole | DecodedPart | DecodedNot,
  encoding: 'pickle' | 'json',
  context: EntryContext,
  bytes: Uint8Array,
  direct?: DirectEntries,
): Generator<FormatOutput> {
  const at = (byte: number): SourceRef => ({
    kind: 'byte',
    entry: context.entry,
    byte: Math.min(byte, bytes.length),
    length: 0,
  });
  if (decoded.kind === 'invalid') {
    const code = encoding === 'json' ? 'json-invalid' : 'pickle-invalid';
    yield {
      kind: 'issue',
      code,
      severity: 'error',
      source: at(decoded.at),
      detail: `${decoded.why} (byte ${decoded.at})`,
    };
    yield { kind: 'status', status: 'failed', detail: `not readable as ${encoding} from byte ${decoded.at} on` };
    return;
  }
  if (decoded.kind === 'limit') {
    yield* tooMuch(decoded.what, at(decoded.at));
    return;
  }
  const reading = readDump(decoded, { entry: context.entry, path: context.path, encoding }, direct);
  if (reading.kind === 'too-many-entries') {
    yield* tooMuch(`${MAX_ENTRIES} entries: ${reading.count}`, { kind: 'entry', entry: context.entry });
    return;
  }
  if (reading.kind === 'other-shape') {
    yield* notADump(decoded, encoding, context.entry);
    return;
  }
  // Everything was copied into columns.
  decoded.arena.release();
  direct?.release();
  yield* reading.issues;
  yield* versionIssue(reading.dump, context.entry);
  if (decoded.kind === 'value' && decoded.end < bytes.length) {
    const detail = `${bytes.length - decoded.end} bytes after the end of the dump`;
    yield { kind: 'issue', code: 'dump-data-after-end', severity: 'warning', source: at(decoded.end), detail };
  }
  yield { kind: 'dump', dump: reading.dump };
  yield* ending(reading.dump, context.entry);
}

function* tooMuch(what: string, source: SourceRef): Generator<FormatOutput> {
  yield { kind: 'issue', code: 'pickle-limit', severity: 'refused', source, detail: `more than ${what}` };
  yield { kind: 'status', status: 'refused', detail: `more than ${what}` };
}

function* notADump(decoded: DecodedWhole | DecodedPart, encoding: string, entry: EntryId): Generator<FormatOutput> {
  if (decoded.kind === 'truncated') {
    yield {
      kind: 'issue',
      code: 'file-truncated',
      severity: 'warning',
      source: { kind: 'entry', entry },
      detail: `ends at byte ${decoded.at}, nothing of a dump was whole`,
    };
    yield { kind: 'status', status: 'truncated', detail: `ends at byte ${decoded.at}; nothing kept` };
    return;
  }
  const detail = `${encoding} without the keys of a recorder dump`;
  yield { kind: 'issue', code: 'dump-shape-unknown', severity: 'warning', source: { kind: 'entry', entry }, detail };
  yield { kind: 'status', status: 'skipped', detail };
}

function* versionIssue(dump: FlightRecorderDump, entry: EntryId): Generator<FormatOutput> {
  const { version } = dump;
  if (version === undefined) return;
  const match = /^(\d{1,4})(?:\.(\d{1,4}))?$/.exec(version);
  if (match && Number(match[1]) <= KNOWN_MAJOR) return;
  yield {
    kind: 'issue',
    code: 'dump-version-unknown',
    severity: 'warning',
    source: { kind: 'entry', entry },
    detail: `version ${version}`,
  };
}

function* ending(dump: FlightRecorderDump, entry: EntryId): Generator<FormatOutput> {
  const text = summaryOf(dump);
  yield { kind: 'summary', text };
  if (dump.truncatedAt === undefined) return;
  yield {
    kind: 'issue',
    code: 'file-truncated',
    severity: 'warning',
    source: { kind: 'byte', entry, byte: dump.truncatedAt, length: 0 },
    detail: `ends at byte ${dump.truncatedAt}; ${text} kept`,
  };
  yield { kind: 'status', status: 'truncated', detail: `ends at byte ${dump.truncatedAt}; kept ${text}` };
}

/** `2 000 records, default_pg #2813–#4812`: the group with most entries, by its description or name. */
export function summaryOf(dump: FlightRecorderDump): string {
  const { columns, strings } = dump;
  const records = `${spaced(columns.length)} ${columns.length === 1 ? 'record' : 'records'}`;
  const spans = new Map<string, { count: number; low: number; high: number }>();
  for (let row = 0; row < columns.length; row++) {
    const seq = columns.collectiveSeq[row] ?? -1;
    if ((columns.op[row] ?? -1) < 0 || columns.isP2p[row] === 1 || seq < 0) continue;
    const desc = strings[columns.groupDesc[row] ?? -1];
    const name =
      desc !== undefined && desc !== '' && desc !== 'undefined'
        ? desc
        : (strings[columns.groupName[row] ?? -1] ?? `group ${strings[columns.pgId[row] ?? -1] ?? '?'}`);
    const span = spans.get(name);
    if (span === undefined) spans.set(name, { count: 1, low: seq, high: seq });
    else {
      span.count++;
      span.low = Math.min(span.low, seq);
      span.high = Math.max(span.high, seq);
    }
  }
  const [largest] = [...spans].sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1));
  if (largest === undefined)
    return dump.status.length > 0 ? `${records}, counters of ${dump.status.length} groups` : records;
  const [name, span] = largest;
  return `${records}, ${name.slice(0, 60)} #${span.low}–#${span.high}`;
}

const spaced = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ' ');
