/** Point-to-point calls of recorder dumps as evidence: which are paired, and what their ends say. */
import type { DumpView } from '../../collectives/dump-view.ts';
import type { Group } from '../../collectives/groups.ts';
import type { EvidenceTable } from './evidence-table.ts';
import type { RecorderInput } from './recorder.ts';
import { reduceTransfers, type Transfer } from './reduce-group.ts';
import { type Post, pairTransfers } from './transfers.ts';

/** Posts looked at for one pair of ranks: the newest ones. */
const MAX_POSTS = 400;

/** Sends and receives between ranks of different clocks, in groups whose members are known. */
export function addTransfers(
  table: EvidenceTable,
  groups: readonly Group[],
  input: Pick<RecorderInput, 'clockOf' | 'troubleOf'>,
): number {
  let operations = 0;
  const locals = localsByRank(groups);
  for (const group of groups) {
    if (!group.membersKnown || !group.members.some(({ local }) => (local?.p2pRows.length ?? 0) > 0)) continue;
    const calls = new Map<number, Transfer['sender']>();
    for (const { rank, view, local } of group.members) {
      const clock = input.clockOf(rank, view.dump);
      const domain = table.indexOf(clock);
      if (clock === undefined || domain === undefined || local === undefined) continue;
      calls.set(rank, { domain, ...timesOf(table, view, local.p2pRows, input.troubleOf(clock)) });
    }
    const apart = (a: number, b: number): boolean =>
      calls.has(a) && calls.has(b) && calls.get(a)?.domain !== calls.get(b)?.domain;
    const transfers = pairTransfers(group, (a, b) => postsOf(locals, a, b), apart).flatMap((pair): Transfer[] => {
      const [sender, receiver] = [calls.get(pair.sender), calls.get(pair.receiver)];
      return sender === undefined || receiver === undefined
        ? []
        : [{ sender, sent: pair.sent, receiver, received: pair.received }];
    });
    if (transfers.length === 0) continue;
    const why = `transfers of group ${group.id}: sent before they were received`;
    const label = table.label({ kind: 'transfer', why, source: group.members[0]?.view.dump.source });
    operations += reduceTransfers(table.builder, transfers, label);
  }
  return operations;
}

function timesOf(
  table: EvidenceTable,
  { dump }: DumpView,
  rows: Int32Array,
  trouble: bigint | undefined,
): Pick<Transfer['sender'], 'created' | 'completed'> {
  const { createdNs, completedNs } = dump.columns;
  const cut = trouble === undefined ? Infinity : (table.relative(trouble) ?? Infinity);
  const time = (ns: bigint | undefined): number =>
    ns === undefined || ns === 0n ? Number.NaN : (table.relative(ns) ?? Number.NaN);
  return {
    created: Float64Array.from(rows, (row) => time(createdNs[row])),
    completed: Float64Array.from(rows, (row) => {
      const at = time(completedNs[row]);
      return at >= cut ? Number.NaN : at;
    }),
  };
}

type Locals = ReadonlyMap<Group, NonNullable<Group['members'][number]['local']>>;

function localsByRank(groups: readonly Group[]): ReadonlyMap<number, Locals> {
  const found = new Map<number, Map<Group, NonNullable<Group['members'][number]['local']>>>();
  for (const group of groups) {
    for (const { rank, local } of group.members) {
      if (local === undefined) continue;
      found.set(rank, (found.get(rank) ?? new Map()).set(group, local));
    }
  }
  return found;
}

/** Collectives that both ranks hold. */
function postsOf(locals: ReadonlyMap<number, Locals>, a: number, b: number): readonly Post[] {
  const posts: Post[] = [];
  for (const [group, left] of locals.get(a) ?? []) {
    const right = locals.get(b)?.get(group);
    if (right === undefined) continue;
    const rowOf = new Map(Array.from(right.seqs, (seq, i) => [seq, right.rows[i] ?? -1]));
    const from = Math.max(0, left.seqs.length - MAX_POSTS);
    for (let i = from; i < left.seqs.length; i++) {
      const seq = left.seqs[i] ?? -1;
      const [own, other] = [left.rows[i], rowOf.get(seq)];
      if (seq >= 0 && own !== undefined && other !== undefined)
        posts.push({
          rowOf: new Map([
            [a, own],
            [b, other],
          ]),
        });
    }
  }
  return posts;
}
