/**
 * Columns of dumps that are equal, field by field, are held once. Ranks of one job call the same: of 58 bytes an entry 16 are left, its times.
 *
 *   rank 0   op ┐            createdNs …        every column in memory of its own: what others use keeps
 *   rank 1   op ┴ one array  createdNs …        nothing else of its dump alive
 */
import { Recent, sameItems } from '../../lib/recent.ts';
import type { DumpColumns } from '../../model/flight-recorder.ts';

type Column = Int32Array | Float64Array | BigInt64Array | Uint8Array;

export class ColumnSharing {
  private readonly times: Kept<BigInt64Array>;
  private readonly numbers: Kept<Float64Array>;
  private readonly indices: Kept<Int32Array>;
  private readonly flags: Kept<Uint8Array>;

  /** `most`: columns of each field that are remembered. */
  constructor(most: number) {
    this.times = new Kept(most, (one) => one.slice());
    this.numbers = new Kept(most, (one) => one.slice());
    this.indices = new Kept(most, (one) => one.slice());
    this.flags = new Kept(most, (one) => one.slice());
  }

  /** The same columns, bit by bit; `opId` is `collectiveSeq` where it was before. O(entries) for each field. */
  share(columns: DumpColumns): DumpColumns {
    const { times, numbers, indices, flags } = this;
    const collectiveSeq = numbers.of('collectiveSeq', columns.collectiveSeq);
    return {
      length: columns.length,
      recordId: indices.of('recordId', columns.recordId),
      pgId: indices.of('pgId', columns.pgId),
      groupName: indices.of('groupName', columns.groupName),
      groupDesc: indices.of('groupDesc', columns.groupDesc),
      collectiveSeq,
      p2pSeq: numbers.of('p2pSeq', columns.p2pSeq),
      opId: columns.opId === columns.collectiveSeq ? collectiveSeq : numbers.of('opId', columns.opId),
      op: indices.of('op', columns.op),
      isP2p: flags.of('isP2p', columns.isP2p),
      createdNs: times.of('createdNs', columns.createdNs),
      startedNs: times.of('startedNs', columns.startedNs),
      completedNs: times.of('completedNs', columns.completedNs),
      durationMs: numbers.of('durationMs', columns.durationMs),
      state: flags.of('state', columns.state),
      retired: flags.of('retired', columns.retired),
      timeoutMs: numbers.of('timeoutMs', columns.timeoutMs),
      inputSizes: indices.of('inputSizes', columns.inputSizes),
      outputSizes: indices.of('outputSizes', columns.outputSizes),
      inputDtypes: indices.of('inputDtypes', columns.inputDtypes),
      outputDtypes: indices.of('outputDtypes', columns.outputDtypes),
      stack: indices.of('stack', columns.stack),
      extra: indices.of('extra', columns.extra),
    };
  }
}

/** Columns of one type, by field: two fields never share one, or equal fields would be serialised as one. */
class Kept<T extends Column> {
  private readonly most: number;
  private readonly copy: (column: T) => T;
  private readonly byField = new Map<keyof DumpColumns, Recent<T>>();

  constructor(most: number, copy: (column: T) => T) {
    this.most = most;
    this.copy = copy;
  }

  of(field: keyof DumpColumns, column: T): T {
    let recent = this.byField.get(field);
    if (recent === undefined) {
      recent = new Recent<T>(sameBits, this.most);
      this.byField.set(field, recent);
    }
    return recent.of(column, (one) => (one.byteLength === one.buffer.byteLength ? one : this.copy(one)));
  }
}

/** Bit by bit: NaN is NaN, and -0 is not 0. */
function sameBits(a: Column, b: Column): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sameItems(a, b);
  return sameItems(wordsOf(a), wordsOf(b));
}

const wordsOf = (column: Column): Int32Array =>
  column instanceof Int32Array ? column : new Int32Array(column.buffer, column.byteOffset, column.byteLength / 4);
