/** The calls of one member of a group as numbers, so that members are compared without looking at their text again. */
import { type CallKey, callKey } from './calls.ts';
import type { Member } from './groups.ts';

/** Keys of calls, each once for the whole case. */
export class CallKeys {
  private readonly ids = new Map<string, number>();
  readonly keys: CallKey[] = [];

  id(key: CallKey): number {
    const text = `${key.op}\n${key.sizes}\n${key.dtypes}`;
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const next = this.keys.length;
    this.ids.set(text, next);
    this.keys.push(key);
    return next;
  }

  /** Key of several calls of one coalesced launch. */
  join(a: number, b: number): number {
    const [left, right] = [this.keys[a], this.keys[b]];
    if (left === undefined || right === undefined) return a;
    const plus = (x: string, y: string): string => `${x}+${y}`;
    return this.id({
      op: plus(left.op, right.op),
      sizes: plus(left.sizes, right.sizes),
      dtypes: plus(left.dtypes, right.dtypes),
    });
  }
}

/** One member's calls: sequence numbers ascending, their key and first row. */
export interface Column {
  readonly member: Member;
  readonly seqs: number[];
  readonly keys: number[];
  readonly rows: number[];
}

/** Per dump: `known` is the key by the row's own columns, so that equal calls are looked at once. */
export function columnOf(member: Member, keys: CallKeys, known: Map<string, number>): Column {
  const out: Column = { member, seqs: [], keys: [], rows: [] };
  const { local, view } = member;
  if (local === undefined) return out;
  const c = view.dump.columns;
  for (let i = 0; i < local.rows.length; i++) {
    const row = local.rows[i] ?? 0;
    const seq = local.seqs[i] ?? -1;
    if (seq < 0) continue;
    const text = `${c.op[row]},${c.inputSizes[row]},${c.outputSizes[row]},${c.inputDtypes[row]},${c.outputDtypes[row]}`;
    let id = known.get(text);
    if (id === undefined) {
      id = keys.id(callKey(view.dump, row));
      known.set(text, id);
    }
    const last = out.seqs.length - 1;
    const before = out.seqs[last];
    if (before === seq) out.keys[last] = keys.join(out.keys[last] ?? id, id);
    else if (before === undefined || seq > before) {
      out.seqs.push(seq);
      out.keys.push(id);
      out.rows.push(row);
    }
  }
  return out;
}
