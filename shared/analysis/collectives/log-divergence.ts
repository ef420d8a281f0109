/**
 * The divergence that log lines alone support, for groups without dumps to compare:
 *
 *   0: timed out in #76 all_reduce     1: the same     2: enqueued 75, completed 75     3: the same     →   missing, #76, [2]
 *   0: #76 all_reduce 1024 elements    1: the same     2: #76 all_reduce 1000                           →   size, #76, [2]
 *   all but rank 3 timed out in #76, rank 3 printed nothing                                             →   missing, #76, [3]
 *
 * A time-out is an observation of the one who waits, so whoever printed the most common one is a victim. Silence accuses only
 * if more than half of the members printed the same time-out; whether the silent rank's log was there at all is for the rules to weigh.
 */

import { formatRanks, nameRanks, nameRanksAtStart } from '../../lib/rank-set.ts';
import type { Divergence, DivergenceKind } from '../../model/facts.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { inputsMustAgree, isSpelledAlike, outputsMustAgree } from './calls.ts';
import type { LoggedFingerprint, LoggedGroup, LoggedMember, LoggedRas, LoggedTimeout } from './from-logs.ts';

export interface LogFinding {
  readonly divergence: Divergence;
  readonly evidence: readonly SourceRef[];
}

/** A group as the log shows it, with the members it should have (undefined = not known) and those already known to wait by their dumps. */
export interface LoggedCase {
  readonly id: string;
  readonly group: LoggedGroup;
  readonly ranks: readonly number[] | undefined;
  readonly excused: ReadonlySet<number>;
  /** Open calls of ranks whose dump shows them, in the words of a time-out line: compared by size with what others printed. */
  readonly recorded: readonly { readonly rank: number; readonly timeout: LoggedTimeout }[];
}

export function logDivergence(given: LoggedCase): LogFinding | undefined {
  const members = [...given.group.members.values()].sort((a, b) => a.rank - b.rank);
  const waiting = commonTimeout(members);
  if (waiting === undefined) return undefined;
  return (
    unlikeCalls(given, members, waiting.seq) ?? lagging(given, members, waiting) ?? silent(given, members, waiting)
  );
}

interface CommonTimeout {
  readonly seq: number;
  readonly op: string;
  readonly members: readonly LoggedMember[];
}

/** The call that most members timed out in; the earlier one of two equally common. */
function commonTimeout(members: readonly LoggedMember[]): CommonTimeout | undefined {
  const bySeq = new Map<number, LoggedMember[]>();
  for (const member of members) {
    if (member.timeout === undefined) continue;
    const at = bySeq.get(member.timeout.seq);
    if (at === undefined) bySeq.set(member.timeout.seq, [member]);
    else at.push(member);
  }
  const [best] = [...bySeq].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
  return best === undefined ? undefined : { seq: best[0], op: best[1][0]?.timeout?.op ?? '', members: best[1] };
}

const text = (timeout: LoggedTimeout): string => {
  const input = timeout.numelIn === undefined ? '' : ` with ${timeout.numelIn} elements in`;
  const output =
    timeout.numelOut === undefined || timeout.numelOut === timeout.numelIn ? '' : `, ${timeout.numelOut} out`;
  return `${timeout.op}${input}${output}`;
};

function unlikeCalls(given: LoggedCase, members: readonly LoggedMember[], seq: number): LogFinding | undefined {
  const printed = members.flatMap((member) =>
    member.timeout?.seq === seq ? [{ rank: member.rank, timeout: member.timeout }] : [],
  );
  // Lines and dumps spell some operations differently: a dump joins in where a line has the same name, or where all are spelled alike.
  const names = new Set(printed.map(({ timeout }) => timeout.op));
  const alike = [...names].every((op) => isSpelledAlike(op));
  const at = [
    ...printed,
    ...given.recorded.filter(
      ({ rank, timeout }) =>
        timeout.seq === seq &&
        (names.has(timeout.op) || (alike && isSpelledAlike(timeout.op))) &&
        !printed.some((other) => other.rank === rank),
    ),
  ].sort((a, b) => a.rank - b.rank);
  const opKey = (timeout: LoggedTimeout): string => timeout.op;
  const sizeKey = ({ op, numelIn, numelOut }: LoggedTimeout): string =>
    `${inputsMustAgree(op) ? (numelIn ?? '') : ''}>${outputsMustAgree(op) ? (numelOut ?? '') : ''}`;
  for (const [kind, key] of [
    ['op', opKey],
    ['size', sizeKey],
  ] as const) {
    const sides = new Map<string, typeof at>();
    for (const one of at) sides.set(key(one.timeout), [...(sides.get(key(one.timeout)) ?? []), one]);
    if (sides.size > 1) {
      const listed = [...sides.values()].map((side) => ({
        ranks: side.map((one) => one.rank),
        text: side[0] === undefined ? '' : text(side[0].timeout),
      }));
      return sidesFinding({
        id: given.id,
        seq,
        kind,
        sides: listed,
        evidence: at.map((one) => one.timeout.source),
        how: at.length > printed.length ? 'by their time-out lines and dumps' : 'by their time-out lines',
      });
    }
  }
  return undefined;
}

interface Sides {
  readonly id: string;
  readonly seq: number;
  readonly kind: DivergenceKind;
  readonly sides: readonly { readonly ranks: readonly number[]; readonly text: string }[];
  readonly evidence: readonly SourceRef[];
  readonly how: string;
}

function sidesFinding(given: Sides): LogFinding {
  const sides = [...given.sides].sort(
    (a, b) => b.ranks.length - a.ranks.length || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0),
  );
  const total = sides.reduce((sum, side) => sum + side.ranks.length, 0);
  const [largest] = sides;
  const majority =
    largest !== undefined && largest.ranks.length >= 2 && largest.ranks.length * 2 > total ? largest : undefined;
  const others = sides.filter((side) => side !== majority);
  return {
    divergence: {
      group: given.id,
      seq: given.seq,
      kind: given.kind,
      calls: [],
      basis: 'log',
      ranks: majority === undefined ? [] : others.flatMap((side) => side.ranks).sort((a, b) => a - b),
      sides: majority === undefined ? sides.map((side) => side.ranks) : [],
      expected: (majority ?? largest)?.text ?? '',
      actual: (majority === undefined ? sides.slice(1) : others).map((side) => side.text).join(' / '),
      agreeing: majority?.ranks ?? [],
      why: `${given.how}: ${sides.map((side) => `${nameRanks(side.ranks)}: ${side.text}`).join('; ')}`,
    },
    evidence: given.evidence,
  };
}

function lagging(given: LoggedCase, members: readonly LoggedMember[], waiting: CommonTimeout): LogFinding | undefined {
  const { seq } = waiting;
  if (given.group.p2p) return undefined;
  const behind = members.filter(
    (member) => member.counters !== undefined && member.counters.lastEnqueued < seq && member.timeout?.seq !== seq,
  );
  // Timed out in an earlier call that the others have finished: enqueued, and stuck by itself.
  const stuck = members.filter((member) => {
    const own = member.timeout?.seq;
    const finished = (other: LoggedMember): boolean => (other.counters?.lastCompleted ?? -1) >= (own ?? seq);
    return own !== undefined && own < seq && waiting.members.length >= 2 && waiting.members.some(finished);
  });
  const found = behind.length > 0 ? behind : stuck;
  if (found.length === 0) return undefined;
  const lowest = Math.min(...found.map((member) => member.counters?.lastEnqueued ?? member.timeout?.seq ?? seq));
  // Without the group's name only a rank that is exactly one call behind is surely behind in the same group.
  if (!given.group.named && lowest !== seq - 1) return undefined;
  const chosen = behind.length > 0 ? behind.filter((member) => member.counters?.lastEnqueued === lowest) : stuck;
  const ranks = chosen.map((member) => member.rank);
  const kind = behind.length > 0 ? 'missing' : 'state';
  const actual =
    kind === 'missing' ? `last enqueued #${lowest}` : `timed out in #${lowest}, which the others have completed`;
  return behindFinding(
    given,
    waiting,
    kind,
    ranks,
    actual,
    chosen.flatMap((member) => sourcesOf(member)),
  );
}

function silent(given: LoggedCase, members: readonly LoggedMember[], waiting: CommonTimeout): LogFinding | undefined {
  const { ranks } = given;
  if (ranks === undefined || waiting.members.length * 2 <= ranks.length) return undefined;
  const heard = new Set(
    members
      .filter((member) => member.timeout !== undefined || member.counters !== undefined)
      .map((member) => member.rank),
  );
  const quiet = ranks.filter((rank) => !heard.has(rank) && !given.excused.has(rank));
  if (quiet.length === 0 || quiet.length >= waiting.members.length) return undefined;
  return behindFinding(given, waiting, 'missing', quiet, 'no time-out and no counters of this group were printed', []);
}

const sourcesOf = (member: LoggedMember): SourceRef[] =>
  [member.counters?.source, member.timeout?.source].flatMap((source) => source ?? []);

function behindFinding(
  given: LoggedCase,
  waiting: CommonTimeout,
  kind: DivergenceKind,
  ranks: readonly number[],
  actual: string,
  own: readonly SourceRef[],
): LogFinding {
  const agreeing = waiting.members.map((member) => member.rank);
  const first = waiting.members[0]?.timeout;
  return {
    divergence: {
      group: given.id,
      seq: waiting.seq,
      kind,
      ranks,
      sides: [],
      agreeing,
      calls: [],
      basis: 'log',
      expected: first === undefined ? waiting.op : text(first),
      actual,
      why: `by the watchdog's lines ${nameRanks(agreeing)} timed out in ${waiting.op} #${waiting.seq}; ${nameRanks(ranks)}: ${actual}`,
    },
    evidence: [...own, ...waiting.members.slice(0, 3).flatMap((member) => sourcesOf(member))],
  };
}

/** Fingerprints of the mismatch check, compared at the oldest call that any of them names. */
export function fingerprintDivergence(
  id: string,
  prints: ReadonlyMap<number, LoggedFingerprint>,
): LogFinding | undefined {
  const all = [...prints.values()].sort((a, b) => a.print.rank - b.print.rank);
  const sides = new Map<string, { ranks: number[]; text: string }>();
  for (const { print } of all) {
    const key = [print.op, print.shape ?? '', print.dtypes ?? ''].join(' ').trim();
    const side = sides.get(key);
    if (side === undefined) sides.set(key, { ranks: [print.rank], text: key });
    else side.ranks.push(print.rank);
  }
  if (sides.size < 2) return undefined;
  const differ = (value: (one: LoggedFingerprint) => string | undefined): boolean =>
    new Set(all.map((one) => value(one) ?? '')).size > 1;
  const kind = differ((one) => one.print.op) ? 'op' : differ((one) => one.print.shape) ? 'size' : 'dtype';
  const seqs = all.flatMap((one) => one.print.seq ?? []);
  const seq = seqs.length === 0 ? -1 : Math.min(...seqs);
  return sidesFinding({
    id,
    seq,
    kind,
    sides: [...sides.values()],
    evidence: all.map((one) => one.source),
    how: 'by the fingerprints that the ranks printed',
  });
}

/** Ranks whose count of collectives is lower in a report of NCCL's RAS. */
export function rasDivergence(id: string, rows: readonly LoggedRas[]): LogFinding | undefined {
  const [lowest] = rows;
  if (lowest === undefined || lowest.ranks.length === 0) return undefined;
  const others = lowest.others === undefined ? '' : `, the others ${lowest.others}`;
  return {
    divergence: {
      group: id,
      seq: lowest.count + 1,
      kind: 'missing',
      ranks: lowest.ranks,
      sides: [],
      agreeing: [],
      calls: [],
      basis: 'log',
      expected: lowest.op ?? `call #${lowest.count + 1}`,
      actual: `${lowest.count} calls launched`,
      why: `${nameRanksAtStart(lowest.ranks)} launched ${lowest.count} calls by NCCL's own count${others} (ranks ${formatRanks(lowest.ranks)} of its communicator)`,
    },
    evidence: [lowest.source],
  };
}
