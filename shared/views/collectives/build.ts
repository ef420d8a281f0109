/**
 * Builds the view from the dumps and the facts: a retelling, nothing is concluded here.
 *
 *   dumps ─ views ─ groups ─ positions (as the analysis has them) ─ records as blocks and rows ─┐
 *   facts: member states by log, divergences, waits, roots ─ story (chain and steps) ───────────┴─ CollectivesView
 *
 * O(records + members of all groups).
 */

import { newestNs } from '../../analysis/collectives/dump-ranks.ts';
import type { DumpView } from '../../analysis/collectives/dump-view.ts';
import { viewDumps } from '../../analysis/collectives/dump-view.ts';
import { isDefaultGroup, mergeGroups, worldSizeOf } from '../../analysis/collectives/groups.ts';
import { rankDumps } from '../../analysis/collectives/index.ts';
import { computePositions, type GroupPositions } from '../../analysis/collectives/positions.ts';
import type { CollectivesFact, Divergence, GroupFact, MemberState } from '../../model/facts.ts';
import { epochNs } from '../../model/time.ts';
import { openClockBook } from '../../report/times.ts';
import type { ViewSource } from '../index.ts';
import { divergenceView, isTransfer } from './divergence-view.ts';
import { type DumpReader, GroupRecords, stampReader } from './group-records.ts';
import { kindOf } from './kinds.ts';
import { p2pRecords } from './p2p-records.ts';
import { BlockMaker, ContentPool } from './pool.ts';
import { buildStory } from './story.ts';
import {
  type CollectiveClock,
  type CollectiveGroup,
  type CollectiveRank,
  type CollectivesView,
  type GroupKind,
  PLACE_BASES,
  type Places,
} from './types.ts';

/** Undefined if neither a dump nor a log line tells of any group. */
export function buildCollectivesView(source: ViewSource): CollectivesView | undefined {
  const { input, result } = source;
  const fact = result.facts.collectives;
  const { ranked } = rankDumps(input.dumps, result.facts.rankMap, result.facts.events);
  const views = viewDumps(ranked);
  if (views.length === 0 && fact.groups.length === 0) return undefined;
  const clocks = clocksOf(source, views);
  const ranks = ranksOf(source, views, clocks);
  const originNs = originOf(views);
  const contents = new ContentPool();
  const readers = readersOf(views, { contents, originNs, ranks, clocks });
  const blocks = new BlockMaker();
  const wheres = new Map(positionsOf(source, views).map((where) => [where.group.id, where]));
  const kinds = new Kinds();
  const blank = new Set(views.filter((one) => one.blank).map((one) => one.rank));
  const groups = fact.groups.map((group) => {
    const where = wheres.get(group.id);
    const kind = kinds.take(group, where);
    return buildGroup({ group, where, kind, fact, blocks, contents, readerOf: (rank) => readers.get(rank), blank });
  });
  return {
    shape: 2,
    originNs: String(originNs),
    ranks,
    clocks,
    kinds: kinds.list(),
    contents: contents.list(),
    pool: blocks.done(),
    groups,
    job: buildStory(source, { groups, kinds: kinds.list(), views }),
  };
}

/** The same steps as the analysis takes, so that the ids of groups agree. */
function positionsOf({ result }: ViewSource, views: readonly DumpView[]): GroupPositions[] {
  const known = result.facts.rankMap.worldSize ?? worldSizeOf(views.map((view) => view.dump));
  const top = views.reduce((most, view) => Math.max(most, view.rank + 1), 0);
  return computePositions(mergeGroups(views, known === undefined ? undefined : Math.max(known, top)), views);
}

/** With the bound of the oldest or newest record, whichever lies further from the moment that the offset is given for. */
function clocksOf({ report, result }: ViewSource, views: readonly DumpView[]): CollectiveClock[] {
  const book = openClockBook(result.facts.clocks);
  const oldest = originOf(views);
  let newest = oldest;
  for (const { dump } of views) {
    const last = newestNs(dump);
    if (last > newest) newest = last;
  }
  return report.clock.domains.map(({ id, offsetMs }) => {
    const moments = oldest > 0n ? [oldest, newest] : [book.domain(id)?.momentNs ?? 0n];
    const bounds = moments.map((ns) => book.at(epochNs(ns), id).boundMs);
    return {
      id,
      offsetMs: offsetMs?.estimate,
      boundMs: bounds.some((bound) => bound === null) ? undefined : Math.max(...bounds.map(Number)),
    };
  });
}

/** Every rank of the job, as its last attempt has it. */
function ranksOf(
  { report, result }: ViewSource,
  views: readonly DumpView[],
  clocks: readonly CollectiveClock[],
): CollectiveRank[] {
  const clockIndex = new Map(clocks.map((clock, i) => [clock.id, i]));
  const byRank = new Map(views.map((view) => [view.rank, view]));
  const rows = new Map<number, (typeof report.ranks)[number]>();
  for (const row of report.ranks) if ((rows.get(row.rank)?.attempt ?? -1) <= row.attempt) rows.set(row.rank, row);
  const all = new Set([
    ...rows.keys(),
    ...byRank.keys(),
    ...(result.facts.collectives.dumpsExpected ?? []),
    ...result.facts.collectives.groups.flatMap((group) => group.members.map((member) => member.rank)),
  ]);
  return [...all]
    .sort((a, b) => a - b)
    .map((rank): CollectiveRank => {
      const row = rows.get(rank);
      const view = byRank.get(rank);
      return {
        rank,
        entry: view?.dump.source.entry,
        dump: view === undefined ? (row?.dump === 'present' ? 'absent' : (row?.dump ?? 'absent')) : dumpOf(view),
        version: view?.dump.version,
        node: row?.node ?? undefined,
        pod: row?.pod ?? undefined,
        gpu: row?.gpu ?? undefined,
        clock: row?.clock == null ? -1 : (clockIndex.get(row.clock) ?? -1),
      };
    });
}

const dumpOf = (view: DumpView): CollectiveRank['dump'] =>
  view.dump.truncatedAt !== undefined ? 'truncated' : view.blank ? 'empty' : 'present';

/** The earliest stamp of any record. */
function originOf(views: readonly DumpView[]): bigint {
  let origin: bigint | undefined;
  for (const { dump } of views) {
    // Records stand in order of time; the first few tell the least.
    for (let row = 0; row < dump.columns.length; row++) {
      const created = dump.columns.createdNs[row] ?? 0n;
      if (created === 0n) continue;
      if (origin === undefined || created < origin) origin = created;
      break;
    }
  }
  return origin ?? 0n;
}

interface ReaderInput {
  readonly contents: ContentPool;
  readonly originNs: bigint;
  readonly ranks: readonly CollectiveRank[];
  readonly clocks: readonly CollectiveClock[];
}

function readersOf(views: readonly DumpView[], given: ReaderInput): ReadonlyMap<number, DumpReader> {
  const clockOf = new Map(given.ranks.map(({ rank, clock }) => [rank, given.clocks[clock]]));
  return new Map(
    views.map((view) => [
      view.rank,
      {
        content: given.contents.reader(view.dump),
        createdNs: stampReader(view.dump.columns.createdNs, given.originNs),
        completedNs: stampReader(view.dump.columns.completedNs, given.originNs),
        shiftNs: -(clockOf.get(view.rank)?.offsetMs ?? 0) * 1e6,
      },
    ]),
  );
}

class Kinds {
  private readonly found = new Map<string, number>();
  private readonly kinds: {
    name: string;
    basis: GroupKind['basis'];
    groups: number;
    size: number | undefined;
    p2p: boolean;
  }[] = [];

  take(group: GroupFact, where: GroupPositions | undefined): number {
    const isDefault = where?.group.isDefault ?? isDefaultGroup(group.name, group.desc);
    const { id, desc, ranks, p2p } = group;
    const { name, basis } = kindOf({ id, desc, isDefault, ranks, p2p });
    const known = this.found.get(name);
    const kind = known === undefined ? undefined : this.kinds[known];
    if (known === undefined || kind === undefined) {
      this.found.set(name, this.kinds.length);
      return this.kinds.push({ name, basis, groups: 1, size: ranks.length, p2p }) - 1;
    }
    kind.groups++;
    kind.p2p ||= p2p;
    if (kind.size !== ranks.length) kind.size = undefined;
    return known;
  }

  list(): readonly GroupKind[] {
    return this.kinds;
  }
}

interface GroupInput {
  readonly group: GroupFact;
  readonly where: GroupPositions | undefined;
  readonly kind: number;
  readonly fact: CollectivesFact;
  readonly blocks: BlockMaker;
  readonly contents: ContentPool;
  readonly readerOf: (rank: number) => DumpReader | undefined;
  /** Ranks whose dump holds neither entries nor counters. */
  readonly blank: ReadonlySet<number>;
}

function buildGroup({ group, where, kind, fact, blocks, contents, readerOf, blank }: GroupInput): CollectiveGroup {
  const states = new Map(group.members.map((member) => [member.rank, member]));
  const members = [...new Set([...group.ranks, ...states.keys()])].sort((a, b) => a - b);
  const memberIndex = new Map(members.map((rank, i) => [rank, i]));
  const places = placesOf(members, where, {
    states,
    hasDump: (rank) => readerOf(rank) !== undefined && !blank.has(rank),
  });
  const divergence = group.id === fact.first?.group ? fact.first : group.divergence;
  const byRank = new Map(where?.group.members.map((member) => [member.rank, member]) ?? []);
  const records = where === undefined ? undefined : new GroupRecords(where, blocks, contents.list());
  const plain = records ?? new GroupRecords(NO_POSITIONS, blocks, []);
  for (const [i, rank] of members.entries()) plain.add(i, byRank.get(rank), readerOf(rank));
  if (divergence !== undefined && !isTransfer(divergence)) plain.mention(divergence.seq);
  for (const { basis, waitsIn, lastEnqueued } of group.members)
    if (basis === 'log') for (const seq of [waitsIn?.seq, group.p2p ? undefined : lastEnqueued]) plain.mention(seq);
  for (const at of where?.positions ?? []) plain.mention(at.open?.seq);
  // A gloo counter that counts transfers cannot say what was left out; there the entries decide.
  const reached = where?.positions.flatMap((at) => at.enqueued ?? []) ?? [];
  const settled = divergence === undefined && !fact.waits.some((edge) => edge.group === group.id);
  return {
    id: group.id,
    name: group.name,
    desc: group.desc,
    backend: group.backend,
    kind,
    ranks: Int32Array.from(group.ranks),
    membersKnown: group.membersKnown,
    endsOnly: where?.endsOnly ?? false,
    endedWellBefore: where === undefined ? Number.NaN : endedWellBefore(where, divergence),
    basis: where === undefined ? 'log' : 'dump',
    members: Int32Array.from(members),
    places,
    tracks: plain.tracks(),
    rows: plain.rows(reached.length < 2 ? Number.POSITIVE_INFINITY : reached.reduce((a, b) => Math.min(a, b)), settled),
    p2p: where === undefined ? undefined : p2pRecords(where, (rank) => memberIndex.get(rank) ?? -1, readerOf),
    window: group.window,
    divergence: divergence === undefined ? undefined : divergenceView(divergence),
  };
}

const NO_POSITIONS: GroupPositions = {
  group: {
    id: '',
    name: '',
    desc: '',
    backend: undefined,
    ranks: [],
    membersKnown: false,
    isDefault: false,
    members: [],
  },
  endsOnly: false,
  mixed: false,
  positions: [],
  byRank: new Map(),
};

/** A gloo call that retired ended well if every member went on to a later one; whoever a call failed for goes no further. */
function endedWellBefore(where: GroupPositions, divergence: Divergence | undefined): number {
  if (!where.endsOnly || where.positions.length === 0) return Number.NaN;
  let before = divergence?.seq ?? Number.POSITIVE_INFINITY;
  for (const at of where.positions) before = Math.min(before, at.newest ?? 0, at.open?.seq ?? before);
  return before;
}

interface PlaceSources {
  readonly states: ReadonlyMap<number, MemberState>;
  /** Its dump says something, though perhaps nothing of this group. */
  readonly hasDump: (rank: number) => boolean;
}

function placesOf(
  members: readonly number[],
  where: GroupPositions | undefined,
  { states, hasDump }: PlaceSources,
): Places {
  const n = members.length;
  const column = (): Float64Array => new Float64Array(n).fill(Number.NaN);
  const out = {
    basis: new Uint8Array(n).fill(PLACE_BASES.indexOf('none')),
    enqueued: column(),
    done: column(),
    open: column(),
    oldest: column(),
    newest: column(),
    cut: new Uint8Array(n),
    logEntry: new Int32Array(n).fill(-1),
    logLine: new Int32Array(n).fill(-1),
  };
  members.forEach((rank, i) => {
    const at = where?.byRank.get(rank);
    const state = states.get(rank);
    if (at !== undefined) {
      out.basis[i] = PLACE_BASES.indexOf(at.basis);
      out.enqueued[i] = at.enqueued ?? Number.NaN;
      out.done[i] = at.done ?? Number.NaN;
      out.open[i] = at.open?.seq ?? Number.NaN;
      out.oldest[i] = at.oldest ?? Number.NaN;
      out.newest[i] = at.newest ?? Number.NaN;
      out.cut[i] = at.member.view.dump.truncatedAt === undefined ? 0 : 1;
    } else if (state?.basis === 'log') {
      out.basis[i] = PLACE_BASES.indexOf('log');
      out.enqueued[i] = state.lastEnqueued ?? Number.NaN;
      out.done[i] = state.lastCompleted ?? Number.NaN;
      out.open[i] = state.waitsIn?.seq ?? Number.NaN;
      out.newest[i] = state.newestSeq ?? Number.NaN;
      out.logEntry[i] = state.source.entry;
      out.logLine[i] = state.source.kind === 'line' ? state.source.line : -1;
    } else if (hasDump(rank)) out.basis[i] = PLACE_BASES.indexOf('dump-entries');
  });
  return out;
}
