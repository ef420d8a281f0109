/**
 * When a rank stalled, as far as it can be said: not before its last sign of life, and not much after the first call that others began to wait
 * for it in. Nobody prints the moment itself.
 *
 *   rank 4: step 30 at 18:35:36.9            ranks 0–3, 5 enqueue all_reduce #31 at 18:35:37.0            at = 36.9, within 1.1 s
 *
 * The end of the interval is the earliest of: the waiting calls in dumps, and time-outs less their limit; each brought to the rank's own clock by
 * the guaranteed bounds. A rank may arrive a little later than its peers without any fault, so one of the job's own steps is added to it.
 *
 * `stallBracket` gives the two records themselves, each on its own clock: what a person is shown. `stallMoment` is the same as one moment and a span.
 */

import type { CallView, PlacedEvent } from '../../model/facts.ts';
import type { Bracket, BracketEnd, Facts, Finding } from '../../model/finding.ts';
import { type EpochNs, epochNs, NS_PER_MS } from '../../model/time.ts';
import { offsetBetween } from '../clocks/pair-bounds.ts';
import { quoteInside } from '../rules/support/draft.ts';
import { eventsOf } from '../rules/support/events.ts';
import { wallNs } from '../rules/support/order.ts';
import { eventsOfRank, lifeOf, placeOf } from '../rules/support/ranks.ts';

/** How late a rank may come without any fault where no step of the job is told, ms. Chosen, not measured. */
const USUAL_LATENESS_MS = 1_000;

/** The last sign of life of the one rank named, with `spanNs` to the latest moment at which it may have stalled. Undefined if either is unknown. */
export function stallMoment(finding: Finding, facts: Facts): Finding['at'] {
  const bracket = stallBracket(finding, facts);
  if (bracket?.from === undefined) return undefined;
  const { rawNs, clock } = bracket.from;
  const missed = latestOn(clock, bracket.until, facts);
  if (missed === undefined) return undefined;
  return { rawNs, clock, spanNs: Number(missed + lateness(bracket) - rawNs) };
}

const lateness = ({ latenessMs }: Pick<Bracket, 'latenessMs'>): bigint => BigInt(Math.ceil(latenessMs)) * NS_PER_MS;

/**
 * What a stall of one rank lies between. Undefined for other findings, where no peer's wait for it has a time, and where the rank surely did
 * something after all that: then it is another story than a stall there.
 */
export function stallBracket(finding: Finding, facts: Facts): Bracket | undefined {
  const [rank] = finding.firstRanks;
  if (finding.stage !== 'straggler' || finding.firstRanks.length !== 1 || rank === undefined) return undefined;
  const attempt = finding.attempt ?? 0;
  const signs = signsOfLife(rank, attempt, facts).sort((a, b) => ascending(a.rawNs, b.rawNs));
  const last = signs.at(-1);
  const from = signs.some(({ clock }) => clock !== last?.clock) ? undefined : last;
  const until = firstMissed(from?.clock, callsWithout(rank, attempt, facts), facts);
  if (until === undefined) return undefined;
  const bracket = { from, until, latenessMs: usualStepMs(attempt, facts) };
  const latest = from === undefined ? undefined : latestOn(from.clock, until, facts);
  return from !== undefined && latest !== undefined && latest + lateness(bracket) < from.rawNs ? undefined : bracket;
}

/** The earliest as seen on `clock`; where nothing relates any of them to it, the earliest of the lowest rank. */
function firstMissed(clock: string | undefined, calls: readonly BracketEnd[], facts: Facts): BracketEnd | undefined {
  const seen = calls.flatMap((call) => {
    const ns = clock === undefined ? undefined : latestOn(clock, call, facts);
    return ns === undefined ? [] : [{ call, ns }];
  });
  if (seen.length > 0) return seen.reduce((a, b) => (b.ns < a.ns ? b : a)).call;
  const [lowest] = calls.map((call) => call.rank ?? 0).sort((a, b) => a - b);
  return calls
    .filter((call) => (call.rank ?? 0) === lowest)
    .reduce<BracketEnd | undefined>((a, b) => (a === undefined || b.rawNs < a.rawNs ? b : a), undefined);
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** What the rank surely did itself before it stalled: told steps, operations that it began, calls that it recorded. */
function signsOfLife(rank: number, attempt: number, facts: Facts): BracketEnd[] {
  const life = lifeOf(facts.lifeLines, rank, attempt);
  const told = [life?.started, life?.ready, life?.lastProgress, ...(life?.openOperations ?? [])].flatMap((placed) => {
    const rawNs = placed === undefined ? undefined : wallNs(placed);
    return placed === undefined ||
      rawNs === undefined ||
      placed.clock === undefined ||
      placed.event.stamp?.zoneAssumed === true
      ? []
      : [{ text: signWords(placed), source: placed.event.source, rank, rawNs, clock: placed.clock }];
  });
  const clock = clockOfRank(rank, attempt, facts) ?? told[0]?.clock;
  const recorded = facts.collectives.groups.flatMap((group) =>
    group.members.flatMap(({ rank: member, newest }) =>
      member === rank && newest?.createdNs !== undefined && clock !== undefined
        ? [{ text: callWords(newest, group), source: newest.source, rank, rawNs: newest.createdNs, clock }]
        : [],
    ),
  );
  return [...told, ...recorded];
}

/** `step 30`, `the begin of the checkpoint`: what of the line is meant; the line itself is one click away. */
function signWords({ event: { body, text } }: PlacedEvent): string {
  if (body.kind === 'progress' && body.step !== undefined) return `step ${body.step}`;
  return `its line "${quoteInside(text, 60)}"`;
}

const callWords = ({ op, seq }: CallView, { name, desc }: { readonly name: string; readonly desc: string }): string =>
  `${op} #${seq} of ${desc === '' ? name : desc}`;

/** Calls in which others wait for the rank, and waits of others that ran out, by their begin. */
function callsWithout(rank: number, attempt: number, facts: Facts): BracketEnd[] {
  const { collectives, events } = facts;
  const recorded = collectives.waits
    .filter((wait) => wait.for.includes(rank))
    .flatMap((wait) => {
      const group = collectives.groups.find(({ id }) => id === wait.group);
      const call = group?.members.find((one) => one.rank === wait.rank)?.waitsIn;
      const rawNs = call?.createdNs;
      const clock = clockOfRank(wait.rank, attempt, facts);
      return group === undefined || call === undefined || rawNs === undefined || clock === undefined
        ? []
        : [{ text: callWords(call, group), source: call.source, rank: wait.rank, rawNs, clock }];
    });
  const timeouts = eventsOf(events, 'gloo-timeout').flatMap((placed) => {
    const ns = wallNs(placed);
    const limit = placed.event.body.ms;
    if (ns === undefined || limit === undefined || placed.clock === undefined || placed.attempt !== attempt) return [];
    if (placed.rank === undefined || placed.rank === rank || placed.event.stamp?.zoneAssumed === true) return [];
    return [
      {
        text: `the wait that ran out after ${limit} ms`,
        source: placed.event.source,
        rank: placed.rank,
        rawNs: epochNs(ns - BigInt(limit) * NS_PER_MS),
        clock: placed.clock,
      },
    ];
  });
  return [...recorded, ...timeouts];
}

/** The id of a node's clock is the node's name; where that is unknown, the Pod's. */
function clockOfRank(rank: number, attempt: number, { rankMap }: Facts): string | undefined {
  const place = placeOf(rankMap, rank, attempt);
  return place?.node ?? place?.pod;
}

/** The latest that an instant of another clock may be on this one. */
function latestOn(
  clock: string,
  instant: { readonly rawNs: EpochNs; readonly clock: string },
  { clocks }: Facts,
): bigint | undefined {
  const offset = offsetBetween(clocks, clock, instant.clock);
  if (offset === undefined || !Number.isFinite(offset.high)) return undefined;
  return instant.rawNs + BigInt(Math.ceil(offset.high * 1e6));
}

/** The longest pause between two told steps of one rank: the job's own measure of how far apart its ranks may be. */
function usualStepMs(attempt: number, { events, lifeLines }: Facts): number {
  let longest = 0;
  for (const life of lifeLines) {
    if (life.attempt !== attempt) continue;
    const steps = eventsOfRank(events, life.rank)
      .filter((placed) => placed.event.body.kind === 'progress' && placed.attempt === attempt)
      .flatMap((placed) => wallNs(placed) ?? [])
      .sort(ascending);
    steps.forEach((ns, index) => {
      const before = steps[index - 1];
      if (before !== undefined) longest = Math.max(longest, Number((ns - before) / NS_PER_MS));
    });
  }
  return Math.max(USUAL_LATENESS_MS, longest);
}
