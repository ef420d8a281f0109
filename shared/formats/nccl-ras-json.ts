/**
 * The JSON report of NCCL's RAS service (`ncclras -f json`, `SET FORMAT json`; 2.28 and later): every communicator with every rank, its
 * state and how many operations of each kind it has launched.
 *
 *   {"nccl_version": "2.28.7+cuda13.0", …, "communicators": [{"hash": "0x…", "size": 32, "ranks_count": 31, "missing_ranks_count": 1,
 *     "ranks": [{"rank": 0, "host": "10.0.0.1", "pid": 71, "cuda_dev": 0, "status": {…}, "collective_counts": {"AllReduce": 17}}],
 *     "missing_ranks": [{"rank": 5, "host": "10.0.0.1", "pid": 76, "status": {"unresponsive": true, "considered_dead": true}}]}]}
 *
 * Ranks are numbers inside their communicator. They are the job's only where one communicator holds every process of the report;
 * then processes (host, pid, device) carry its numbers into the others. Otherwise counts are told in the summary and no rank is named.
 * One snapshot; a difference of one in a running communicator is no failure. Clock: none (`timestamp` is local to whoever asked).
 * Source: client_support.cc of NCCL 2.28. Not covered: the events of `monitor`.
 */
import { type DocValue, isMap, listAt, numberAt, textAt, valueAt } from '../codecs/document-tree.ts';
import { readJsonParts } from '../codecs/json/index.ts';
import type { EventBody } from '../model/events.ts';
import { defineDocumentFormat, type EntryContext, type EntryHead, type FormatOutput } from '../model/format.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { Places } from './kubernetes/places.ts';
import softwareVersion from './log/signatures/software-version.ts';
import { rasEvent } from './nccl-ras.ts';
import { looksLikeText } from './text-head.ts';

const KEYS = [/"communicators(?:_count)?"\s{0,4}:/, /"nccl_version"\s{0,4}:\s{0,4}"/];
/** Ranks of all communicators that are kept of one report. */
const MAX_RANKS = 1_000_000;

export default defineDocumentFormat({
  id: 'nccl-ras-json',
  title: 'NCCL RAS report (JSON)',
  maxBytes: 256 * 1024 * 1024,
  claim(head: EntryHead) {
    return looksLikeText(head.text) && KEYS.every((key) => key.test(head.text))
      ? { score: 0.96, why: 'JSON of a NCCL RAS report' }
      : undefined;
  },
  parse,
});

interface Member {
  readonly rank: number;
  /** Host, pid and device; undefined where RAS does not know the process. */
  readonly process: string | undefined;
  readonly host: string | undefined;
  readonly pid: number | undefined;
  readonly counts: ReadonlyMap<string, number>;
  readonly missing: boolean;
  readonly dead: boolean;
  readonly at: number;
  readonly end: number;
}

/** The line on which a member has a key. */
type Cite = (member: Member, key: string) => SourceRef;

interface Communicator {
  readonly size: number;
  readonly members: readonly Member[];
}

function* parse(bytes: Uint8Array, context: EntryContext, truncated: boolean): Iterable<FormatOutput> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const places = new Places(bytes, text, context.entry);
  // The service's answers to the commands before it may stand in front.
  const start = Math.max(0, text.indexOf('{'));
  let report: DocValue | undefined;
  for (const part of readJsonParts(' '.repeat(start) + text.slice(start))) {
    if (part.kind === 'document' && report === undefined) report = part.value;
    if (part.kind !== 'problem' || part.problem.effect === 'note') continue;
    const { at, line, column, reason } = part.problem;
    const detail = `line ${line}, column ${column}: ${reason}`;
    const code = truncated ? 'file-truncated' : 'json-invalid';
    yield { kind: 'issue', code, severity: 'warning', source: places.ref(at, at), detail };
  }
  if (report === undefined) {
    yield { kind: 'status', status: truncated ? 'truncated' : 'failed', detail: 'not a readable report' };
    return;
  }
  const cite: Cite = ({ at, end }, key) => {
    const found = text.indexOf(JSON.stringify(key), at);
    return found < 0 || found >= end ? places.ref(at, end) : places.ref(found, end);
  };
  const source = places.ref(start, start);
  const version = textAt(report, 'nccl_version');
  if (version !== undefined) yield* versionEvent(version, source);
  const communicators = readCommunicators(report);
  const world = worldRanks(communicators);
  let outOfStep = 0;
  for (const communicator of communicators) {
    const counts = countEvents(communicator, world, cite);
    if (counts.outOfStep) outOfStep += 1;
    yield* counts.events;
  }
  const dead = deadProcesses(communicators, world, cite);
  yield* dead;
  yield { kind: 'summary', text: summary(communicators, outOfStep, dead.length, world) };
}

function readCommunicators(report: DocValue): Communicator[] {
  let kept = 0;
  return listAt(report, 'communicators').map((communicator) => {
    const members: Member[] = [];
    for (const list of ['ranks', 'missing_ranks'] as const) {
      for (const item of listAt(communicator, list)) {
        const member = kept < MAX_RANKS ? readMember(item, list === 'missing_ranks') : undefined;
        if (member === undefined) continue;
        kept += 1;
        members.push(member);
      }
    }
    return { size: numberAt(communicator, 'size') ?? members.length, members };
  });
}

function readMember(item: DocValue, missing: boolean): Member | undefined {
  const rank = numberAt(item, 'rank');
  if (!isMap(item) || rank === undefined || !Number.isInteger(rank) || rank < 0 || rank > 9_999_999) return undefined;
  const host = textAt(item, 'host');
  const pid = numberAt(item, 'pid') ?? -1;
  const isKnown = host !== undefined && host !== '' && host !== 'unknown' && pid >= 0;
  const counts = new Map<string, number>();
  const said = valueAt(item, 'collective_counts');
  if (isMap(said)) {
    for (const op of said.entries.keys()) {
      const count = numberAt(said, op);
      if (count !== undefined && counts.size < 64) counts.set(op.slice(0, 40), count);
    }
  }
  return {
    rank,
    host: isKnown ? host : undefined,
    pid: isKnown ? pid : undefined,
    process: isKnown ? `${host} ${pid} ${numberAt(item, 'cuda_dev') ?? ''}` : undefined,
    counts,
    missing,
    dead: textAt(item, 'status', 'considered_dead') === 'true',
    at: item.at,
    end: item.end,
  };
}

/** Process → rank of the job; undefined if no communicator is known to hold all processes under the same numbers. */
function worldRanks(communicators: readonly Communicator[]): ReadonlyMap<string, number> | undefined {
  const size = Math.max(0, ...communicators.map((one) => one.size));
  const world = new Map<string, number>();
  for (const { members } of communicators.filter((one) => one.size === size)) {
    for (const { process, rank } of members) {
      if (process === undefined) continue;
      if ((world.get(process) ?? rank) !== rank) return undefined;
      world.set(process, rank);
    }
  }
  const isWhole = new Set(world.values()).size === world.size && world.size <= size;
  const holdsAll = communicators.every(({ members }) =>
    members.every(({ process }) => process === undefined || world.has(process)),
  );
  return isWhole && holdsAll && world.size > 0 ? world : undefined;
}

interface Counted {
  readonly outOfStep: boolean;
  readonly events: FormatOutput[];
}

/** For each kind of operation on which the ranks differ: who has launched how many, largest count first. */
function countEvents({ members }: Communicator, world: ReadonlyMap<string, number> | undefined, cite: Cite): Counted {
  const events: FormatOutput[] = [];
  let outOfStep = false;
  for (const op of new Set(members.flatMap(({ counts }) => [...counts.keys()]))) {
    // Sends and receives of a pipeline differ by nature.
    if (op === 'Send' || op === 'Recv' || op === 'SendRecv') continue;
    const byCount = new Map<number, Member[]>();
    for (const member of members) {
      const count = member.counts.get(op);
      if (count !== undefined) byCount.set(count, [...(byCount.get(count) ?? []), member]);
    }
    if (byCount.size < 2) continue;
    outOfStep = true;
    const sorted = [...byCount].sort(([a], [b]) => b - a);
    const newest = sorted[0]?.[0] ?? 0;
    for (const [count, found] of sorted) {
      const ranks = found.map(({ process }) => (process === undefined ? undefined : world?.get(process)));
      const known = ranks.filter((rank) => rank !== undefined).sort((a, b) => a - b);
      const [first] = found;
      if (first === undefined || known.length < ranks.length) continue;
      const behind = count < newest;
      const others = behind ? newest : sorted[1]?.[0];
      const said = `${found.length} ranks have launched up to operation ${count} (${op})`;
      events.push(rasOutput({ kind: 'ras-count', ranks: known, count, behind, op, others }, cite(first, op), said));
    }
  }
  return { outOfStep, events };
}

function deadProcesses(
  communicators: readonly Communicator[],
  world: ReadonlyMap<string, number> | undefined,
  cite: Cite,
): FormatOutput[] {
  const dead = new Map<string, Member>();
  for (const { members } of communicators)
    for (const member of members)
      if (member.dead && member.process !== undefined && !dead.has(member.process)) dead.set(member.process, member);
  return [...dead].map(([process, member]) => {
    const { pid, host } = member;
    const said = `Process ${pid} on node ${host} is considered dead`;
    return rasOutput(
      { kind: 'ras-dead', rank: world?.get(process), pid, host, text: said },
      cite(member, 'considered_dead'),
      said,
    );
  });
}

const rasOutput = (body: EventBody, source: SourceRef, text: string): FormatOutput => ({
  kind: 'event',
  event: rasEvent(body, source, text),
});

function* versionEvent(version: string, source: SourceRef): Iterable<FormatOutput> {
  const text = `NCCL version ${version.slice(0, 60)}`;
  const at = { header: undefined, host: undefined, pid: undefined, rank: undefined };
  const found = softwareVersion.match({ ...at, text, marked: false, stamped: false, notes: {} });
  if (found !== undefined) yield rasOutput(found.body, source, text);
}

function summary(
  communicators: readonly Communicator[],
  outOfStep: number,
  dead: number,
  world: ReadonlyMap<string, number> | undefined,
): string {
  const missing = communicators.reduce((sum, { members }) => sum + members.filter((one) => one.missing).length, 0);
  const parts = [`${communicators.length} ${communicators.length === 1 ? 'communicator' : 'communicators'}`];
  parts.push(`${outOfStep} out of step`);
  if (missing > 0) parts.push(`${missing} without an answer from a rank`);
  if (dead > 0) parts.push(`${dead} dead`);
  if (world === undefined && communicators.length > 0)
    parts.push('no communicator holds all processes: its numbers are not taken for ranks of the job');
  return parts.join(', ');
}
