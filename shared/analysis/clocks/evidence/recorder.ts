/**
 * Flight Recorder dumps as evidence: groups of ranks on several clocks, call by call.
 *
 * Left out: rooted calls (the dump does not say who the root is), point-to-point calls, calls without elements, calls that
 * members do not agree about, and whatever was found complete after trouble began: an abort ends a call although others
 * never came. Trouble is told by log lines of the same clock, and by calls that took nearly as long as their time-out.
 */
import type { FlightRecorderDump } from '../../../model/flight-recorder.ts';
import { callKey, elementCounts, isSynchronising } from '../../collectives/calls.ts';
import { type DumpView, splitOp, viewDumps } from '../../collectives/dump-view.ts';
import { type Group, mergeGroups, worldSizeOf } from '../../collectives/groups.ts';
import type { RankedDump } from '../../collectives/index.ts';
import type { EvidenceTable } from './evidence-table.ts';
import { addTransfers } from './recorder-transfers.ts';
import { type MemberCalls, reduceGroup } from './reduce-group.ts';
import type { SetBack } from './set-back.ts';

export interface RecorderInput {
  readonly dumps: readonly RankedDump[];
  readonly worldSize: number | undefined;
  /** Clock of the node that a dump was written on. */
  readonly clockOf: (rank: number, dump: FlightRecorderDump) => string | undefined;
  /** First sign of trouble on a clock by its own stamps; undefined = none is known. */
  readonly troubleOf: (clock: string) => bigint | undefined;
  /** Clocks (by index) that contradicted others in a first attempt: single ranks there may be to blame. */
  readonly suspects?: ReadonlySet<number>;
}

export interface RecorderEvidence {
  readonly operations: number;
  readonly setBacks: readonly SetBack[];
  /** Sentences: what was left out and why. */
  readonly notes: readonly string[];
  readonly misnumbered: readonly { readonly rank: number; readonly group: string; readonly certain: boolean }[];
}

/** A call that took this share of its time-out was perhaps ended by an abort. */
const NEAR_TIMEOUT = 0.9;
/** The last pass of a dump in trouble: completions this near to its newest one, of calls that took long. */
const LAST_PASS_NS = 150e6;
const LONG_NS = 1e9;

export function addRecorders(table: EvidenceTable, input: RecorderInput): RecorderEvidence {
  const views = viewDumps(input.dumps);
  const worldSize = input.worldSize ?? worldSizeOf(views.map(({ dump }) => dump));
  const calls = new CallNumbers();
  const notes: string[] = [];
  const misnumbered: RecorderEvidence['misnumbered'][number][] = [];
  const setBacks = new Map<number, SetBack>();
  let operations = 0;
  const groups = mergeGroups(views, worldSize);
  for (const group of groups) {
    const members = group.members.flatMap(({ rank, view, local }) => {
      const clock = input.clockOf(rank, view.dump);
      const domain = table.indexOf(clock);
      if (clock === undefined || domain === undefined || local === undefined) return [];
      const trouble = input.troubleOf(clock);
      const cut = trouble === undefined ? Infinity : (table.relative(trouble) ?? Infinity);
      const found = readCalls({ table, view, group, local, domain, calls, cut });
      return found === undefined ? [] : [found];
    });
    if (new Set(members.map(({ domain }) => domain)).size < 2) continue;
    const labels = labelsOf(table, group);
    const reduced = reduceGroup(table.builder, members, labels, input.suspects);
    operations += reduced.operations;
    for (const one of reduced.setBacks) {
      const known = setBacks.get(one.domain);
      if (known === undefined || one.sizeNs > known.sizeNs) setBacks.set(one.domain, one);
    }
    for (const { rank, certain, operations: times, amongClocks } of reduced.misnumbered) {
      misnumbered.push({ rank, group: group.id, certain });
      notes.push(
        amongClocks
          ? `rank ${rank} left out in group ${group.id}: with its ${times} calls its clock contradicts the others, without them it agrees`
          : `rank ${rank} left out in group ${group.id}: ${times} of its calls contradict other ranks of its own clock${certain ? '' : ' (it or the other one is numbered differently)'}`,
      );
    }
  }
  operations += addTransfers(table, groups, input);
  return { operations, setBacks: [...setBacks.values()], notes, misnumbered };
}

function labelsOf(table: EvidenceTable, group: Group): { readonly collective: number; readonly lockstep: number } {
  const source = group.members[0]?.view.dump.source;
  return {
    collective: table.label({
      kind: 'collective',
      why: `calls of group ${group.id} that all ranks entered before any left`,
      source,
    }),
    lockstep: table.label({
      kind: 'lockstep',
      why: `calls of group ${group.id} in lockstep: no rank goes on before all have entered`,
      source,
    }),
  };
}

/** Equal calls get equal numbers across dumps; texts are compared once for each dump. */
class CallNumbers {
  private readonly known = new Map<string, number>();
  private readonly ofDump = new WeakMap<FlightRecorderDump, Map<string, { call: number; barrierLike: boolean }>>();

  of(dump: FlightRecorderDump, row: number): { readonly call: number; readonly barrierLike: boolean } {
    const { columns: c } = dump;
    const cache = this.ofDump.get(dump) ?? new Map<string, { call: number; barrierLike: boolean }>();
    this.ofDump.set(dump, cache);
    const key = `${c.op[row]} ${c.inputSizes[row]} ${c.outputSizes[row]} ${c.inputDtypes[row]} ${c.outputDtypes[row]}`;
    const found = cache.get(key);
    if (found !== undefined) return found;
    const { op, sizes, dtypes } = callKey(dump, row);
    const text = `${op} ${sizes} ${dtypes}`;
    const call = this.known.get(text) ?? this.known.size;
    this.known.set(text, call);
    const made = { call, barrierLike: isSynchronising(op) && !isEmpty(dump, row) && !isUneven(dump, row, op) };
    cache.set(key, made);
    return made;
  }
}

const isEmpty = (dump: FlightRecorderDump, row: number): boolean => {
  const counts = [dump.columns.inputSizes[row], dump.columns.outputSizes[row]].flatMap((index) =>
    elementCounts(dump.shapes[index ?? -1]),
  );
  return counts.length > 0 && counts.every((count) => count === 0);
};

/** Some rank may send nothing in an all-to-all of uneven parts, and then need not be waited for. */
const isUneven = (dump: FlightRecorderDump, row: number, op: string): boolean =>
  /all_?to_?all/.test(op) && (dump.columns.inputSizes[row] ?? -1) < 0;

interface Reading {
  readonly table: EvidenceTable;
  readonly view: DumpView;
  readonly group: Group;
  readonly local: NonNullable<Group['members'][number]['local']>;
  readonly domain: number;
  readonly calls: CallNumbers;
  readonly cut: number;
}

function readCalls({ table, view, local, domain, calls, cut }: Reading): MemberCalls | undefined {
  const { dump } = view;
  const c = dump.columns;
  const rows = local.rows.filter((row, i) => (local.seqs[i] ?? -1) >= 0 && (c.createdNs[row] ?? 0n) > 0n);
  const seqs = local.seqs.filter((seq, i) => seq >= 0 && (c.createdNs[local.rows[i] ?? -1] ?? 0n) > 0n);
  if (rows.length < 2) return undefined;
  const made: MemberCalls = {
    rank: view.rank,
    domain,
    seq: seqs,
    call: new Int32Array(rows.length),
    barrierLike: new Uint8Array(rows.length),
    created: new Float64Array(rows.length).fill(Number.NaN),
    completed: new Float64Array(rows.length).fill(Number.NaN),
    over: new Float64Array(rows.length).fill(Number.NaN),
  };
  for (const [i, row] of rows.entries()) {
    const kind = calls.of(dump, row);
    made.call[i] = kind.call;
    made.barrierLike[i] = kind.barrierLike ? 1 : 0;
    made.created[i] = table.relative(c.createdNs[row] ?? 0n) ?? Number.NaN;
    const completed = c.completedNs[row] ?? 0n;
    if (completed > 0n) made.completed[i] = table.relative(completed) ?? Number.NaN;
  }
  if (made.completed.every(Number.isNaN)) setOver(made, dump, rows);
  else dropTroubled(made, dump, rows, cut);
  return made;
}

/** What an abort may have ended is no completion: neither these calls nor later ones of the group. */
function dropTroubled(calls: MemberCalls, dump: FlightRecorderDump, rows: Int32Array, cut: number): void {
  const { created, completed } = calls;
  let newest = -Infinity;
  let open = false;
  for (const b of completed) {
    if (b > newest) newest = b;
    if (Number.isNaN(b)) open = true;
  }
  let troubled = false;
  for (const [i, row] of rows.entries()) {
    const b = completed[i] ?? Number.NaN;
    const took = b - (created[i] ?? Number.NaN);
    const timeoutNs = (dump.columns.timeoutMs[row] ?? -1) * 1e6;
    if (timeoutNs > 0 && took >= NEAR_TIMEOUT * timeoutNs) troubled = true;
    const inLastPass = (open || cut < Infinity) && b > newest - LAST_PASS_NS && took > LONG_NS;
    if (troubled || b >= cut || inLastPass) completed[i] = Number.NaN;
  }
}

/** Backends whose calls return when they are over. */
const WAITING_BACKEND = /^gloo$/;

/**
 * Calls of gloo: the next call of the group shows this one to be over. Calls that automatic differentiation issues run side
 * by side: for them it is the next call from elsewhere, or the next one of the same kind and size, which belongs to a later step.
 */
function setOver(calls: MemberCalls, dump: FlightRecorderDump, rows: Int32Array): void {
  const backend = splitOp(dump.strings[dump.columns.op[rows[0] ?? 0] ?? -1] ?? '').backend ?? '';
  if (!WAITING_BACKEND.test(backend)) return;
  const side = Array.from(rows, (row) => isFromBackward(dump, row));
  const sameNext = new Map<number, number>();
  let elsewhere = Number.NaN;
  for (let i = rows.length - 1; i >= 0; i--) {
    const created = calls.created[i] ?? Number.NaN;
    const call = calls.call[i] ?? -1;
    const next = calls.created[i + 1] ?? Number.NaN;
    const same = sameNext.get(call) ?? Number.NaN;
    const over = side[i] === true ? least(elsewhere, same) : next;
    const timeoutNs = (dump.columns.timeoutMs[rows[i] ?? 0] ?? -1) * 1e6;
    // After a time-out the program may go on although somebody never came.
    const tooLate = timeoutNs > 0 && over - created >= NEAR_TIMEOUT * timeoutNs;
    calls.over[i] = tooLate ? Number.NaN : over;
    sameNext.set(call, created);
    if (side[i] !== true) elsewhere = created;
  }
}

const least = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));

function isFromBackward(dump: FlightRecorderDump, row: number): boolean {
  const stack = dump.stacks[dump.columns.stack[row] ?? -1];
  if (stack === undefined) return false;
  for (const index of stack) if (dump.frames[index]?.name === '_engine_run_backward') return true;
  return false;
}
