/** Single pieces of evidence for the zone of a stream: how far a written stamp is from the true moment of the same thing. */
import type { LogEvent } from '../../../model/events.ts';
import type { FlightRecorderDump } from '../../../model/flight-recorder.ts';
import type { SourceRef } from '../../../model/source-ref.ts';
import { resolveDumpRanks } from '../../collectives/dump-ranks.ts';
import { lacksZone, type Part } from './parts.ts';

export interface Anchor {
  readonly kind: 'same-line' | 'call';
  /** Written minus true, ns: the zone, less what the one is later than the other. */
  readonly differenceNs: bigint;
  readonly source: SourceRef;
}

/** Copies of one line on clocks further apart than this are no copies, ns. */
const COPY_SPREAD_NS = 120_000_000_000n;

interface Copy {
  readonly rank: number | undefined;
  readonly trueNs: bigint;
}

/**
 * Lines that carry both stamps, and lines without a runtime's stamp whose copy has one: same text and same written stamp. A text
 * that several processes printed in the same instant is told apart by its rank, else not used.
 */
export function lineAnchors(
  events: readonly LogEvent[],
  partOf: (event: LogEvent) => Part | undefined,
  anchors: ReadonlyMap<Part, Anchor[]>,
): void {
  const copies = new Map<string, Copy[]>();
  for (const { stamp, innerStamp, text, rank } of events) {
    if (stamp === undefined || stamp.zoneAssumed || stamp.kind === 'boot' || !lacksZone(innerStamp)) continue;
    const key = `${innerStamp.ns} ${text}`;
    const known = copies.get(key) ?? [];
    copies.set(key, known);
    known.push({ rank, trueNs: stamp.ns });
  }
  if (copies.size === 0) return;
  for (const event of events) {
    if (!lacksZone(event.stamp)) continue;
    const part = partOf(event);
    const written = event.stamp.ns;
    const found = (copies.get(`${written} ${event.text}`) ?? []).filter(
      ({ rank }) => rank === undefined || event.rank === undefined || rank === event.rank,
    );
    const [first] = found;
    if (part === undefined || first === undefined) continue;
    if (found.some(({ trueNs }) => abs(trueNs - first.trueNs) > COPY_SPREAD_NS)) continue;
    anchors.get(part)?.push({ kind: 'same-line', differenceNs: written - first.trueNs, source: event.source });
  }
}

/** Timeout lines whose call stands in the dump of the same rank. */
export function callAnchors(
  dumps: readonly FlightRecorderDump[],
  parts: readonly Part[],
  anchors: ReadonlyMap<Part, Anchor[]>,
): void {
  const byRank = new Map<number, FlightRecorderDump | null>();
  // A name that the dump's own groups contradict is not believed.
  for (const { dump, rank } of resolveDumpRanks(dumps, undefined).ranked) {
    // Two dumps of one rank: which attempt a line belongs to is not decided here.
    if (rank !== undefined) byRank.set(rank, byRank.has(rank) ? null : dump);
  }
  for (const part of parts) {
    for (const { body, rank, stamp, source } of part.events) {
      if (body.kind !== 'collective-timeout' || body.seq === undefined || body.ranMs === undefined) continue;
      if (rank === undefined || stamp === undefined) continue;
      const created = createdOf(byRank.get(rank) ?? undefined, body);
      if (created === undefined) continue;
      const enqueued = stamp.ns - BigInt(Math.round(body.ranMs * 1e6));
      anchors.get(part)?.push({ kind: 'call', differenceNs: enqueued - created, source });
    }
  }
}

type Timeout = Extract<LogEvent['body'], { kind: 'collective-timeout' }>;

/** The one call of that number and operation in the group that the line names; undefined if there are none or several. */
function createdOf(dump: FlightRecorderDump | undefined, { seq, op, group }: Timeout): bigint | undefined {
  if (dump === undefined) return undefined;
  const { columns, strings } = dump;
  const wanted = plain(op);
  let found: bigint | undefined;
  for (let i = 0; i < columns.length; i++) {
    if (columns.collectiveSeq[i] !== seq || columns.isP2p[i] === 1) continue;
    if (plain(strings[columns.op[i] ?? -1] ?? '') !== wanted) continue;
    const [name, desc] = [strings[columns.groupName[i] ?? -1], strings[columns.groupDesc[i] ?? -1]];
    if (group?.guid !== undefined && group.guid !== name) continue;
    if (group?.guid === undefined && group?.desc !== undefined && group.desc !== desc) continue;
    const ns = columns.createdNs[i] ?? 0n;
    if (ns <= 0n || (found !== undefined && found !== ns)) return undefined;
    found = ns;
  }
  return found;
}

/** `ALLREDUCE`, `_ALLGATHER_BASE` and `nccl:all_reduce`, `nccl:_all_gather_base` in one spelling. */
const plain = (op: string): string =>
  op
    .slice(op.indexOf(':') + 1)
    .toLowerCase()
    .replace(/[^a-z]/g, '');

const abs = (ns: bigint): bigint => (ns < 0n ? -ns : ns);
