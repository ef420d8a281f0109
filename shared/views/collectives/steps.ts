/** The steps from the first call to the end of the job, each with its time, clock and the order against the step before. */

import type { Clocked } from '../../analysis/clocks/index.ts';
import { clockOf, orderOf } from '../../analysis/clocks/index.ts';
import { rankSet } from '../../lib/rank-set.ts';
import type { ClocksFact, CollectivesFact, PlacedEvent } from '../../model/facts.ts';
import type { EntryId } from '../../model/ids.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { type EpochNs, epochNs } from '../../model/time.ts';
import { openClockBook } from '../../report/times.ts';
import type { ViewSource } from '../index.ts';
import type { ChainLink, ConsequenceStep, StepOrder, StepTime } from './types.ts';

type Draft = Omit<ConsequenceStep, 'order' | 'at'> & { readonly when: Clocked | undefined };

export interface OpenTransfer {
  readonly rank: number;
  readonly op: string;
  readonly ns: EpochNs;
  readonly entry: EntryId;
  readonly record: number;
}
/** By group id, a line feed and the rank. */
export type OpenTransfers = ReadonlyMap<string, OpenTransfer>;

/** Kinds of lines by which the communication library gave up. */
const WATCHDOG: ReadonlySet<string> = new Set([
  'collective-timeout',
  'watchdog-terminated',
  'gloo-timeout',
  'gloo-closed',
  'heartbeat-stuck',
]);
/** Lines by which a launcher ends an attempt, the plainest first. */
const ENDINGS = ['failure-summary', 'worker-failed', 'agent-signal', 'scheduler-cancelled', 'task-exit'] as const;
/** Waiting ranks whose records are looked through for the first of them. */
const MAX_LOOKED_AT = 8192;

export function buildSteps(
  source: ViewSource,
  chain: readonly ChainLink[],
  transfers: OpenTransfers,
): ConsequenceStep[] {
  const { collectives, clocks, events } = source.result.facts;
  if (chain.length === 0) return [];
  const clockIds = new Map<number, string>();
  const attempt = new Map<number, number>();
  for (const row of source.report.ranks)
    if (row.clock !== null && (attempt.get(row.rank) ?? -1) <= row.attempt) {
      clockIds.set(row.rank, row.clock);
      attempt.set(row.rank, row.attempt);
    }
  const clockOfRank = (rank: number): string | undefined => clockIds.get(rank);
  const drafts = [
    ...firstStep(collectives, clockOfRank),
    ...levelsOf(chain).map((links) => waitStep(links, { fact: collectives, clocks, clockOfRank, transfers })),
    ...watchdogStep(events, clocks),
    ...endStep(events, clocks),
  ];
  return drafts.map((draft, i) => {
    const { when, ...step } = draft;
    return { ...step, at: stepTime(when, clocks), order: orderAfter(drafts[i - 1]?.when, when, clocks, i === 0) };
  });
}

const clocked = (ns: EpochNs, clock: string | undefined): Clocked => ({
  clock,
  stamp: { ns, kind: 'epoch', resolutionNs: 1, zoneAssumed: false },
});

function firstStep(fact: CollectivesFact, clockOfRank: (rank: number) => string | undefined): Draft[] {
  const { first } = fact;
  if (first === undefined) return [];
  const ranks = first.ranks.length > 0 ? first.ranks : rankSet(first.sides.flat());
  const one = ranks[0];
  const own = first.calls.find((call) => call.rank === one && call.seq === first.seq);
  const member = fact.groups.find((group) => group.id === first.group)?.members.find((state) => state.rank === one);
  const call = own ?? member?.newest;
  const rank = call?.rank ?? one ?? -1;
  return [
    {
      kind: 'first',
      ranks,
      groups: [first.group],
      seq: first.seq,
      op: own?.op ?? first.expected.split(' ')[0],
      divergence: first.kind,
      links: [],
      detail: own !== undefined ? '' : call === undefined ? '' : `newest call ${call.op} #${call.seq}`,
      when: call?.createdNs === undefined ? undefined : clocked(call.createdNs, clockOfRank(rank)),
      source: sourceOf(call?.source),
    },
  ];
}

/** Links of one level follow from the same thing and are one step. */
function levelsOf(chain: readonly ChainLink[]): (readonly (readonly [index: number, link: ChainLink])[])[] {
  const levels = new Map<number, (readonly [number, ChainLink])[]>();
  for (const [i, link] of chain.entries()) {
    if (link.waiting.length === 0) continue;
    const list = levels.get(link.level);
    if (list === undefined) levels.set(link.level, [[i, link]]);
    else list.push([i, link]);
  }
  return [...levels].sort((a, b) => a[0] - b[0]).map(([, links]) => links);
}

interface WaitSources {
  readonly fact: CollectivesFact;
  readonly clocks: ClocksFact;
  readonly clockOfRank: (rank: number) => string | undefined;
  readonly transfers: OpenTransfers;
}

interface Waiting {
  readonly op: string;
  readonly at: Clocked | undefined;
  readonly source: SourceRef;
}

function waitStep(links: readonly (readonly [index: number, link: ChainLink])[], from: WaitSources): Draft {
  const groups = links.flatMap(([, link]) => link.groups);
  const ranks = rankSet(links.flatMap(([, link]) => link.waiting));
  const found = waitingIn(new Set(groups), new Set(ranks), from);
  let first = found.find((one) => one.at !== undefined) ?? found[0];
  for (const one of found)
    if (
      one.at !== undefined &&
      first?.at !== undefined &&
      correctedNs(one.at, from.clocks) < correctedNs(first.at, from.clocks)
    )
      first = one;
  return {
    kind: 'wait',
    ranks,
    groups,
    seq: links.length === 1 ? links[0]?.[1].seq : undefined,
    op: first?.op,
    divergence: undefined,
    links: links.map(([index]) => index),
    detail: '',
    when: first?.at,
    source: sourceOf(first?.source),
  };
}

/** What these ranks wait in, as far as it is recorded: a collective, else a transfer. */
function waitingIn(
  groups: ReadonlySet<string>,
  ranks: ReadonlySet<number>,
  { fact, clockOfRank, transfers }: WaitSources,
): Waiting[] {
  const found: Waiting[] = [];
  for (const group of fact.groups) {
    if (!groups.has(group.id)) continue;
    for (const { rank, waitsIn } of group.members) {
      if (waitsIn === undefined || !ranks.has(rank) || found.length > MAX_LOOKED_AT) continue;
      const at = waitsIn.createdNs === undefined ? undefined : clocked(waitsIn.createdNs, clockOfRank(rank));
      found.push({ op: waitsIn.op, at, source: waitsIn.source });
    }
    for (const rank of group.ranks) {
      const one = ranks.has(rank) && found.length <= MAX_LOOKED_AT ? transfers.get(`${group.id}\n${rank}`) : undefined;
      if (one === undefined) continue;
      const source = { kind: 'record', entry: one.entry, record: one.record } as const;
      found.push({ op: one.op, at: clocked(one.ns, clockOfRank(rank)), source });
    }
  }
  return found;
}

function watchdogStep(events: readonly PlacedEvent[], clocks: ClocksFact): Draft[] {
  const last = events.reduce((most, one) => Math.max(most, one.attempt), -1);
  const shouts = events.filter((one) => one.attempt === last && WATCHDOG.has(one.event.body.kind));
  const first = earliestOf(shouts, clocks);
  if (first === undefined) return [];
  const timeouts = shouts.flatMap(
    ({ event: { body } }) => (body.kind === 'collective-timeout' ? body.timeoutMs : undefined) ?? [],
  );
  const seconds = timeouts[0] === undefined ? '' : `after ${Number((timeouts[0] / 1000).toFixed(1))} s`;
  return [
    {
      kind: 'watchdog',
      ranks: rankSet(shouts.flatMap((one) => one.rank ?? [])),
      groups: [],
      seq: undefined,
      op: undefined,
      divergence: undefined,
      links: [],
      detail: [seconds, first.rank === undefined ? '' : `first rank ${first.rank}`]
        .filter((part) => part !== '')
        .join(', '),
      when: clockOf(first),
      source: sourceOf(first.event.source),
    },
  ];
}

function endStep(events: readonly PlacedEvent[], clocks: ClocksFact): Draft[] {
  const last = events.reduce((most, one) => Math.max(most, one.attempt), -1);
  for (const kind of ENDINGS) {
    const found = earliestOf(
      events.filter((one) => one.attempt === last && one.event.body.kind === kind),
      clocks,
    );
    if (found === undefined) continue;
    return [
      {
        kind: 'end',
        ranks: [],
        groups: [],
        seq: undefined,
        op: undefined,
        divergence: undefined,
        links: [],
        detail: kind,
        when: clockOf(found),
        source: sourceOf(found.event.source),
      },
    ];
  }
  return [];
}

function earliestOf(events: readonly PlacedEvent[], clocks: ClocksFact): PlacedEvent | undefined {
  let best: { readonly one: PlacedEvent; readonly ns: bigint } | undefined;
  for (const one of events) {
    const at = clockOf(one);
    if (at === undefined || at.stamp.kind === 'boot') continue;
    const ns = correctedNs(at, clocks);
    if (best === undefined || ns < best.ns) best = { one, ns };
  }
  return best?.one ?? events[0];
}

function correctedNs({ clock, stamp }: Clocked, clocks: ClocksFact): bigint {
  const offset = stamp.zoneAssumed ? undefined : clocks.domains.find(({ id }) => id === clock)?.offset;
  return stamp.ns - BigInt(Math.round((offset?.estimate ?? 0) * 1e6));
}

function stepTime(when: Clocked | undefined, clocks: ClocksFact): StepTime | undefined {
  if (when === undefined || when.stamp.kind === 'boot') return undefined;
  const offset = when.stamp.zoneAssumed ? undefined : clocks.domains.find(({ id }) => id === when.clock)?.offset;
  return {
    rawNs: String(epochNs(when.stamp.ns)),
    clock: when.clock,
    offsetMs: offset?.estimate,
    // As the report bounds the same stamp.
    boundMs: openClockBook(clocks).at(when.stamp.ns, when.clock, when.stamp.zoneAssumed).boundMs ?? undefined,
  };
}

function orderAfter(
  before: Clocked | undefined,
  when: Clocked | undefined,
  clocks: ClocksFact,
  first: boolean,
): StepOrder {
  if (first) return 'first';
  if (before === undefined || when === undefined) return 'undecided';
  switch (orderOf(before, when, clocks)) {
    case 'before':
      return 'certain';
    case 'likely-before':
      return 'likely';
    case 'after':
    case 'likely-after':
      return 'earlier';
    case 'undecided':
      return 'undecided';
  }
}

function sourceOf(source: SourceRef | undefined): ConsequenceStep['source'] {
  if (source === undefined) return undefined;
  return {
    entry: source.entry,
    record: source.kind === 'record' ? source.record : undefined,
    line: source.kind === 'line' ? source.line : undefined,
  };
}
