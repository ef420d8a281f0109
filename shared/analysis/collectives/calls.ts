/** Single calls: what must be equal across ranks for each operation, and how a call is shown. */
import type { CallView } from '../../model/facts.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import { epochNs } from '../../model/time.ts';
import { type DumpView, framesOf, STATE_STARTED, splitOp } from './dump-view.ts';
import { hasEnded } from './positions.ts';

/**
 * Which sizes and types every rank must pass alike:
 * - `both`  inputs and outputs            - `in` / `out`  that side only: the other one matters on the root, or differs by design
 * - `gather` / `scatter`  both, unless the list has unequal tensors (a legal v-form): then the listed side only
 * - `none`  neither (barriers, all-to-all)
 * Operations that are not listed are compared by name alone.
 */
type Rule = 'both' | 'in' | 'out' | 'gather' | 'scatter' | 'none';
const RULES = new Map<string, Rule>([
  ['all_reduce', 'both'],
  ['allreduce', 'both'],
  ['allreduce_coalesced', 'both'],
  ['all_reduce_coalesced', 'both'],
  ['reduce', 'in'],
  ['reduce_oop', 'in'],
  ['broadcast', 'out'],
  ['broadcast_oop', 'out'],
  ['all_gather', 'gather'],
  ['allgather', 'gather'],
  ['all_gather_base', 'gather'],
  ['all_gather_into_tensor', 'gather'],
  ['all_gather_into_tensor_coalesced', 'gather'],
  ['allgather_into_tensor_coalesced', 'gather'],
  ['reduce_scatter', 'scatter'],
  ['reduce_scatter_base', 'scatter'],
  ['reduce_scatter_tensor', 'scatter'],
  ['reduce_scatter_tensor_coalesced', 'scatter'],
  ['gather', 'in'],
  ['scatter', 'out'],
]);

/** Operations that no rank can finish before all have begun. The rooted ones are not among them. */
const SYNCHRONISING = new Set([
  'all_reduce',
  'allreduce',
  'allreduce_coalesced',
  'all_reduce_coalesced',
  'barrier',
  'all_reduce_barrier',
  'all_gather',
  'allgather',
  'all_gather_base',
  'all_gather_into_tensor',
  'all_gather_into_tensor_coalesced',
  'allgather_into_tensor_coalesced',
  'reduce_scatter',
  'reduce_scatter_base',
  'reduce_scatter_tensor',
  'reduce_scatter_tensor_coalesced',
  'all_to_all',
  'alltoall_base',
  'all_to_all_single',
]);

/** Operations that watchdog lines and dumps of all releases call alike, but for capitals and bars. */
const SPELLED_ALIKE = new Set([
  'all_reduce',
  'broadcast',
  'reduce',
  'all_gather',
  'all_gather_base',
  'reduce_scatter',
  'reduce_scatter_base',
  'gather',
  'scatter',
]);

export const plainName = (op: string): string => op.replace(/^_+/, '');
export const isSpelledAlike = (op: string): boolean => SPELLED_ALIKE.has(plainName(op));
export const isSynchronising = (op: string): boolean => SYNCHRONISING.has(plainName(op));
/** True if one rank may leave the operation, or fail in it, while others are still inside: broadcast, reduce, gather, scatter. */
export const isRooted = (op: string): boolean => /^(?:broadcast|reduce|gather|scatter)(?:_oop)?$/.test(plainName(op));
/** True if the number of input elements must be the same on every rank (used for log lines, which print no shapes). */
export const inputsMustAgree = (op: string): boolean => {
  const rule = RULES.get(plainName(op));
  return rule === 'both' || rule === 'in' || rule === 'gather' || rule === 'scatter';
};
/** True if the number of output elements must be the same on every rank. */
export const outputsMustAgree = (op: string): boolean => {
  const rule = RULES.get(plainName(op));
  return rule === 'both' || rule === 'out' || rule === 'gather' || rule === 'scatter';
};

/**
 * How many members a group has by the sizes of one call: what all gather is as often the input as there are members, what is scattered
 * the other way round. Undefined for operations that do not tell, and for sizes that do not divide.
 */
export function membersBySizes(
  op: string,
  numelIn: number | undefined,
  numelOut: number | undefined,
): number | undefined {
  const rule = RULES.get(plainName(op));
  if ((rule !== 'gather' && rule !== 'scatter') || numelIn === undefined || numelOut === undefined) return undefined;
  const [part, whole] = rule === 'gather' ? [numelIn, numelOut] : [numelOut, numelIn];
  return part > 0 && whole > part && whole % part === 0 ? whole / part : undefined;
}

/** Elements of each tensor of `[[2,3],[]]`: `[6,1]`. */
export function elementCounts(shapes: string | undefined): readonly number[] {
  if (shapes === undefined || shapes.length <= 2) return [];
  return shapes
    .slice(2, -2)
    .split('],[')
    .map((tensor) => (tensor === '' ? 1 : tensor.split(',').reduce((product, size) => product * Number(size), 1)));
}

/** What has to agree about a call, as three texts: operation, element counts, element types. */
export interface CallKey {
  readonly op: string;
  readonly sizes: string;
  readonly dtypes: string;
}

export function callKey(dump: FlightRecorderDump, row: number): CallKey {
  const { columns: c, strings, shapes } = dump;
  const { op } = splitOp(strings[c.op[row] ?? -1] ?? '');
  const rule = RULES.get(plainName(op)) ?? 'none';
  const known = (c.inputSizes[row] ?? -1) >= 0 || (c.outputSizes[row] ?? -1) >= 0;
  if (rule === 'none' || !known) return { op, sizes: '', dtypes: '' };
  const inputs = elementCounts(shapes[c.inputSizes[row] ?? -1]);
  const outputs = elementCounts(shapes[c.outputSizes[row] ?? -1]);
  const useIn = rule !== 'out' && !(rule === 'gather' && unequal(outputs));
  const useOut = rule !== 'in' && !(rule === 'scatter' && unequal(inputs));
  return {
    op,
    sizes: `${useIn ? inputs.join() : ''}>${useOut ? outputs.join() : ''}`,
    dtypes: `${useIn ? (strings[c.inputDtypes[row] ?? -1] ?? '') : ''}>${useOut ? (strings[c.outputDtypes[row] ?? -1] ?? '') : ''}`,
  };
}

const unequal = (counts: readonly number[]): boolean =>
  counts.length > 1 && counts.some((count) => count !== counts[0]);

/** `all_reduce [[85002]] Float`, `barrier`. */
export function callText(call: Pick<CallView, 'op' | 'inputSizes' | 'outputSizes' | 'dtypes'>): string {
  const empty = (text: string | undefined): boolean => text === undefined || text === '[]' || text === '';
  const sizes = !empty(call.inputSizes) ? call.inputSizes : !empty(call.outputSizes) ? call.outputSizes : undefined;
  const both = rule(call.op) === 'gather' || rule(call.op) === 'scatter';
  const arrow = both && !empty(call.inputSizes) && !empty(call.outputSizes) ? ` → ${call.outputSizes}` : '';
  return `${call.op}${sizes === undefined ? '' : ` ${sizes}${arrow}`}${empty(call.dtypes) || sizes === undefined ? '' : ` ${call.dtypes}`}`;
}
const rule = (op: string): Rule | undefined => RULES.get(plainName(op));

/** A row as evidence. `oldestOpen`: the seq of the rank's oldest unfinished call in this group. */
export function callView(
  view: DumpView,
  row: number,
  seq: number,
  endsOnly: boolean,
  oldestOpen: number | undefined,
): CallView {
  const { dump } = view;
  const { columns: c, strings, shapes } = dump;
  const created = c.createdNs[row] ?? 0n;
  const ended = hasEnded(view, row, endsOnly);
  const waiting = c.state[row] === STATE_STARTED || oldestOpen === undefined || seq <= oldestOpen;
  return {
    rank: view.rank,
    seq,
    op: splitOp(strings[c.op[row] ?? -1] ?? '').op,
    inputSizes: shapes[c.inputSizes[row] ?? -1],
    outputSizes: shapes[c.outputSizes[row] ?? -1],
    dtypes: dtypesOf(strings[c.inputDtypes[row] ?? -1], strings[c.outputDtypes[row] ?? -1]),
    state: ended ? (endsOnly ? 'ended' : 'completed') : waiting ? 'waiting' : 'enqueued',
    createdNs: created === 0n ? undefined : epochNs(created),
    frames: framesOf(view, row),
    source: { kind: 'record', entry: dump.source.entry, record: row },
  };
}

const dtypesOf = (input: string | undefined, output: string | undefined): string | undefined =>
  input !== undefined && input !== '' ? input : output !== undefined && output !== '' ? output : undefined;
