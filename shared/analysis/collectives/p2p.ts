/**
 * Pairs of send and receive: the k-th send of a direction belongs to the k-th receive of it, whatever their own numbers.
 *
 *   rank 0   send→1 16   send→1 16   send→1 24
 *   rank 1   recv←0 16   recv←0 16   recv←0 16      ← third pair: sizes differ
 *
 * Compared only where both rings lost nothing and both files are whole: else "the k-th" is not known. Two ranks have no majority, so
 * both sides are listed. A difference that both left behind did no harm. O(point-to-point entries).
 */
import type { Divergence } from '../../model/facts.ts';
import { callText, callView, elementCounts } from './calls.ts';
import { type DumpView, STATE_COMPLETED } from './dump-view.ts';
import type { Member } from './groups.ts';
import { endsOf } from './p2p-names.ts';
import type { GroupPositions } from './positions.ts';

interface Operation {
  readonly member: Member;
  readonly row: number;
}

/** The first pair of a group whose ends do not fit; undefined if there is none. */
export function findP2pMismatch(where: GroupPositions): Divergence | undefined {
  const { group } = where;
  if (!group.membersKnown) return undefined;
  const sends = new Map<string, Operation[]>();
  const receives = new Map<string, Operation[]>();
  for (const member of group.members) {
    if (member.local === undefined || !isWhole(member.view)) continue;
    for (const row of member.local.p2pRows) {
      const ends = endsOf(member.view.dump, row);
      if (ends === undefined) continue;
      const into = ends.send ? sends : receives;
      const key = `${ends.from} ${ends.to}`;
      const list = into.get(key);
      if (list === undefined) into.set(key, [{ member, row }]);
      else list.push({ member, row });
    }
  }
  const found = [...sends].flatMap(([key, list]) => firstUnlike(list, receives.get(key) ?? []) ?? []);
  found.sort(
    (a, b) => a.at - b.at || a.send.member.rank - b.send.member.rank || a.receive.member.rank - b.receive.member.rank,
  );
  return found[0] === undefined ? undefined : describe(where, found[0]);
}

const isWhole = (view: DumpView): boolean => view.fromStart && view.dump.truncatedAt === undefined;

interface Pair {
  readonly at: number;
  readonly send: Operation;
  readonly receive: Operation;
  readonly kind: 'size' | 'dtype';
}

function firstUnlike(sends: readonly Operation[], receives: readonly Operation[]): Pair | undefined {
  let found: Pair | undefined;
  for (let at = 0; at < Math.min(sends.length, receives.length); at++) {
    const [send, receive] = [sends[at], receives[at]];
    if (send === undefined || receive === undefined) break;
    const kind = unlike(send, receive);
    if (kind === undefined) {
      if (isDone(send) && isDone(receive)) found = undefined;
    } else found ??= { at, send, receive, kind };
  }
  return found;
}

const isDone = ({ member, row }: Operation): boolean => member.view.dump.columns.state[row] === STATE_COMPLETED;

function unlike(send: Operation, receive: Operation): 'size' | 'dtype' | undefined {
  const [a, b] = [content(send), content(receive)];
  if (a.elements !== b.elements) return 'size';
  return a.dtypes !== '' && b.dtypes !== '' && a.dtypes !== b.dtypes ? 'dtype' : undefined;
}

/** What is sent stands in the inputs, what is received in the outputs; some writers fill one side only. */
function content({ member, row }: Operation): { readonly elements: number; readonly dtypes: string } {
  const { columns: c, shapes, strings } = member.view.dump;
  const input = elementCounts(shapes[c.inputSizes[row] ?? -1]);
  const counts = input.length > 0 ? input : elementCounts(shapes[c.outputSizes[row] ?? -1]);
  return { elements: counts.reduce((sum, count) => sum + count, 0), dtypes: strings[c.inputDtypes[row] ?? -1] ?? '' };
}

function describe(where: GroupPositions, pair: Pair): Divergence {
  const { send, receive } = pair;
  const seqOf = ({ member, row }: Operation): number => member.view.dump.columns.p2pSeq[row] ?? -1;
  const view = (one: Operation) => callView(one.member.view, one.row, seqOf(one), where.endsOnly, undefined);
  const calls = [view(send), view(receive)];
  const [sent, received] = calls.map((call) => callText(call));
  return {
    group: where.group.id,
    seq: seqOf(send),
    kind: pair.kind,
    ranks: [],
    sides: [[send.member.rank], [receive.member.rank]],
    expected: sent ?? '',
    actual: received ?? '',
    agreeing: [],
    calls,
    basis: 'dump',
    why: `transfer ${pair.at + 1} from rank ${send.member.rank} to rank ${receive.member.rank} does not fit: ${sent} against ${received}`,
  };
}
