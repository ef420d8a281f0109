/**
 * Writes pickles as the two producers of recorder dumps do, and byte sequences that no honest producer writes.
 *
 * `cpp`      protocol 2 as PyTorch's C++ pickler: strings memoised by value, MARK…APPENDS also around nothing, LONG1 of 8 bytes
 * `python2`  protocol 2 of `pickle.dump`      `python4`, `python5`  with FRAME, MEMOIZE, SHORT_BINUNICODE
 */
export type PickleStyle = 'cpp' | 'python2' | 'python4' | 'python5';

/** A tuple; plain arrays become lists. */
export class Tuple {
  readonly items: readonly Plain[];
  constructor(...items: readonly Plain[]) {
    this.items = items;
  }
}
/** A float; plain numbers become ints. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}
export type Plain =
  | null
  | boolean
  | number
  | bigint
  | string
  | Tuple
  | Float
  | readonly Plain[]
  | ReadonlyMap<Plain, Plain>
  | { readonly [key: string]: Plain | undefined };

class Bytes {
  private readonly parts: number[] = [];
  get length(): number {
    return this.parts.length;
  }
  u8(...values: number[]): void {
    for (const value of values) this.parts.push(value & 255);
  }
  le(value: bigint, bytes: number): void {
    for (let i = 0n; i < BigInt(bytes); i++) this.parts.push(Number((value >> (8n * i)) & 255n));
  }
  raw(bytes: Iterable<number>): void {
    for (const byte of bytes) this.parts.push(byte);
  }
  take(): Uint8Array {
    return Uint8Array.from(this.parts);
  }
}

const encoder = new TextEncoder();

class Writer {
  readonly out = new Bytes();
  private readonly style: PickleStyle;
  private readonly strings = new Map<string, number>();
  private readonly objects = new Map<object, number>();
  private readonly counts = new Map<object, number>();
  private memo = 0;

  constructor(style: PickleStyle, root: Plain) {
    this.style = style;
    if (style === 'cpp') this.count(root);
  }

  private get framed(): boolean {
    return this.style === 'python4' || this.style === 'python5';
  }

  private count(value: Plain): void {
    if (typeof value !== 'object' || value === null) return;
    const seen = this.counts.get(value) ?? 0;
    this.counts.set(value, seen + 1);
    if (seen === 0) for (const child of childrenOf(value)) this.count(child);
  }

  value(value: Plain): void {
    if (value === null) this.out.u8(0x4e);
    else if (typeof value === 'boolean') this.out.u8(value ? 0x88 : 0x89);
    else if (typeof value === 'number' || typeof value === 'bigint') this.int(BigInt(value));
    else if (typeof value === 'string') this.string(value);
    else if (value instanceof Float) this.float(value.value);
    else this.container(value);
  }

  private int(value: bigint): void {
    if (value >= 0n && value < 256n) this.out.u8(0x4b, Number(value));
    else if (value >= 0n && value < 65_536n) {
      this.out.u8(0x4d);
      this.out.le(value, 2);
    } else if (value >= -(2n ** 31n) && value < 2n ** 31n) {
      this.out.u8(0x4a);
      this.out.le(value, 4);
    } else {
      const bytes = this.style === 'cpp' ? Math.max(8, lengthOf(value)) : lengthOf(value);
      this.out.u8(0x8a, bytes);
      this.out.le(value, bytes);
    }
  }

  private float(value: number): void {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    this.out.u8(0x47);
    this.out.raw(new Uint8Array(view.buffer));
  }

  private string(text: string): void {
    const known = this.strings.get(text);
    if (known !== undefined) {
      this.get(known);
      return;
    }
    const bytes = encoder.encode(text);
    if (this.framed && bytes.length < 256) this.out.u8(0x8c, bytes.length);
    else {
      this.out.u8(0x58);
      this.out.le(BigInt(bytes.length), 4);
    }
    this.out.raw(bytes);
    this.strings.set(text, this.memo);
    this.put();
  }

  private container(value: Exclude<Plain, null | boolean | number | bigint | string | Float>): void {
    const known = this.objects.get(value);
    if (known !== undefined) {
      this.get(known);
      return;
    }
    if (value instanceof Tuple) this.tuple(value);
    else if (Array.isArray(value)) this.list(value);
    else this.dict(value as ReadonlyMap<Plain, Plain> | { readonly [key: string]: Plain | undefined });
    // The C++ writer numbers a container after it is built, and only if it is needed again.
    if (this.style === 'cpp' && (this.counts.get(value) ?? 0) > 1) this.remember(value);
  }

  private remember(value: object): void {
    this.objects.set(value, this.memo);
    this.put();
  }

  private tuple(value: Tuple): void {
    for (const item of value.items) this.value(item);
    this.out.u8([0x29, 0x85, 0x86, 0x87][value.items.length] ?? 0x86);
    if (this.style !== 'cpp' && value.items.length > 0) this.remember(value);
  }

  private list(items: readonly Plain[]): void {
    this.out.u8(0x5d);
    if (this.style !== 'cpp') this.remember(items);
    this.batches(
      items.map((item) => [item]),
      0x61,
      0x65,
    );
  }

  private dict(value: ReadonlyMap<Plain, Plain> | { readonly [key: string]: Plain | undefined }): void {
    this.out.u8(0x7d);
    if (this.style !== 'cpp') this.remember(value);
    this.batches(pairsOf(value), 0x73, 0x75);
  }

  private batches(groups: readonly (readonly Plain[])[], single: number, many: number): void {
    const size = this.style === 'cpp' ? Number.POSITIVE_INFINITY : 1000;
    for (let from = 0; from === 0 || from < groups.length; from += size) {
      const batch = groups.slice(from, from + size);
      if (this.style !== 'cpp' && batch.length === 0) return;
      const one = this.style !== 'cpp' && batch.length === 1;
      if (!one) this.out.u8(0x28);
      for (const group of batch) for (const item of group) this.value(item);
      this.out.u8(one ? single : many);
    }
  }

  private put(): void {
    const index = this.memo++;
    if (this.framed) this.out.u8(0x94);
    else if (index < 256) this.out.u8(0x71, index);
    else {
      this.out.u8(0x72);
      this.out.le(BigInt(index), 4);
    }
  }

  private get(index: number): void {
    if (index < 256) this.out.u8(0x68, index);
    else {
      this.out.u8(0x6a);
      this.out.le(BigInt(index), 4);
    }
  }
}

const lengthOf = (value: bigint): number => {
  let bytes = 1;
  while (BigInt.asIntN(bytes * 8, value) !== value) bytes++;
  return bytes;
};

const isMap = (value: object): value is ReadonlyMap<Plain, Plain> => value instanceof Map;
const pairsOf = (value: ReadonlyMap<Plain, Plain> | { readonly [key: string]: Plain | undefined }): [Plain, Plain][] =>
  isMap(value)
    ? [...value]
    : Object.entries(value).flatMap(([key, item]): [Plain, Plain][] => (item === undefined ? [] : [[key, item]]));

function childrenOf(value: object): readonly Plain[] {
  if (value instanceof Tuple) return value.items;
  if (Array.isArray(value)) return value as readonly Plain[];
  if (value instanceof Float) return [];
  return pairsOf(value as ReadonlyMap<Plain, Plain>).flat();
}

export function writePickle(value: Plain, style: PickleStyle = 'cpp'): Uint8Array {
  const writer = new Writer(style, value);
  writer.value(value);
  writer.out.u8(0x2e);
  const body = writer.out.take();
  const head = new Bytes();
  head.u8(0x80, style === 'python5' ? 5 : style === 'python4' ? 4 : 2);
  if (style === 'python4' || style === 'python5') {
    head.u8(0x95);
    head.le(BigInt(body.length), 8);
  }
  return Uint8Array.from([...head.take(), ...body]);
}

/** Bytes from a mixture of numbers and ASCII texts: for pickles that nobody honest writes. */
export function pickleBytes(...parts: readonly (number | string)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...encoder.encode(part)])));
}
