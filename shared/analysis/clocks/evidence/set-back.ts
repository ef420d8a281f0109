/**
 * A clock that was set back shows inside its own ranks' rows, without any other clock: a later call was created earlier, or
 * a call was over before it was created. No delay can do that.
 *
 *   created    10.0  10.2  10.4 │ 8.6  8.8        set back by about 2 s between the third and the fourth call
 *   completed  10.3  10.5   8.5 │ 8.9  9.1
 */
import type { MemberCalls } from './reduce-group.ts';

export interface SetBack {
  readonly domain: number;
  /** How far, ns; at least what was seen to fall. */
  readonly sizeNs: number;
  /** Last stamp before and first stamp after it, on that clock. */
  readonly afterNs: number;
  readonly beforeNs: number;
}

/** Smaller falls are the order in which threads write, ns. */
const MIN_FALL_NS = 2e6;

interface Fall extends SetBack {
  /** Number of the last call that lies before it, or across it. */
  readonly number: number;
}

/** What was set back, and the members without the rows that lie before it. One rank alone of several proves nothing. */
export function withoutSetBacks(members: readonly MemberCalls[]): {
  readonly kept: readonly MemberCalls[];
  readonly setBacks: readonly SetBack[];
} {
  const falls = members.map(lastFall);
  if (falls.every((fall) => fall === undefined)) return { kept: members, setBacks: [] };
  const last = new Map<number, Fall>();
  const setBacks: SetBack[] = [];
  for (const domain of new Set(members.map((member) => member.domain))) {
    const own = falls.filter((_, i) => members[i]?.domain === domain);
    const found = own.filter((fall) => fall !== undefined);
    const [first] = found.sort((a, b) => b.sizeNs - a.sizeNs);
    if (first === undefined || 2 * found.length < own.length) continue;
    const number = Math.max(...found.map((fall) => fall.number));
    last.set(domain, { ...first, number });
    const { sizeNs, afterNs, beforeNs } = first;
    setBacks.push({ domain, sizeNs, afterNs, beforeNs });
  }
  const kept = members.map((member) => {
    const fall = last.get(member.domain);
    return fall === undefined ? member : from(member, fall.number);
  });
  return { kept, setBacks };
}

function lastFall({ domain, seq, created, completed }: MemberCalls): Fall | undefined {
  let found: Fall | undefined;
  for (let i = 0; i < seq.length; i++) {
    const [a, b, next] = [created[i] ?? Number.NaN, completed[i] ?? Number.NaN, created[i + 1] ?? Number.NaN];
    const fell = Math.max(a - next || 0, a - b || 0);
    if (fell < MIN_FALL_NS) continue;
    found = { domain, number: seq[i] ?? 0, sizeNs: fell, afterNs: a, beforeNs: a - next >= MIN_FALL_NS ? next : b };
  }
  return found;
}

function from(member: MemberCalls, number: number): MemberCalls {
  let start = 0;
  while (start < member.seq.length && (member.seq[start] ?? 0) <= number) start += 1;
  return {
    ...member,
    seq: member.seq.subarray(start),
    call: member.call.subarray(start),
    barrierLike: member.barrierLike.subarray(start),
    created: member.created.subarray(start),
    completed: member.completed.subarray(start),
    over: member.over.subarray(start),
  };
}
