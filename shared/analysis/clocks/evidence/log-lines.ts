/**
 * Log lines as evidence. All of it is likely only: a line is written after its event, by an unknown delay.
 *
 *   communicator init   NCCL "Init START" of each rank came before "Init COMPLETE" of any, by communicator id
 *   dump signal         set by one rank, seen by the others: later, and within a poll of a second
 *   progress            a rank that prints step n + 1 had left the calls of step n, so the others had entered them
 *
 * Only stamps that carry their zone are used.
 */
import type { LogEvent } from '../../../model/events.ts';
import type { PlacedEvent } from '../../../model/facts.ts';
import type { EvidenceTable } from './evidence-table.ts';

/** A rank looks for the dump signal this often, and needs a moment to act on it, ns. */
const SIGNAL_POLL_NS = 1_250_000_000n;
/** A step shorter than what lines are late by says nothing; lines further apart than this are no longer one loop, ns. */
const STEP_SLACK_NS = 5e6;

interface Line {
  readonly clock: string;
  readonly ns: bigint;
  readonly event: LogEvent;
  readonly rank: number | undefined;
  readonly attempt: number;
}

export function addLogLines(table: EvidenceTable, events: readonly PlacedEvent[]): void {
  const lines = events.flatMap(lineOf);
  addCommunicators(table, lines);
  addDumpSignals(table, lines);
  addProgress(table, lines);
}

function lineOf({ clock, event, rank, attempt }: PlacedEvent): Line[] {
  const { stamp } = event;
  if (clock === undefined || stamp === undefined || stamp.zoneAssumed) return [];
  if (stamp.kind === 'boot' || stamp.kind === 'api') return [];
  return [{ clock, ns: stamp.ns, event, rank, attempt }];
}

interface Ends {
  readonly start: Map<string, bigint>;
  readonly complete: Map<string, bigint>;
}

function addCommunicators(table: EvidenceTable, lines: readonly Line[]): void {
  const communicators = new Map<string, Ends & { readonly event: LogEvent }>();
  for (const { clock, ns, event, attempt } of lines) {
    const { body } = event;
    if (body.kind !== 'nccl-init' || body.commId === undefined) continue;
    const key = `${attempt} ${body.commId} ${body.nranks}`;
    const found = communicators.get(key) ?? { start: new Map(), complete: new Map(), event };
    communicators.set(key, found);
    if (!body.complete) found.start.set(clock, later(found.start.get(clock), ns));
    else found.complete.set(clock, earlier(found.complete.get(clock), ns));
  }
  for (const [key, { start, complete, event }] of sorted(communicators)) {
    const why = `the set-up of communicator ${key.split(' ')[1]}: begun by all before it was complete for any`;
    addBarrier(table, start, complete, { kind: 'communicator-init', why, source: event.source });
  }
}

/** One likely operation: all `starts` before any of `ends`. */
function addBarrier(
  table: EvidenceTable,
  starts: ReadonlyMap<string, bigint>,
  ends: ReadonlyMap<string, bigint>,
  label: Parameters<EvidenceTable['label']>[0],
): void {
  const clocks = [...new Set([...starts.keys(), ...ends.keys()])].sort();
  if (clocks.length < 2 || starts.size === 0 || ends.size === 0) return;
  table.builder.begin(table.label(label));
  for (const clock of clocks) {
    const index = table.indexOf(clock);
    if (index === undefined) continue;
    const [start, end] = [starts.get(clock), ends.get(clock)];
    const from = start === undefined ? undefined : table.relative(start);
    const to = end === undefined ? undefined : table.relative(end);
    table.builder.row(index, -Infinity, Infinity, from ?? -Infinity, to ?? Infinity);
  }
}

function addDumpSignals(table: EvidenceTable, lines: readonly Line[]): void {
  const set = new Map<string, Line>();
  const seen: Line[] = [];
  for (const line of lines) {
    const { body } = line.event;
    if (body.kind !== 'dump-signal') continue;
    if (body.from !== undefined && body.from !== line.rank) {
      seen.push(line);
      continue;
    }
    if (line.rank === undefined) continue;
    const key = `${line.attempt} ${line.rank}`;
    const known = set.get(key);
    if (known === undefined || line.ns < known.ns) set.set(key, line);
  }
  for (const line of seen) {
    const { body } = line.event;
    const from = body.kind === 'dump-signal' ? body.from : undefined;
    const origin = set.get(`${line.attempt} ${from}`);
    if (origin === undefined || origin.clock === line.clock) continue;
    const label = {
      kind: 'dump-signal',
      why: `the dump signal that rank ${from} set and rank ${line.rank ?? '?'} saw`,
      source: line.event.source,
    } as const;
    table.pair({ clock: origin.clock, ns: origin.ns }, { clock: line.clock, ns: line.ns }, 'likely', label);
    const latest = { clock: origin.clock, ns: origin.ns + SIGNAL_POLL_NS };
    table.pair({ clock: line.clock, ns: line.ns }, latest, 'likely', label);
  }
}

/** Steps of all ranks of an attempt: printed by one before any of the others printed its next one. */
function addProgress(table: EvidenceTable, lines: readonly Line[]): void {
  const byRank = new Map<string, Line[]>();
  for (const line of lines) {
    const { body } = line.event;
    if (body.kind !== 'progress' || body.step === undefined || line.rank === undefined) continue;
    const key = `${line.attempt} ${line.rank}`;
    const list = byRank.get(key);
    if (list === undefined) byRank.set(key, [line]);
    else list.push(line);
  }
  const steps = new Map<string, { at: Map<string, bigint>; next: Map<string, bigint> }>();
  for (const list of byRank.values()) seeSteps(steps, list);
  const source = lines.find(({ event }) => event.body.kind === 'progress')?.event.source;
  const label = {
    kind: 'progress',
    why: 'progress lines: no rank prints the next step before all have entered this one',
    source,
  } as const;
  let index = -1;
  for (const [key, { at, next }] of sorted(steps)) {
    const clocks = [...new Set([...at.keys(), ...next.keys()])].sort();
    if (clocks.length < 2) continue;
    if (index < 0) index = table.label(label);
    table.builder.begin(index, Number(key.split(' ')[2]));
    for (const clock of clocks) {
      const domain = table.indexOf(clock);
      const [from, to] = [at.get(clock), next.get(clock)];
      if (domain === undefined || from === undefined) continue;
      const low = table.relative(from) ?? -Infinity;
      const high = to === undefined ? Infinity : (table.relative(to) ?? Infinity) + STEP_SLACK_NS;
      table.builder.row(domain, -Infinity, Infinity, low, high);
    }
  }
}

function seeSteps(
  steps: Map<string, { at: Map<string, bigint>; next: Map<string, bigint> }>,
  list: readonly Line[],
): void {
  for (const [i, line] of list.entries()) {
    const { body } = line.event;
    if (body.kind !== 'progress') continue;
    const key = `${line.attempt} ${body.epoch ?? ''} ${body.step}`;
    const found = steps.get(key) ?? { at: new Map(), next: new Map() };
    steps.set(key, found);
    found.at.set(line.clock, later(found.at.get(line.clock), line.ns));
    const next = list[i + 1];
    if (next === undefined || next.event.body.kind !== 'progress') continue;
    if ((next.event.body.step ?? 0) <= (body.step ?? 0) || next.clock !== line.clock) continue;
    found.next.set(line.clock, earlier(found.next.get(line.clock), next.ns));
  }
}

const later = (a: bigint | undefined, b: bigint): bigint => (a === undefined || b > a ? b : a);
const earlier = (a: bigint | undefined, b: bigint): bigint => (a === undefined || b < a ? b : a);
const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
