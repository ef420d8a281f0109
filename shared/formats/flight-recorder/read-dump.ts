/**
 * From decoded values (pickle or JSON) to a `FlightRecorderDump`: which top-level shapes are dumps, and what is kept of a
 * file that ends early.
 *
 *   { version, entries: [...], pg_config, pg_status, nccl_version | comm_lib_version, … }     1.0 to 2.10
 *   [ {entry}, {entry}, … ]                                                                    before 1.0
 */
import { DICT, INT, LIST, STRING, type ValueArena } from '../../codecs/value-arena/index.ts';
import type { DecodedPart, DecodedWhole } from '../../codecs/value-arena/outcome.ts';
import type { DumpGroup, DumpGroupStatus, FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { FormatOutput } from '../../model/format.ts';
import type { EntryId } from '../../model/ids.ts';
import type { DirectEntries } from './direct-entries.ts';
import { EntryReader } from './entry-columns.ts';
import { ENTRY_FIELDS } from './entry-fields.ts';
import { readGroups, readStatus } from './group-tables.ts';
import { rankOfName } from './name-rank.ts';

export interface DumpContext {
  readonly entry: EntryId;
  readonly path: string;
  readonly encoding: 'pickle' | 'json';
}

export type DumpReading =
  | { readonly kind: 'dump'; readonly dump: FlightRecorderDump; readonly issues: readonly FormatOutput[] }
  | { readonly kind: 'other-shape' }
  | { readonly kind: 'too-many-entries'; readonly count: number };

/** Entries that are read: a ring holds 2 000 by default. Columns of a million take about 110 MB. Chosen, not measured. */
export const MAX_ENTRIES = 1_000_000;

/** Issues of one kind that are listed one by one; the rest is one line. */
const MAX_LISTED = 50;
const MAX_UNKNOWN_KEYS = 50;
const KNOWN_KEYS = [
  'version',
  'entries',
  'pg_config',
  'pg_status',
  'nccl_version',
  'comm_lib_version',
  'nccl_comm_state',
  'rank',
  'host_name',
];

/** Where the parts of a dump lie in the arena. */
interface Parts {
  version: string | undefined;
  library: string | undefined;
  /** Containers; -1 = absent. */
  entries: number;
  config: number;
  status: number;
  readonly unknown: string[];
}

/** Reads a dump out of decoded values, or tells why there is none in them. `direct`: its entries, if they were read directly. */
export function readDump(
  decoded: DecodedWhole | DecodedPart,
  context: DumpContext,
  direct?: DirectEntries,
): DumpReading {
  const { arena } = decoded;
  const parts = decoded.kind === 'value' ? wholeParts(arena, decoded, direct) : cutParts(arena, decoded);
  if (parts === undefined) return { kind: 'other-shape' };
  const length = parts.entries < 0 ? 0 : (countDirectly(parts, direct) ?? arena.count(parts.entries));
  if (length > MAX_ENTRIES) return { kind: 'too-many-entries', count: length };
  const issues = new IssueList(context.entry);
  const groups: DumpGroup[] =
    parts.config < 0 ? [] : readGroups(arena, parts.config, (detail) => issues.add(undefined, detail));
  const status: DumpGroupStatus[] =
    parts.status < 0 ? [] : readStatus(arena, parts.status, (detail) => issues.add(undefined, detail));
  const entries =
    direct !== undefined && countDirectly(parts, direct) !== undefined
      ? direct.finish()
      : readEntries(arena, parts.entries, length, issues);
  const dump: FlightRecorderDump = {
    source: { kind: 'entry', entry: context.entry },
    encoding: context.encoding,
    version: parts.version,
    library: parts.library,
    nameRank: rankOfName(context.path),
    groups,
    status,
    ...entries,
    truncatedAt: decoded.kind === 'truncated' ? decoded.at : undefined,
    unknownKeys: parts.unknown,
  };
  return { kind: 'dump', dump, issues: issues.outputs() };
}

/** How many entries were read directly; undefined if the dump's entries were not. */
const countDirectly = (parts: Parts, direct: DirectEntries | undefined): number | undefined =>
  direct !== undefined && parts.entries >= 0 && parts.entries === direct.container ? direct.entryCount : undefined;

/** `list` < 0: there is none. */
function readEntries(arena: ValueArena, list: number, length: number, issues: IssueList) {
  const reader = new EntryReader(arena, length, (row, detail) => issues.add(row, detail));
  if (list >= 0) {
    arena.each(list, (at, row) => {
      reader.read(at, row);
      return true;
    });
  }
  return reader.finish();
}

const noParts = (): Parts => ({
  version: undefined,
  library: undefined,
  entries: -1,
  config: -1,
  status: -1,
  unknown: [],
});

function wholeParts(arena: ValueArena, decoded: DecodedWhole, direct: DirectEntries | undefined): Parts | undefined {
  const parts = noParts();
  if (decoded.rootKind === LIST) {
    if (!isEntryList(arena, decoded.rootNum)) return undefined;
    return { ...parts, entries: decoded.rootNum };
  }
  if (decoded.rootKind !== DICT) return undefined;
  takeFields(arena, decoded.rootNum, parts);
  // Entries that were read directly have the fields of entries.
  return countDirectly(parts, direct) !== undefined || isDump(arena, parts) ? parts : undefined;
}

function isDump(arena: ValueArena, parts: Parts): boolean {
  if (parts.entries >= 0 && arena.count(parts.entries) > 0 && !isEntryList(arena, parts.entries)) return false;
  if (parts.config >= 0 || parts.status >= 0) return true;
  return parts.entries >= 0
    ? arena.count(parts.entries) > 0 || parts.version !== undefined
    : parts.library !== undefined;
}

/**
 *   open[0] root dict    holds what was complete: "version", "pg_config", …
 *   open[1] "entries"    holds the whole entries; what was read of the next one lies in open[2…] and is dropped
 */
function cutParts(arena: ValueArena, decoded: DecodedPart): Parts | undefined {
  const [root, inner] = decoded.open;
  const parts = noParts();
  if (root === undefined) return undefined;
  if (root.kind === LIST) {
    if (!isEntryList(arena, root.container)) return undefined;
    return { ...parts, entries: root.container };
  }
  if (root.kind !== DICT) return undefined;
  takeFields(arena, root.container, parts);
  if (inner !== undefined && inner.key >= 0)
    takeField(arena, arena.text(inner.key), inner.kind, inner.container, parts);
  return isDump(arena, parts) ? parts : undefined;
}

function takeFields(arena: ValueArena, dict: number, parts: Parts): void {
  arena.pairs(dict, (keyAt, valueAt) => {
    const key = arena.stringAt(keyAt);
    if (key !== undefined) takeField(arena, key, arena.kindAt(valueAt), arena.numAt(valueAt), parts);
  });
}

function takeField(arena: ValueArena, key: string, kind: number, num: number, parts: Parts): void {
  if (key === 'entries' && kind === LIST) parts.entries = num;
  else if (key === 'pg_config' && kind === DICT) parts.config = num;
  else if (key === 'pg_status' && kind === DICT) parts.status = num;
  else if (key === 'version' && kind === STRING) parts.version = arena.text(num).slice(0, 40);
  else if (key === 'version' && kind === INT) parts.version = String(num);
  else if ((key === 'nccl_version' || key === 'comm_lib_version') && kind === STRING)
    parts.library = arena.text(num).slice(0, 80);
  else if (!KNOWN_KEYS.includes(key) && parts.unknown.length < MAX_UNKNOWN_KEYS) parts.unknown.push(key.slice(0, 80));
}

/** True if the list's first item is a table that has a field only recorder entries have. */
function isEntryList(arena: ValueArena, list: number): boolean {
  let found = false;
  arena.each(list, (at) => {
    if (arena.kindAt(at) === DICT) {
      arena.pairs(arena.numAt(at), (keyAt) => {
        const key = arena.stringAt(keyAt);
        if (key === 'profiling_name' || key === 'record_id' || key === 'collective_seq_id') found = true;
      });
    }
    return false;
  });
  return found;
}

class IssueList {
  private readonly entry: EntryId;
  private readonly list: FormatOutput[] = [];
  private rest = 0;

  constructor(entry: EntryId) {
    this.entry = entry;
  }

  add(row: number | undefined, detail: string): void {
    if (this.list.length >= MAX_LISTED) {
      this.rest++;
      return;
    }
    const source =
      row === undefined
        ? ({ kind: 'entry', entry: this.entry } as const)
        : ({ kind: 'record', entry: this.entry, record: row } as const);
    this.list.push({
      kind: 'issue',
      code: 'dump-entry-invalid',
      severity: 'warning',
      source,
      detail: row === undefined ? detail : `entry ${row}: ${detail}`,
    });
  }

  outputs(): readonly FormatOutput[] {
    if (this.rest === 0) return this.list;
    const more: FormatOutput = {
      kind: 'issue',
      code: 'dump-entry-invalid',
      severity: 'warning',
      source: { kind: 'entry', entry: this.entry },
      detail: `${this.rest} more like these`,
    };
    return [...this.list, more];
  }
}

/** Fields that a head of a dump shows; for claims. */
export const DUMP_WORDS: readonly string[] = ['pg_config', 'pg_status', 'entries', ...ENTRY_FIELDS.slice(2, 8)];
