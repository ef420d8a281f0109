/**
 * Whether a job still made progress when its bundle was taken. A log that ends in mid-run looks the same for a job that goes on and for one
 * that has just begun to hang; what tells them apart is the moment of the taking, by a clock that the last step was stamped by.
 *
 * Every stamp in the bundle says "not taken before". Only a lease bounds the taking from both sides: the kubelet renews it every ten
 * seconds as long as the node lives, so it was read at most that long after the time that stands in it.
 */
import type { PlacedEvent } from '../../../model/facts.ts';
import type { Evidence } from '../../../model/finding.ts';
import type { IncidentInput } from '../../../model/incident.ts';
import type { SourceRef } from '../../../model/source-ref.ts';
import { type EpochNs, NS_PER_MS } from '../../../model/time.ts';
import { wallNs } from './order.ts';

/** Period in which a kubelet renews its node's lease (a quarter of its 40 s). A lease is this old at most when it is read. */
const RENEWAL_MS = 10_000;
/** Fewer told steps show no rhythm. */
const FEWEST_STEPS = 3;
/**
 * The pause that the last one may be as long as: the longest told so far, three times, for none of those before may have held an evaluation or a
 * checkpoint. Chosen, not measured.
 */
const TIMES = 3;
/** Steps that go on for longer than this after a lease was written show that the logs were read later, at an unknown time. Chosen, not measured. */
const COLLECTED_WITHIN_MS = 60_000;

/** What a clock shows at last. */
interface Moment {
  readonly ns: EpochNs;
  /** Completes "… by". */
  readonly what: string;
  readonly source: SourceRef;
}

/**
 * - `went-on`  the last step is no longer before (or after) a renewal of the lease of its node than steps are apart
 * - `stood`    the same clock shows a moment much later than its last step
 * - `unknown`  neither
 */
export interface Progress {
  readonly how: 'went-on' | 'stood' | 'unknown';
  readonly last: PlacedEvent;
  /** Where `how` is not `unknown`: what the last step was compared with, and how long after it that was, ms. */
  readonly against?: { readonly moment: Evidence; readonly what: string; readonly ms: number };
  /** Longest pause between two steps of the same teller, ms; undefined if it told too few. */
  readonly usualMs: number | undefined;
}

/** Progress of the job by all who told of steps: `stood` if anybody's steps ended early. Undefined if nobody told of any. */
export function progressAtTaking(
  steps: readonly PlacedEvent[],
  events: readonly PlacedEvent[],
  input: Pick<IncidentInput, 'leases' | 'nodes' | 'kubeEvents' | 'streams'>,
): Progress | undefined {
  const moments = lastMoments(events, input);
  const byTeller = new Map<string, PlacedEvent[]>();
  for (const step of steps) {
    const key = `${step.rank ?? ''}/${step.pod ?? ''}/${step.clock ?? ''}`;
    const told = byTeller.get(key);
    if (told === undefined) byTeller.set(key, [step]);
    else told.push(step);
  }
  const tellers = [...byTeller]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, told]) => progressOf(told, moments, input));
  return (
    tellers.find(({ how }) => how === 'stood') ??
    tellers.find(({ how }) => how === 'went-on') ??
    tellers.reduce<Progress | undefined>(
      (best, one) => (best === undefined || isLater(one, best) ? one : best),
      undefined,
    )
  );
}

function progressOf(
  told: readonly PlacedEvent[],
  moments: ReadonlyMap<string, Moment>,
  input: Pick<IncidentInput, 'leases'>,
): Progress {
  const last = latest(told);
  const usualMs = longestPauseMs(told);
  const at = wallNs(last);
  if (at === undefined || last.clock === undefined || !isZoned(last)) return { how: 'unknown', last, usualMs };
  const longest = Math.max(RENEWAL_MS, TIMES * (usualMs ?? 0));
  const moment = moments.get(last.clock);
  const compared = (how: 'went-on' | 'stood', { ns, what, source }: Moment): Progress => {
    const ms = Number((ns - at) / NS_PER_MS);
    const evidence = { text: '', source, rank: undefined, rawNs: ns, clock: last.clock };
    return { how, last, usualMs, against: { moment: evidence, what, ms } };
  };
  if (moment !== undefined && Number((moment.ns - at) / NS_PER_MS) > longest)
    return usualMs === undefined ? { how: 'unknown', last, usualMs } : compared('stood', moment);
  const lease = input.leases.find(({ node, renewTime }) => node === last.clock && renewTime !== undefined);
  if (lease?.renewTime === undefined) return { how: 'unknown', last, usualMs };
  if (Number((at - lease.renewTime) / NS_PER_MS) > COLLECTED_WITHIN_MS) return { how: 'unknown', last, usualMs };
  return compared('went-on', { ns: lease.renewTime, what: LEASE, source: lease.source });
}

const LEASE = 'the lease of its node';

const isZoned = ({ event }: PlacedEvent): boolean => event.stamp?.zoneAssumed === false;

/** By stamp where there are stamps of one clock, else the last in the given order. */
function latest(steps: readonly PlacedEvent[]): PlacedEvent {
  return steps.reduce((best, step) => {
    const [a, b] = [wallNs(best), wallNs(step)];
    return a !== undefined && b !== undefined && a > b ? best : step;
  });
}

/** Of two on one clock the one with the later step, else the first. */
function isLater(one: Progress, than: Progress): boolean {
  const [a, b] = [wallNs(one.last), wallNs(than.last)];
  return a !== undefined && b !== undefined && one.last.clock === than.last.clock && a > b;
}

function longestPauseMs(steps: readonly PlacedEvent[]): number | undefined {
  const told = steps.flatMap((step) => wallNs(step) ?? []).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (told.length < FEWEST_STEPS) return undefined;
  return told.slice(1).reduce((most, ns, index) => Math.max(most, Number((ns - (told[index] ?? ns)) / NS_PER_MS)), 0);
}

/** The latest moment that the bundle shows on each node's clock. */
function lastMoments(
  events: readonly PlacedEvent[],
  { leases, nodes, kubeEvents, streams }: Pick<IncidentInput, 'leases' | 'nodes' | 'kubeEvents' | 'streams'>,
): ReadonlyMap<string, Moment> {
  const last = new Map<string, Moment>();
  const put = (clock: string | undefined, ns: EpochNs | undefined, what: string, source: SourceRef) => {
    const known = clock === undefined ? undefined : last.get(clock);
    if (clock === undefined || ns === undefined || (known !== undefined && known.ns >= ns)) return;
    last.set(clock, { ns, what, source });
  };
  for (const { node, renewTime, source } of leases) put(node, renewTime, LEASE, source);
  for (const { name, conditions, source } of nodes)
    for (const { heartbeat } of conditions) put(name, heartbeat, 'the heartbeat of its node', source);
  for (const { host, component, last: at, source } of kubeEvents)
    if (component === 'kubelet') put(host, at, 'an event that its kubelet wrote', source);
  const clocks = new Map(events.map(({ stream, clock }) => [stream, clock]));
  // The time above a reading may be that of whoever asked.
  for (const placed of events)
    if (isZoned(placed) && placed.event.body.kind !== 'host-state')
      put(placed.clock, wallNs(placed), 'a later line', placed.event.source);
  for (const stream of streams) {
    const end = stream.newestFirst === true ? stream.first : stream.last;
    if (end?.stamp.zoneAssumed === false && end.stamp.kind !== 'boot')
      put(clocks.get(stream), end.stamp.ns, 'a later line', end.source);
  }
  return last;
}
