/**
 * The columns of a dump while they are filled, and as they are kept: all in one buffer that can be handed to another thread as it is.
 *
 *   draft      one array a field, as long as it takes
 *   packed     [ createdNs … | opId … | pgId … | state … ]     8-byte fields first; a field that is the same in every row takes no room
 *
 * Half of the fields of a usual dump are the same in every row (no point-to-point numbers, no durations, one time-out): thousands of dumps share
 * one array for each. Nobody may write into columns that were packed.
 */
import type { DumpColumns } from '../../model/flight-recorder.ts';

export interface DraftColumns extends DumpColumns {
  /** The times as 32-bit words, for copies without a bigint a value. */
  readonly words: Record<'createdNs' | 'startedNs' | 'completedNs', Int32Array>;
}

export function makeColumns(length: number): DraftColumns {
  const index = (): Int32Array => new Int32Array(length).fill(-1);
  const numbers = (): Float64Array => new Float64Array(length).fill(-1);
  const createdNs = new BigInt64Array(length);
  const startedNs = new BigInt64Array(length);
  const completedNs = new BigInt64Array(length);
  return {
    length,
    recordId: index(),
    pgId: index(),
    groupName: index(),
    groupDesc: index(),
    collectiveSeq: numbers(),
    p2pSeq: numbers(),
    opId: numbers(),
    op: index(),
    isP2p: new Uint8Array(length),
    createdNs,
    startedNs,
    completedNs,
    durationMs: new Float64Array(length).fill(Number.NaN),
    state: new Uint8Array(length),
    retired: new Uint8Array(length),
    timeoutMs: numbers(),
    inputSizes: index(),
    outputSizes: index(),
    inputDtypes: index(),
    outputDtypes: index(),
    stack: index(),
    extra: index(),
    words: {
      createdNs: new Int32Array(createdNs.buffer),
      startedNs: new Int32Array(startedNs.buffer),
      completedNs: new Int32Array(completedNs.buffer),
    },
  };
}

/** Puts the first `rows` rows back to what `makeColumns` gives. */
export function clearColumns(draft: DraftColumns, rows: number): void {
  for (const column of WIDE_TIMES) draft[column].fill(0n, 0, rows);
  for (const column of NUMBERS) draft[column].fill(column === 'durationMs' ? Number.NaN : -1, 0, rows);
  for (const column of INDICES) draft[column].fill(-1, 0, rows);
  for (const column of FLAGS) draft[column].fill(0, 0, rows);
}

const WIDE_TIMES = ['createdNs', 'startedNs', 'completedNs'] as const;
const NUMBERS = ['collectiveSeq', 'p2pSeq', 'opId', 'durationMs', 'timeoutMs'] as const;
const INDICES = [
  'recordId',
  'pgId',
  'groupName',
  'groupDesc',
  'op',
  'inputSizes',
  'outputSizes',
  'inputDtypes',
  'outputDtypes',
  'stack',
  'extra',
] as const;
const FLAGS = ['isP2p', 'state', 'retired'] as const;
/** The order of the fields in `places` and `values`. */
const FIELDS = [...WIDE_TIMES, ...NUMBERS, ...INDICES, ...FLAGS] as const;
type Field = (typeof FIELDS)[number];

/** Plain data that structured clone takes; `buffer` may be transferred. */
export interface PackedColumns {
  readonly length: number;
  readonly buffer: ArrayBuffer;
  /** By field: offset in `buffer`, -1 = the same value in every row. */
  readonly places: readonly number[];
  /** By field: that value. */
  readonly values: readonly number[];
}

/** Copies the first `length` rows into packed columns. */
export function packColumns(draft: DumpColumns, length: number): DumpColumns {
  const places: number[] = [];
  const values: number[] = [];
  const sameIds = length > 0 && equalNumbers(draft.opId, draft.collectiveSeq, length);
  let size = 0;
  for (const field of FIELDS) {
    const column = draft[field];
    const value = sameValue(column, length);
    values.push(value ?? 0);
    if (value !== undefined) places.push(-1);
    else if (field === 'opId' && sameIds) places.push(places[FIELDS.indexOf('collectiveSeq')] ?? 0);
    else {
      places.push(size);
      size += length * column.BYTES_PER_ELEMENT;
    }
  }
  const buffer = new ArrayBuffer(size);
  const packed = { length, buffer, places, values };
  const target = viewColumns(packed);
  for (const field of WIDE_TIMES) if (isOwn(packed, field)) target[field].set(draft[field].subarray(0, length));
  for (const field of NUMBERS) if (isOwn(packed, field)) target[field].set(draft[field].subarray(0, length));
  for (const field of INDICES) if (isOwn(packed, field)) target[field].set(draft[field].subarray(0, length));
  for (const field of FLAGS) if (isOwn(packed, field)) target[field].set(draft[field].subarray(0, length));
  return target;
}

const isOwn = ({ places }: PackedColumns, field: Field): boolean => (places[FIELDS.indexOf(field)] ?? -1) >= 0;

function equalNumbers(a: Float64Array, b: Float64Array, length: number): boolean {
  for (let row = 0; row < length; row++) if (a[row] !== b[row]) return false;
  return true;
}

/** The value that a column has in every row; undefined if there are several. Times only count where none is known. */
function sameValue(column: DumpColumns[Field], length: number): number | undefined {
  if (length === 0) return 0;
  if (column instanceof BigInt64Array) {
    for (let row = 0; row < length; row++) if (column[row] !== 0n) return undefined;
    return 0;
  }
  const first = column[0] ?? 0;
  if (Number.isNaN(first)) {
    for (let row = 0; row < length; row++) if (!Number.isNaN(column[row])) return undefined;
    return first;
  }
  for (let row = 1; row < length; row++) if (column[row] !== first) return undefined;
  return first;
}

const packedOf = new WeakMap<DumpColumns, PackedColumns>();

/** The columns over a packed buffer; fields that are the same in every row are arrays that other dumps may use, too. */
export function viewColumns(packed: PackedColumns): DumpColumns {
  const { length, buffer, places, values } = packed;
  const at = (field: Field): number => places[FIELDS.indexOf(field)] ?? -1;
  const value = (field: Field): number => values[FIELDS.indexOf(field)] ?? 0;
  const times = (field: (typeof WIDE_TIMES)[number]): BigInt64Array =>
    at(field) < 0 ? noTimes.of(field, length, 0) : new BigInt64Array(buffer, at(field), length);
  const numbers = (field: (typeof NUMBERS)[number]): Float64Array =>
    at(field) < 0 ? sameNumbers.of(field, length, value(field)) : new Float64Array(buffer, at(field), length);
  const indices = (field: (typeof INDICES)[number]): Int32Array =>
    at(field) < 0 ? sameIndices.of(field, length, value(field)) : new Int32Array(buffer, at(field), length);
  const flags = (field: (typeof FLAGS)[number]): Uint8Array =>
    at(field) < 0 ? sameFlags.of(field, length, value(field)) : new Uint8Array(buffer, at(field), length);
  const collectiveSeq = numbers('collectiveSeq');
  const columns: DumpColumns = {
    length,
    recordId: indices('recordId'),
    pgId: indices('pgId'),
    groupName: indices('groupName'),
    groupDesc: indices('groupDesc'),
    collectiveSeq,
    p2pSeq: numbers('p2pSeq'),
    opId: at('opId') >= 0 && at('opId') === at('collectiveSeq') ? collectiveSeq : numbers('opId'),
    op: indices('op'),
    isP2p: flags('isP2p'),
    createdNs: times('createdNs'),
    startedNs: times('startedNs'),
    completedNs: times('completedNs'),
    durationMs: numbers('durationMs'),
    state: flags('state'),
    retired: flags('retired'),
    timeoutMs: numbers('timeoutMs'),
    inputSizes: indices('inputSizes'),
    outputSizes: indices('outputSizes'),
    inputDtypes: indices('inputDtypes'),
    outputDtypes: indices('outputDtypes'),
    stack: indices('stack'),
    extra: indices('extra'),
  };
  packedOf.set(columns, packed);
  return columns;
}

/** What `viewColumns` made these columns of; undefined for columns from elsewhere. */
export const packedColumns = (columns: DumpColumns): PackedColumns | undefined => packedOf.get(columns);

/**
 * Arrays of one value, by length and value. Dumps of one job have the same few. Two fields never share one: what a dump is when it is
 * serialised must not depend on what was read before it.
 */
class SameValues<T> {
  private readonly make: (length: number, value: number) => T;
  private readonly known = new Map<string, T>();

  constructor(make: (length: number, value: number) => T) {
    this.make = make;
  }

  of(field: Field, length: number, value: number): T {
    const key = `${field}/${length}/${value}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const made = this.make(length, value);
    if (length > MAX_SHARED) return made;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(key, made);
    return made;
  }
}
/** Of one kind: they hold 8 MB at most when nobody uses them. */
const MAX_KNOWN = 64;
const MAX_SHARED = 16_384;

const noTimes = new SameValues((length) => new BigInt64Array(length));
const sameNumbers = new SameValues((length, value) => new Float64Array(length).fill(value));
const sameIndices = new SameValues((length, value) => new Int32Array(length).fill(value));
const sameFlags = new SameValues((length, value) => new Uint8Array(length).fill(value));
