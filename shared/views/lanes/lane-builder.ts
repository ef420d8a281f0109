/** Puts the lanes together: places from the report, calls from dumps and log lines, instants from events. */
import type { DumpView } from '../../analysis/collectives/dump-view.ts';
import type { PlacedEvent } from '../../model/facts.ts';
import type { AnalysisResult } from '../../model/finding.ts';
import type { Report } from '../../report/schema.ts';
import type { CallWriter } from './call-writer.ts';
import { type Behind, callName, deviatingCalls, loggedWait, ranksBehind } from './derived-calls.ts';
import { type InstantContext, type InstantDraft, kubeInstants, logInstant } from './instants.ts';
import { type CallDraft, LaneCalls } from './lane-calls.ts';
import { type Coverage, logCoverage, logFiles } from './log-files.ts';
import { marksOf } from './marks.ts';
import { type RankPlaceOfLane, rowsOfRanks, type SectionDraft, sectionsOf } from './places.ts';
import { recordedCalls, TimeColumns } from './recorded-calls.ts';
import type { StringTable } from './string-table.ts';
import {
  type CallColumns,
  type Lane,
  type LaneClock,
  type LaneFile,
  type LaneGroup,
  type LaneMark,
  type LaneSection,
  STATE,
} from './types.ts';
import type { TimeWindow } from './window.ts';

export interface LaneParts {
  readonly result: AnalysisResult;
  readonly report: Report;
  readonly window: TimeWindow;
  readonly strings: StringTable;
  readonly clocks: readonly LaneClock[];
  readonly groups: { readonly list: readonly LaneGroup[]; readonly ofLocal: (local: object) => number };
  readonly views: ReadonlyMap<number, DumpView>;
  readonly writer: CallWriter;
}

type LaneWithoutInstants = Omit<Lane, 'instantFrom' | 'instantTo'>;

export interface BuiltLanes {
  readonly lanes: readonly LaneWithoutInstants[];
  readonly instants: readonly (readonly InstantDraft[])[];
  readonly sections: readonly LaneSection[];
  readonly clocks: readonly LaneClock[];
  readonly groups: readonly LaneGroup[];
  readonly calls: CallColumns;
  readonly sources: readonly { readonly entry: number; readonly line: number }[];
  readonly marks: readonly LaneMark[];
  readonly files: readonly LaneFile[];
}

const BARE = {
  rank: null,
  localRank: null,
  pod: null,
  node: null,
  gpu: null,
  role: 'unknown',
  dump: 'absent',
  dumpEntry: null,
  undated: 0,
  heldFromNs: null,
  log: 'none',
  logFromNs: null,
  logToNs: null,
  openUntilNs: null,
  exit: null,
} as const;

const orNull = (ns: number): number | null => (Number.isNaN(ns) ? null : ns);

export class LaneBuilder {
  readonly #parts: LaneParts;
  readonly #context: InstantContext;
  readonly #clockOf: ReadonlyMap<string, number>;
  readonly #groupOf: ReadonlyMap<string, number>;
  readonly #groups: LaneGroup[];
  readonly #lanes: LaneWithoutInstants[] = [];
  readonly #instants: InstantDraft[][] = [];
  readonly #sections: LaneSection[] = [];
  readonly #sources: { entry: number; line: number }[] = [];
  readonly #laneOfRank = new Map<number, number>();
  readonly #laneOfNode = new Map<string, number>();
  readonly #behind: ReadonlyMap<number, Behind>;
  readonly #deviating: ReadonlyMap<number, ReadonlySet<string>>;
  /** Of the lane at hand. */
  readonly #calls = new LaneCalls();
  readonly #times = new TimeColumns();
  readonly #coverage: ReadonlyMap<number, Coverage>;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.#clockOf = new Map(parts.clocks.map((clock, i) => [clock.id, i]));
    this.#context = {
      window: parts.window,
      clockIndex: (id) => (id === undefined ? -1 : (this.#clockOf.get(id) ?? -1)),
    };
    this.#groups = [...parts.groups.list];
    const byId = new Map(this.#groups.map((group, i) => [group.id, i]));
    for (const group of parts.result.facts.collectives.groups) {
      if (byId.has(group.id)) continue;
      byId.set(
        group.id,
        this.#groups.push({ id: group.id, name: group.name, desc: group.desc, size: group.ranks.length }) - 1,
      );
    }
    this.#groupOf = byId;
    const clocks = new Map(
      parts.report.ranks.map((row) => [row.rank, this.#context.clockIndex(row.clock ?? undefined)]),
    );
    const behind = ranksBehind(parts.result.facts, (rank) => clocks.get(rank) ?? -1);
    this.#behind = new Map(behind.map((one) => [one.rank, one]));
    this.#deviating = deviatingCalls(parts.result.facts);
    this.#coverage = logCoverage(parts.result, parts.window);
  }

  build(): BuiltLanes {
    const { report, result, clocks, writer } = this.#parts;
    const rows = rowsOfRanks(report, result);
    const ranks = new Set(rows.map(({ row }) => row.rank));
    const byRank = new Map<number, PlacedEvent[]>();
    const byNode = new Map<string, PlacedEvent[]>();
    const loose: PlacedEvent[] = [];
    for (const placed of result.facts.events) {
      if (placed.rank !== undefined && ranks.has(placed.rank)) push(byRank, placed.rank, placed);
      else if (placed.node !== undefined) push(byNode, placed.node, placed);
      else loose.push(placed);
    }
    const cluster = kubeInstants(result.facts.input, this.#context);
    if (cluster.length > 0) this.#addSpecial('cluster', 'Cluster events', cluster, this.#context.clockIndex('api'));
    for (const section of sectionsOf(rows, [...byNode.keys()])) this.#addSection(section, byRank, byNode);
    const rest = loose.flatMap((placed) => logInstant(placed, this.#context) ?? []);
    if (rest.length > 0) this.#addSpecial('other', 'Without a rank', rest, -1);
    const marks = marksOf(
      result,
      this.#context,
      (placed) =>
        (placed.rank === undefined ? undefined : this.#laneOfRank.get(placed.rank)) ??
        this.#laneOfNode.get(placed.node ?? '') ??
        -1,
      (rank) => this.#laneOfRank.get(rank) ?? -1,
    );
    return {
      lanes: this.#lanes,
      instants: this.#instants,
      sections: this.#sections,
      clocks,
      groups: this.#groups,
      calls: writer.columns(),
      sources: this.#sources,
      marks,
      files: logFiles(result, this.#context.clockIndex),
    };
  }

  #addSpecial(kind: 'cluster' | 'other', title: string, instants: InstantDraft[], clock: number): void {
    const { size } = this.#parts.writer;
    const laneFrom = this.#lanes.length;
    this.#lanes.push({ ...BARE, id: kind, kind, clock, callFrom: size, callTo: size });
    this.#instants.push(instants);
    const by = kind === 'cluster' ? 'cluster' : 'none';
    this.#sections.push({ id: kind, title, by, pods: [], clock, laneFrom, laneTo: this.#lanes.length });
  }

  #addSection(section: SectionDraft, byRank: Map<number, PlacedEvent[]>, byNode: Map<string, PlacedEvent[]>): void {
    const laneFrom = this.#lanes.length;
    const own = section.by === 'node' ? (byNode.get(section.title) ?? []) : [];
    const instants = own.flatMap((placed) => logInstant(placed, this.#context) ?? []);
    if (instants.length > 0) {
      const { size } = this.#parts.writer;
      this.#laneOfNode.set(section.title, this.#lanes.length);
      this.#lanes.push({
        ...BARE,
        id: `node-${section.title}`,
        kind: 'node',
        node: section.title,
        clock: this.#context.clockIndex(section.title),
        callFrom: size,
        callTo: size,
      });
      this.#instants.push(instants);
    }
    for (const place of section.ranks) this.#addRank(place, byRank.get(place.row.rank) ?? []);
    if (this.#lanes.length === laneFrom) return;
    const pods = [...new Set(section.ranks.flatMap(({ row }) => row.pod ?? []))].sort();
    const clock =
      section.by === 'node' ? this.#context.clockIndex(section.title) : (this.#lanes[laneFrom]?.clock ?? -1);
    const { id, title, by } = section;
    this.#sections.push({ id, title, by, pods, clock, laneFrom, laneTo: this.#lanes.length });
  }

  #addRank({ row, life }: RankPlaceOfLane, events: readonly PlacedEvent[]): void {
    const { writer, views, strings, window, groups } = this.#parts;
    const view = views.get(row.rank);
    const recorded =
      view === undefined || view.blank
        ? undefined
        : recordedCalls(view, (_, local) => groups.ofLocal(local), {
            calls: this.#calls,
            times: this.#times,
            strings,
            window,
          });
    if (recorded === undefined) this.#calls.begin(0);
    const clock = this.#context.clockIndex(row.clock ?? undefined);
    const instants = events.flatMap((placed) => logInstant(placed, this.#context) ?? []);
    const exitNs = life?.exit?.by === 'agent' ? window.ofStamp(life.exit.at) : Number.NaN;
    const lastSeenNs = window.ofStamp(life?.lastSeen?.stamp);
    // A sign of life after the last record: without one, nobody knows how long an open call lasted.
    const newestNs = recorded?.newestNs ?? Number.NaN;
    const until = [exitNs, lastSeenNs].filter((ns) => !Number.isNaN(ns) && !(ns <= newestNs));
    const callFrom = writer.size;
    this.#derive({ row, clock, events, dated: recorded?.dated ?? 0 });
    writer.addLane(this.#calls);
    const spoke = this.#coverage.get(row.rank);
    const times = [...instants.map((one) => one.atNs), ...(spoke === undefined ? [] : [spoke.from, spoke.to])];
    this.#laneOfRank.set(row.rank, this.#lanes.length);
    this.#lanes.push({
      id: `rank-${row.rank}`,
      kind: 'rank',
      rank: row.rank,
      localRank: row.localRank,
      pod: row.pod,
      node: row.node,
      gpu: row.gpu,
      clock,
      role: row.role,
      dump: row.dump === 'present' && recorded?.dated === 0 && recorded.undated > 0 ? 'no-times' : row.dump,
      dumpEntry: view?.dump.source.entry ?? null,
      undated: recorded?.undated ?? 0,
      heldFromNs: orNull(recorded?.heldFromNs ?? Number.NaN),
      log: life?.log ?? 'none',
      logFromNs: times.length === 0 ? null : minOf(times),
      logToNs: lastOf([...times, lastSeenNs]),
      openUntilNs: until.length === 0 ? null : Math.max(...until),
      exit:
        life?.exit === undefined
          ? null
          : { atNs: orNull(exitNs), code: life.exit.code ?? null, signal: life.exit.signal ?? null },
      callFrom,
      callTo: writer.size,
    });
    this.#instants.push(instants);
  }

  /** What the records do not say by themselves: deviating calls, and calls that no record tells of. */
  #derive(given: {
    readonly row: RankPlaceOfLane['row'];
    readonly clock: number;
    readonly events: readonly PlacedEvent[];
    readonly dated: number;
  }): void {
    const { row, clock, events, dated } = given;
    const calls = this.#calls;
    const first = row.role === 'first';
    let named = false;
    const deviating = this.#deviating.get(row.rank);
    for (let at = 0; deviating !== undefined && at < calls.size; at++) {
      if (calls.state[at] === STATE.none) continue;
      const group = this.#groups[calls.group[at] ?? -1]?.id ?? '';
      if (!deviating.has(callName(group, calls.seq[at] ?? -1))) continue;
      named ||= first;
      calls.state[at] = first ? STATE.first : STATE.differs;
    }
    const records = calls.size;
    if (dated === 0) for (const wait of this.#loggedWaits(events)) calls.add(wait);
    const behind = this.#behindCall(row.rank, clock, first, records);
    if (behind !== undefined) {
      calls.add(behind);
      named ||= first;
    }
    if (first && !named) this.#addFirst(row.rank, clock);
  }

  /** The rank that made itself first by nothing the recorder shows: from the moment of the fault on it is red. */
  #addFirst(rank: number, clock: number): void {
    const { result, window, strings } = this.#parts;
    const calls = this.#calls;
    const stuck = this.#parts.result.facts.collectives.roots.some((root) => root.rank === rank && root.how === 'stuck');
    const waiting = stuck ? calls.order().find((at) => calls.state[at] === STATE.waiting) : undefined;
    if (waiting !== undefined) {
      calls.state[waiting] = STATE.first;
      return;
    }
    const at = result.verdict.at;
    const raw = window.ofEpoch(at?.rawNs);
    if (at === undefined || Number.isNaN(raw)) return;
    const startNs = this.#moved(raw, at.zoneAssumed === true ? clock : this.#context.clockIndex(at.clock), clock);
    if (Number.isNaN(startNs)) return;
    const op = strings.of(result.verdict.cause === 'none' ? 'stops' : result.verdict.cause.replaceAll('-', ' '));
    calls.add({ startNs, endNs: Number.NaN, state: STATE.first, group: -1, seq: -1, op, record: -1 });
  }

  #behindCall(rank: number, clock: number, first: boolean, records: number): CallDraft | undefined {
    const behind = this.#behind.get(rank);
    if (behind === undefined) return undefined;
    const { window, strings } = this.#parts;
    let startNs = Number.NaN;
    for (const [other, createdNs] of behind.earliest) {
      const moved = this.#moved(window.ofEpoch(createdNs), other, clock);
      if (moved < startNs || Number.isNaN(startNs)) startNs = moved;
    }
    // It made its own calls after that moment too if those clocks leave it open: not before its own last record.
    let last = Number.NaN;
    const { state: states, startNs: starts, endNs: ends } = this.#calls;
    for (let at = 0; at < records; at++) {
      const started = starts[at] ?? Number.NaN;
      if (states[at] !== STATE.none) last = Math.max(Number.isNaN(last) ? started : last, started, ends[at] || 0);
    }
    if (Number.isNaN(startNs) || startNs < last) startNs = last;
    if (Number.isNaN(startNs)) return undefined;
    const state = first ? STATE.first : STATE.neverEnqueued;
    const group = this.#groupOf.get(behind.group) ?? -1;
    return {
      startNs,
      endNs: Number.NaN,
      state,
      group,
      seq: behind.seq,
      op: strings.of(`never enqueued ${behind.op}`.trim()),
      record: -1,
    };
  }

  #loggedWaits(events: readonly PlacedEvent[]): CallDraft[] {
    const { window, strings } = this.#parts;
    const groupIndex = (name: string | undefined): number =>
      name === undefined ? -1 : this.#groups.findIndex((group) => group.name === name || group.desc === name);
    const found: CallDraft[] = [];
    for (const placed of events) {
      const wait = loggedWait(placed, window, strings, groupIndex);
      if (wait === undefined) continue;
      const same = found.some(
        (one) => one.seq === wait.draft.seq && one.op === wait.draft.op && one.group === wait.draft.group,
      );
      if (same) continue;
      const index = this.#sources.push({ entry: wait.entry, line: wait.line }) - 1;
      found.push({ ...wait.draft, record: -2 - index });
    }
    return found;
  }

  /** A raw time of one clock as the other clock would have shown it; NaN if nothing relates them. */
  #moved(raw: number, from: number, to: number): number {
    if (from === to) return raw;
    const [a, b] = [this.#parts.clocks[from]?.offsetNs, this.#parts.clocks[to]?.offsetNs];
    if (a === null || a === undefined || b === null || b === undefined) return Number.NaN;
    return raw - a.estimate + b.estimate;
  }
}

function push<K>(map: Map<K, PlacedEvent[]>, key: K, placed: PlacedEvent): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [placed]);
  else list.push(placed);
}

const minOf = (times: readonly number[]): number =>
  times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);

function lastOf(times: readonly number[]): number | null {
  const known = times.filter((at) => !Number.isNaN(at));
  return known.length === 0 ? null : known.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
}
