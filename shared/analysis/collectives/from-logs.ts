/**
 * What log lines say about collectives, for ranks without a dump: time-outs of single calls, the counters printed with them,
 * fingerprints of the mismatch check, and RAS counts. Weaker than a dump: a line tells one number, and a rank that printed
 * nothing may have printed it into a file that nobody sent.
 *
 * The rank in a group's mention is the rank INSIDE that group; it is a global one only for the default group.
 * Lines that name no group are of the default group only where no other one is known; else they are kept apart: whose they are is unknown.
 * Only the last attempt that tells anything is used. O(events).
 */

import type { CollectiveFingerprint, GroupMention } from '../../model/events.ts';
import type { PlacedEvent } from '../../model/facts.ts';
import type { SourceRef } from '../../model/source-ref.ts';

export interface LoggedTimeout {
  readonly seq: number;
  /** As dumps spell it: `all_reduce`. */
  readonly op: string;
  readonly numelIn: number | undefined;
  readonly numelOut: number | undefined;
  readonly source: SourceRef;
}

export interface LoggedMember {
  readonly rank: number;
  /** Of the oldest call that timed out. */
  timeout: LoggedTimeout | undefined;
  /** The newest counters printed. */
  counters: { readonly lastEnqueued: number; readonly lastCompleted: number; readonly source: SourceRef } | undefined;
}

export interface LoggedGroup {
  readonly name: string;
  readonly desc: string;
  readonly isDefault: boolean;
  /**
   * False if lines came without a group's name (older releases): then lines of several groups may lie together here, and unlike
   * numbers mean nothing.
   */
  named: boolean;
  /** Counters of a group with point-to-point traffic count that as well: not comparable. */
  p2p: boolean;
  readonly members: Map<number, LoggedMember>;
}

export interface LoggedFingerprint {
  readonly print: CollectiveFingerprint;
  /** Printed by the rank itself. */
  readonly own: boolean;
  readonly source: SourceRef;
}

export interface LoggedRas {
  readonly ranks: readonly number[];
  readonly count: number;
  readonly others: number | undefined;
  readonly op: string | undefined;
  readonly source: SourceRef;
}

export interface LogReading {
  readonly groups: ReadonlyMap<string, LoggedGroup>;
  /** Fingerprints by rank, first one each. */
  readonly fingerprints: ReadonlyMap<number, LoggedFingerprint>;
  readonly behindByRas: readonly LoggedRas[];
  /** Any time-out of a collective was printed: dumps were then written after a hang, not in passing. */
  readonly timedOut: boolean;
}

const KINDS: ReadonlySet<string> = new Set(['collective-timeout', 'work-status', 'collective-mismatch', 'ras-count']);
const P2P = /^(?:send|recv)/i;
export const DEFAULT_KEY = 'default';
/** Of lines without a group, where the job has several. */
export const UNNAMED_KEY = '(not named)';

type NewGroup = Pick<LoggedGroup, 'name' | 'desc' | 'isDefault'>;

/** Lines without a group where none is known at all: all ranks may be in it, but nobody calls it the default group. */
const ONLY_GROUP: NewGroup = { name: UNNAMED_KEY, desc: '', isDefault: true };
const DEFAULT_GROUP: NewGroup = { name: '0', desc: 'default_pg', isDefault: true };
const SOME_GROUP: NewGroup = { name: UNNAMED_KEY, desc: '', isDefault: false };

/** `_ALLGATHER_BASE` → `_all_gather_base`; names that need no change stay. */
export function opOfLog(text: string): string {
  return text
    .toLowerCase()
    .replace(
      /^(_?)all(gather|reduce|toall)/,
      (_all, bar: string, what: string) => `${bar}all_${what === 'toall' ? 'to_all' : what}`,
    );
}

/** `recorded`: groups that dumps hold; `'others'` = one at least is not the default group. */
export function readLogs(events: readonly PlacedEvent[], recorded: 'none' | 'default' | 'others' = 'none'): LogReading {
  const relevant = events.filter((placed) => KINDS.has(placed.event.body.kind));
  let attempt = -1;
  for (const placed of relevant) attempt = Math.max(attempt, placed.attempt);
  const current = relevant.filter((placed) => placed.attempt === attempt);
  const groups = new LoggedGroups(unnamedGroup(current, recorded));
  const fingerprints = new Map<number, LoggedFingerprint>();
  const ras: LoggedRas[] = [];
  let timedOut = false;
  const groupOfTimeout = pairWithStatus(current);
  for (const placed of current) {
    const { body, source } = placed.event;
    if (body.kind === 'collective-timeout') {
      timedOut = true;
      takeTimeout(groups, placed, { ...body, group: body.group ?? groupOfTimeout(placed, body.seq) }, source);
    } else if (body.kind === 'work-status') takeCounters(groups, placed, body, source);
    else if (body.kind === 'collective-mismatch') takeFingerprints(fingerprints, placed, body, source);
    else if (body.kind === 'ras-count' && body.behind) {
      ras.push({
        ranks: [...body.ranks].sort((a, b) => a - b),
        count: body.count,
        others: body.others,
        op: body.op,
        source,
      });
    }
  }
  ras.sort((a, b) => a.count - b.count || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0));
  return { groups: groups.byKey, fingerprints, behindByRas: ras, timedOut };
}

type BodyOf<K extends string> = Extract<PlacedEvent['event']['body'], { readonly kind: K }>;

/**
 * A time-out line of a work object names no group; the status line that the same rank prints about the same work does. The one that comes
 * next in the same file where several groups stand at one number.
 */
function pairWithStatus(
  current: readonly PlacedEvent[],
): (placed: PlacedEvent, seq: number | undefined) => GroupMention | undefined {
  const byWork = new Map<string, { readonly group: GroupMention; readonly placed: PlacedEvent }[]>();
  for (const placed of current) {
    const { body } = placed.event;
    if (body.kind !== 'work-status' || body.group === undefined || body.work === undefined) continue;
    if (placed.rank === undefined) continue;
    const key = `${placed.rank} ${body.work}`;
    byWork.set(key, [...(byWork.get(key) ?? []), { group: body.group, placed }]);
  }
  return (timeout, seq) => {
    const told = byWork.get(`${timeout.rank} ${seq}`) ?? [];
    const groups = new Set(told.map(({ group }) => group.guid ?? group.desc ?? group.id ?? ''));
    if (groups.size <= 1) return told[0]?.group;
    const after = told
      .filter(({ placed }) => placed.event.source.entry === timeout.event.source.entry)
      .filter(({ placed }) => lineOf(placed) > lineOf(timeout))
      .sort((a, b) => lineOf(a.placed) - lineOf(b.placed));
    return after[0]?.group;
  };
}

const lineOf = ({ event: { source } }: PlacedEvent): number => (source.kind === 'line' ? source.line : -1);

function takeTimeout(
  groups: LoggedGroups,
  placed: PlacedEvent,
  body: BodyOf<'collective-timeout'>,
  source: SourceRef,
): void {
  const group = groups.of(body.group);
  if (P2P.test(body.op)) {
    group.p2p = true;
    return;
  }
  const member = memberOf(group, placed, body.group);
  if (member === undefined || body.seq === undefined) return;
  const { seq, numelIn, numelOut } = body;
  if (member.timeout === undefined || seq < member.timeout.seq)
    member.timeout = { seq, op: opOfLog(body.op), numelIn, numelOut, source };
}

function takeCounters(groups: LoggedGroups, placed: PlacedEvent, body: BodyOf<'work-status'>, source: SourceRef): void {
  const member = memberOf(groups.of(body.group), placed, body.group);
  if (member === undefined) return;
  const { lastEnqueued, lastCompleted } = body;
  const older = member.counters;
  if (
    older === undefined ||
    lastEnqueued > older.lastEnqueued ||
    (lastEnqueued === older.lastEnqueued && lastCompleted >= older.lastCompleted)
  ) {
    member.counters = { lastEnqueued, lastCompleted, source };
  }
}

/** What lines without a group are taken for. */
function unnamedGroup(current: readonly PlacedEvent[], recorded: 'none' | 'default' | 'others'): NewGroup {
  let isDefaultNamed = recorded === 'default';
  let isOtherNamed = recorded === 'others';
  for (const { event } of current) {
    const mention = 'group' in event.body ? event.body.group : undefined;
    if (mention === undefined) continue;
    if (isDefaultMention(mention)) isDefaultNamed = true;
    else isOtherNamed = true;
  }
  return isOtherNamed ? SOME_GROUP : isDefaultNamed ? DEFAULT_GROUP : ONLY_GROUP;
}

class LoggedGroups {
  readonly byKey = new Map<string, LoggedGroup>();
  readonly #unnamed: NewGroup;

  constructor(unnamed: NewGroup) {
    this.#unnamed = unnamed;
  }

  of(mention: GroupMention | undefined): LoggedGroup {
    const { name, desc, isDefault } = mention === undefined ? this.#unnamed : mentioned(mention);
    const key = isDefault ? DEFAULT_KEY : name;
    const named = mention?.guid !== undefined || mention?.desc !== undefined;
    const known = this.byKey.get(key);
    if (known !== undefined) {
      known.named &&= named;
      return known;
    }
    const group: LoggedGroup = { named, name, desc, isDefault, p2p: false, members: new Map() };
    this.byKey.set(key, group);
    return group;
  }
}

const mentioned = (mention: GroupMention): NewGroup =>
  isDefaultMention(mention)
    ? { name: mention.guid ?? '0', desc: mention.desc ?? 'default_pg', isDefault: true }
    : { name: mention.guid ?? mention.desc ?? mention.id ?? '?', desc: mention.desc ?? '', isDefault: false };

const isDefaultMention = (mention: GroupMention): boolean =>
  mention.desc === 'default_pg' ||
  mention.guid === '0' ||
  (mention.guid === undefined && mention.desc === undefined && (mention.id === undefined || mention.id === '0'));

function memberOf(
  group: LoggedGroup,
  placed: PlacedEvent,
  mention: GroupMention | undefined,
): LoggedMember | undefined {
  const rank = placed.rank ?? (group.isDefault ? mention?.rank : undefined);
  if (rank === undefined) return undefined;
  const known = group.members.get(rank);
  if (known !== undefined) return known;
  const member: LoggedMember = { rank, timeout: undefined, counters: undefined };
  group.members.set(rank, member);
  return member;
}

/** The printer's own fingerprint is `a`; where its global rank is known and differs, the ranks are those of a sub-group. */
function takeFingerprints(
  into: Map<number, LoggedFingerprint>,
  placed: PlacedEvent,
  body: BodyOf<'collective-mismatch'>,
  source: SourceRef,
): void {
  const { a, b } = body;
  if (placed.rank !== undefined && placed.rank !== a.rank) return;
  for (const print of [a, b]) {
    if (print === undefined) continue;
    const own = print === a;
    const known = into.get(print.rank);
    const seq = print.seq ?? Number.MAX_SAFE_INTEGER;
    // What a rank prints about itself is better than what others print about it; then the oldest call.
    const better =
      known === undefined ||
      (own && !known.own) ||
      (own === known.own && seq < (known.print.seq ?? Number.MAX_SAFE_INTEGER));
    if (better) into.set(print.rank, { print, own, source });
  }
}
