/**
 * Set-ups that no member leaves before all have begun them: torchrun's rendezvous, and torch's barrier over the store.
 *
 *   begun by i  ≤  over for j        for all i, j of one round, both ways
 *
 * Rendezvous (torch 2.13, and before it by other means). An agent writes "Rendezvous'ing worker group" before it joins. A round of the
 * dynamic kind is complete only when all its members have joined; with the static kind each agent then stores what it is, the first one
 * reads that of all and only then stores the ranks that the others wait for. "Rendezvous complete" stands behind both.
 *
 * Store barrier. A rank adds itself to a counter, writes "Added key", and writes "Completed" when the counter has reached the size.
 *
 * Nothing of it is guaranteed:
 * - a runtime stamps a line when it reads it, so a beginning may be written later than another member's end ("Added key" even follows
 *   its own act); the margin below is for that;
 * - one store serves several rounds: address and size do not tell the first from the second where a log has lost its beginning;
 * - TORCH_ELASTIC_WORKER_IDENTICAL takes the exchange of ranks out of the static kind, and no line tells of it.
 *
 * Not used: connections to the store (a client may be late without limit, and which process holds the store is not written), and lines
 * of lost connections, which bound nothing from the other side.
 */
import type { PlacedEvent } from '../../../model/facts.ts';
import type { SourceRef } from '../../../model/source-ref.ts';
import type { EvidenceTable } from './evidence-table.ts';

/** What a beginning may be stamped too late, ns. Chosen: an unbuffered line reaches its runtime within a few ms. */
const LATE_NS = 50_000_000n;

interface Member {
  readonly clock: string;
  /** Undefined if the log does not hold it. */
  begun: bigint | undefined;
  over: bigint | undefined;
}

interface Round {
  readonly why: string;
  readonly source: SourceRef;
  readonly members: Member[];
}

/** Events by path, then position; those on clocks that are not in the table are passed over. */
export function addSetUps(table: EvidenceTable, events: readonly PlacedEvent[]): void {
  const seen = events.filter(isUsable);
  for (const round of [...rendezvousRounds(seen), ...storeBarriers(seen)]) addRound(table, round);
}

type Usable = PlacedEvent & { readonly clock: string };

function isUsable(placed: PlacedEvent): placed is Usable {
  const { stamp, body } = placed.event;
  if (placed.clock === undefined || stamp === undefined || stamp.zoneAssumed) return false;
  if (stamp.kind === 'boot' || stamp.kind === 'api') return false;
  return body.kind === 'set-up-begun' || body.kind === 'set-up-over' || body.kind === 'rendezvous-result';
}

/** A beginning as early as it may have been, an end as late. */
function begunAt({ event: { stamp } }: Usable, writtenBefore: boolean): bigint {
  const late = writtenBefore && stamp?.kind !== 'runtime' ? 0n : LATE_NS;
  return (stamp?.ns ?? 0n) - late;
}
const overAt = ({ event: { stamp } }: Usable): bigint =>
  (stamp?.ns ?? 0n) + BigInt(Math.ceil(stamp?.resolutionNs ?? 0));

/** Rounds by store and size. A store that a member shows several rounds of is used only if all show as many. */
function rendezvousRounds(events: readonly Usable[]): readonly Round[] {
  const begun = new Map<unknown, bigint>();
  const byKey = new Map<string, { readonly streams: Map<unknown, Member[]>; readonly source: SourceRef }>();
  for (const placed of events) {
    const { body, source } = placed.event;
    const stream = placed.stream ?? `${placed.clock} ${source.entry}`;
    if (body.kind === 'set-up-begun' && body.what === 'rendezvous') begun.set(stream, begunAt(placed, true));
    if (body.kind !== 'rendezvous-result' || body.round === undefined) continue;
    const found = byKey.get(body.round) ?? { streams: new Map<unknown, Member[]>(), source };
    byKey.set(body.round, found);
    const list = found.streams.get(stream) ?? [];
    found.streams.set(stream, list);
    list.push({ clock: placed.clock, begun: begun.get(stream), over: overAt(placed) });
    begun.delete(stream);
  }
  return sorted(byKey).flatMap(([key, { streams, source }]) => {
    const lists = [...streams.values()];
    const count = lists[0]?.length ?? 0;
    if (lists.some(({ length }) => length !== count)) return [];
    const why = `the rendezvous at ${key} agents: begun by all before it was complete for any`;
    return Array.from(
      { length: count },
      (_, i): Round => ({
        why,
        source,
        members: lists.flatMap((list) => list[i] ?? []),
      }),
    );
  });
}

function storeBarriers(events: readonly Usable[]): readonly Round[] {
  const byKey = new Map<string, Round & { readonly ofRank: Map<number, Member> }>();
  for (const placed of events) {
    const { body, source } = placed.event;
    if (body.kind !== 'set-up-over' && !(body.kind === 'set-up-begun' && body.what === 'store-barrier')) continue;
    if (body.key === undefined || placed.rank === undefined) continue;
    const key = `${placed.attempt} ${body.key}`;
    const why = `the store barrier ${body.key}: begun by all before it was over for any`;
    const round = byKey.get(key) ?? { why, source, members: [], ofRank: new Map<number, Member>() };
    byKey.set(key, round);
    const member = round.ofRank.get(placed.rank) ?? { clock: placed.clock, begun: undefined, over: undefined };
    if (!round.ofRank.has(placed.rank)) round.members.push(member);
    round.ofRank.set(placed.rank, member);
    if (body.kind === 'set-up-begun') member.begun = begunAt(placed, false);
    else member.over = overAt(placed);
  }
  return sorted(byKey).map(([, round]) => round);
}

/** One likely operation: the latest beginning and the earliest end of each clock. */
function addRound(table: EvidenceTable, { why, source, members }: Round): void {
  const rows = new Map<string, { low: number; high: number }>();
  for (const { clock, begun, over } of members) {
    if (table.indexOf(clock) === undefined) continue;
    const row = rows.get(clock) ?? { low: -Infinity, high: Infinity };
    rows.set(clock, row);
    row.low = Math.max(row.low, begun === undefined ? -Infinity : (table.relative(begun) ?? -Infinity));
    row.high = Math.min(row.high, over === undefined ? Infinity : (table.relative(over) ?? Infinity));
  }
  const list = sorted(rows);
  if (list.length < 2 || list.every(([, { low }]) => low === -Infinity)) return;
  table.builder.begin(table.label({ kind: 'set-up', why, source }));
  for (const [clock, { low, high }] of list)
    table.builder.row(table.indexOf(clock) ?? 0, -Infinity, Infinity, low, high);
}

const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
