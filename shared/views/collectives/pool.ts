/** Makers of the pooled parts: contents and blocks, each distinct one once. */
import { callKey, elementCounts } from '../../analysis/collectives/calls.ts';
import { splitOp } from '../../analysis/collectives/dump-view.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { BlockPool, CallContent } from './types.ts';

/** Longer texts are cut: a list of thousands of tensors tells nobody more. */
const MAX_TEXT = 160;

class Ids {
  private readonly ids = new Map<string, number>();
  id(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const next = this.ids.size;
    this.ids.set(text, next);
    return next;
  }
}

type Draft = { -readonly [K in keyof CallContent]: CallContent[K] };

/** Contents of the whole case. Ids are in the order of first use. */
export class ContentPool {
  private readonly drafts: Draft[] = [];
  private readonly byKey = new Ids();
  private readonly sizes = new Ids();
  private readonly dtypes = new Ids();

  /** A reader for one dump that looks at each distinct combination of its columns once. */
  reader(dump: FlightRecorderDump): (row: number, p2p: boolean) => number {
    const known = new Map<string, number>();
    const c = dump.columns;
    let lastRow = -1;
    let lastId = -1;
    return (row, p2p) => {
      // Neighbours are often alike: the same bucket again.
      if (lastRow >= 0 && sameCall(dump, row, lastRow)) return lastId;
      const text = `${c.op[row]},${c.inputSizes[row]},${c.outputSizes[row]},${c.inputDtypes[row]},${c.outputDtypes[row]}`;
      let id = known.get(text);
      if (id === undefined) {
        id = this.content(dump, row, p2p);
        known.set(text, id);
      }
      lastRow = row;
      lastId = id;
      return id;
    };
  }

  list(): readonly CallContent[] {
    return this.drafts;
  }

  private content(dump: FlightRecorderDump, row: number, p2p: boolean): number {
    const { columns: c, strings, shapes } = dump;
    const inputs = shapes[c.inputSizes[row] ?? -1] ?? '';
    const outputs = shapes[c.outputSizes[row] ?? -1] ?? '';
    const [inTypes, outTypes] = [strings[c.inputDtypes[row] ?? -1] ?? '', strings[c.outputDtypes[row] ?? -1] ?? ''];
    const key = p2p ? transferKey(dump, row, inputs, outputs) : callKey(dump, row);
    const sizeId = this.sizes.id(key.sizes);
    const dtypeId = this.dtypes.id(key.dtypes);
    const id = this.byKey.id(`${key.op}\n${sizeId}\n${dtypeId}`);
    const known = this.drafts[id];
    if (known === undefined)
      this.drafts.push({
        op: cut(key.op),
        inputs: cut(inputs),
        outputs: cut(outputs),
        dtypes: cut(inTypes === '' ? outTypes : inTypes),
        sizeId,
        dtypeId,
        varies: false,
      });
    else if (known.inputs !== cut(inputs) || known.outputs !== cut(outputs)) known.varies = true;
    return id;
  }
}

function sameCall({ columns: c }: FlightRecorderDump, a: number, b: number): boolean {
  return (
    c.op[a] === c.op[b] &&
    c.inputSizes[a] === c.inputSizes[b] &&
    c.outputSizes[a] === c.outputSizes[b] &&
    c.inputDtypes[a] === c.inputDtypes[b] &&
    c.outputDtypes[a] === c.outputDtypes[b]
  );
}

/** What is sent stands in the inputs, what is received in the outputs; some writers fill one side only. */
function transferKey(dump: FlightRecorderDump, row: number, inputs: string, outputs: string) {
  const { columns: c, strings } = dump;
  const { op } = splitOp(strings[c.op[row] ?? -1] ?? '');
  const counts = elementCounts(inputs === '' || inputs === '[]' ? outputs : inputs);
  const types = strings[c.inputDtypes[row] ?? -1] ?? strings[c.outputDtypes[row] ?? -1] ?? '';
  return { op: /^[a-z_]+/i.exec(op)?.[0] ?? op, sizes: counts.join(), dtypes: types };
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

/** A growing typed column. */
export class Column<T extends Int32Array | Float64Array | Uint8Array | Float32Array> {
  private array: T;
  private readonly make: (length: number) => T;
  length = 0;

  constructor(make: (length: number) => T, capacity = 1024) {
    this.make = make;
    this.array = make(capacity);
  }

  push(value: number): void {
    if (this.length === this.array.length) {
      const grown = this.make(this.array.length * 2);
      grown.set(this.array);
      this.array = grown;
    }
    this.array[this.length++] = value;
  }

  at(index: number): number {
    return this.array[index] ?? 0;
  }

  set(index: number, value: number): void {
    if (index < this.length) this.array[index] = value;
  }

  /** A copy of exactly what was pushed. */
  done(): T {
    const out = this.make(this.length);
    out.set(this.array.subarray(0, this.length));
    return out;
  }
}

export const ints = (length: number): Int32Array => new Int32Array(length);
export const doubles = (length: number): Float64Array => new Float64Array(length);
export const bytes = (length: number): Uint8Array => new Uint8Array(length);

/** Distinct blocks. Fill one with `add`, close it with `close`. */
export class BlockMaker {
  private readonly start = new Column(ints);
  private readonly off = new Column(bytes);
  private readonly content = new Column(ints);
  private readonly state = new Column(bytes);
  private readonly row = new Column(ints);
  private readonly byHash = new Map<number, number[]>();
  private from = 0;
  private blocks = 0;

  constructor() {
    this.start.push(0);
  }

  /** A record of the block being filled. */
  add(off: number, content: number, state: number, row: number): void {
    this.off.push(off);
    this.content.push(content);
    this.state.push(state);
    this.row.push(row);
  }

  /** Id of the block that was filled; an equal one from before takes its place. */
  close(): number {
    const hash = this.hash();
    const known = this.byHash.get(hash);
    const same = known?.find((block) => this.equals(block));
    if (same !== undefined) {
      this.off.length = this.from;
      this.content.length = this.from;
      this.state.length = this.from;
      this.row.length = this.from;
      return same;
    }
    const block = this.blocks++;
    if (known === undefined) this.byHash.set(hash, [block]);
    else known.push(block);
    this.from = this.off.length;
    this.start.push(this.from);
    return block;
  }

  done(): BlockPool {
    return {
      start: this.start.done(),
      off: this.off.done(),
      content: this.content.done(),
      state: this.state.done(),
      row: this.row.done(),
    };
  }

  private hash(): number {
    let hash = 0x811c9dc5;
    for (let i = this.from; i < this.off.length; i++) {
      hash = Math.imul(hash ^ this.off.at(i) ^ (this.state.at(i) << 8), 0x01000193);
      hash = Math.imul(hash ^ this.content.at(i), 0x01000193);
      hash = Math.imul(hash ^ this.row.at(i), 0x01000193);
    }
    return hash ^ (hash >>> 15);
  }

  private equals(block: number): boolean {
    const from = this.start.at(block);
    const length = this.off.length - this.from;
    if (this.start.at(block + 1) - from !== length) return false;
    for (let i = 0; i < length; i++) {
      const [a, b] = [from + i, this.from + i];
      if (
        this.off.at(a) !== this.off.at(b) ||
        this.state.at(a) !== this.state.at(b) ||
        this.content.at(a) !== this.content.at(b) ||
        this.row.at(a) !== this.row.at(b)
      )
        return false;
    }
    return true;
  }
}
