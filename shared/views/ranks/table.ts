/** The unchanging part of the map: which ranks, on which clock, in which groups, how well covered. Pure, over the stored views. */
import type { CollectivesView } from '../collectives/types.ts';
import { boundHalfNs, caseSpan, type Lane, type LanesView, SEVERITIES, STATE, shiftOf } from '../lanes/index.ts';
import type { BothBases, RanksAxis, RanksGroup, RanksIndex, RanksLink, RanksTime, StoredRanks } from './types.ts';

export interface RanksSources {
  readonly lanes: LanesView | undefined;
  readonly collectives: CollectivesView | undefined;
  readonly stored: StoredRanks | undefined;
}

/** Kinds of groups that place a rank; several purposes in one word place nobody. */
const AXIS_KINDS = ['pp', 'dp', 'fsdp', 'ep', 'cp', 'sp', 'tp'] as const;

export function ranksIndex({ lanes, collectives, stored }: RanksSources): RanksIndex {
  return {
    time: lanes === undefined ? null : timeOf(lanes, collectives, stored),
    axes: collectives === undefined ? [] : axesOf(collectives),
    ...(stored?.starts === undefined ? {} : { starts: stored.starts }),
  };
}

/** Lanes of ranks, by rank. */
export function rankLanes(view: LanesView): number[] {
  const lanes = [...view.lanes.keys()].filter((i) => view.lanes[i]?.kind === 'rank');
  return lanes.sort((a, b) => (view.lanes[a]?.rank ?? 0) - (view.lanes[b]?.rank ?? 0));
}

const inBoth = (view: LanesView, clock: number, rawNs: number): BothBases => ({
  raw: rawNs,
  corrected: rawNs - shiftOf(view, clock, 'corrected'),
});

function timeOf(view: LanesView, collectives: CollectivesView | undefined, stored: StoredRanks | undefined): RanksTime {
  const lanes = rankLanes(view).flatMap((i) => view.lanes[i] ?? []);
  const fault = faultOf(view, lanes);
  const api = view.clocks.findIndex((clock) => clock.kind === 'api');
  const { groups, links } = groupsOf(view, collectives);
  const recorded = recordedSpan(view, lanes);
  return {
    originNs: view.originNs,
    spans: { raw: caseSpan(view, 'raw'), corrected: caseSpan(view, 'corrected') },
    clocks: view.clocks,
    fault,
    ranks: Int32Array.from(lanes, (lane) => lane.rank ?? 0),
    clock: Int32Array.from(lanes, (lane) => lane.clock),
    boundNs: Float64Array.from(
      lanes,
      (lane) => boundHalfNs(view.clocks[lane.clock], fault?.at.raw ?? view.endNs) ?? Number.NaN,
    ),
    covered: Float64Array.from(lanes, (lane) => coveredShare(view, lane, recorded)),
    log: Uint8Array.from(lanes, (lane) => (lane.log === 'own' ? 2 : lane.log === 'mixed' ? 1 : 0)),
    errors: Int32Array.from(lanes, (lane) => errorsOf(view, lane)),
    groups,
    links,
    lost: (stored?.lost ?? []).map(({ node, atNs, entry, line }) => ({
      node,
      at: inBoth(view, api, atNs),
      entry,
      line,
    })),
    anyDump: lanes.some((lane) => lane.dump !== 'absent'),
  };
}

function faultOf(view: LanesView, lanes: readonly Lane[]): RanksTime['fault'] {
  const mark = view.marks.find(({ kind }) => kind === 'fault');
  const own = (clock: number, atNs: number) => ({
    at: inBoth(view, clock, atNs),
    boundNs: boundHalfNs(view.clocks[clock], atNs),
    clock,
  });
  if (mark !== undefined) return { kind: 'fault', ...own(mark.clock, mark.atNs) };
  let first: RanksTime['fault'] = null;
  for (const lane of lanes)
    for (let call = lane.callFrom; call < lane.callTo; call++) {
      if (view.calls.state[call] !== STATE.first) continue;
      const found = own(lane.clock, view.calls.startNs[call] ?? 0);
      if (first === null || found.at.corrected < first.at.corrected) first = { kind: 'call', ...found };
    }
  return first;
}

interface Recorded {
  readonly from: number;
  readonly to: number;
}

/** From the oldest record that any rank holds to the newest, corrected. */
function recordedSpan(view: LanesView, lanes: readonly Lane[]): Recorded {
  const { startNs } = view.calls;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const lane of lanes) {
    if (lane.callFrom === lane.callTo || lane.dump === 'absent') continue;
    const shift = shiftOf(view, lane.clock, 'corrected');
    from = Math.min(from, (startNs[lane.callFrom] ?? 0) - shift);
    to = Math.max(to, (startNs[lane.callTo - 1] ?? 0) - shift);
  }
  return { from, to };
}

/** The share of that span between the lane's own oldest and newest record. */
function coveredShare(view: LanesView, lane: Lane, { from, to }: Recorded): number {
  const { startNs } = view.calls;
  if (lane.callFrom === lane.callTo || lane.dump === 'absent') return Number.NaN;
  const own = (startNs[lane.callTo - 1] ?? 0) - (startNs[lane.callFrom] ?? 0);
  return to > from ? Math.max(0, Math.min(1, own / (to - from))) : 1;
}

function errorsOf(view: LanesView, lane: Lane): number {
  const least = SEVERITIES.indexOf('error');
  let count = 0;
  for (let i = lane.instantFrom; i < lane.instantTo; i++) if ((view.instants.severity[i] ?? 0) >= least) count += 1;
  return count;
}

function groupsOf(
  view: LanesView,
  collectives: CollectivesView | undefined,
): { readonly groups: RanksGroup[]; readonly links: RanksLink[] } {
  const chain = collectives?.job.chain ?? [];
  const nodes = new Map(collectives?.ranks.map(({ rank, node }) => [rank, node]));
  const linkOf = new Map<string, number>();
  chain.forEach((link, i) => {
    for (const group of link.groups) if (!linkOf.has(group)) linkOf.set(group, i);
  });
  const kindOf = new Map(collectives?.groups.map(({ id, kind }) => [id, collectives.kinds[kind]?.name ?? '']));
  const links = chain.map(({ level, kind, awaited, ring }): RanksLink => {
    const places = new Set(awaited.map((rank) => nodes.get(rank)));
    const [node] = places;
    return {
      level,
      kind: collectives?.kinds[kind]?.name ?? '',
      awaited,
      node: places.size === 1 ? (node ?? null) : null,
      ring,
    };
  });
  const groups = view.groups.map(
    ({ id, name, desc, size }): RanksGroup => ({
      ...{ id, name, desc, size },
      kind: kindOf.get(id) ?? '',
      link: linkOf.get(id) ?? -1,
    }),
  );
  return { groups, links };
}

/** A kind is an axis if each rank has one place in it: no rank is in two of its groups. */
function axesOf(view: CollectivesView): RanksAxis[] {
  return AXIS_KINDS.flatMap((name) => {
    const kind = view.kinds.findIndex((one) => one.name === name);
    const groups = view.groups.filter((group) => group.kind === kind && group.ranks.length > 1);
    const places = new Map<number, number>();
    for (const group of groups)
      for (const [place, rank] of [...group.ranks].sort((a, b) => a - b).entries()) {
        if (places.has(rank)) return [];
        places.set(rank, place);
      }
    if (kind < 0 || places.size === 0) return [];
    const ranks = [...places.keys()].sort((a, b) => a - b);
    return {
      kind: name,
      size: Math.max(...groups.map((group) => group.ranks.length)),
      ranks: Int32Array.from(ranks),
      place: Int32Array.from(ranks, (rank) => places.get(rank) ?? -1),
    };
  });
}
