/**
 * Pickle protocol 2 as torch's C++ pickler writes a recorder dump: no tags, no globals, strings memoised by value,
 * shared dicts put into the memo after they were built, containers always with MARK … APPENDS/SETITEMS.
 *
 *     80 02  7D 28 (key value)* 75  71 n  2E
 *
 * Checked: written again by this, the content of real dumps (PyTorch 2.13 over gloo, NCCL dumps of format 2.9) gives
 * the same bytes.
 */
export type Pickled =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly Pickled[]
  | { readonly tuple: readonly [Pickled, Pickled] }
  | ReadonlyMap<string, Pickled>
  /** A dict that may occur more than once: then it is written once, put into the memo, and fetched later. */
  | { readonly shared: ReadonlyMap<string, Pickled> };

export function picklePython2(value: Pickled): Uint8Array {
  const out = new ByteSink();
  const uses = countShared(value, new Map());
  const memo = new Map<unknown, number>();
  const remember = (key: unknown): void => {
    const index = memo.size;
    memo.set(key, index);
    if (index < 256) out.bytes(0x71, index);
    else out.bytes(0x72).uint32(index);
  };
  const recall = (key: unknown): boolean => {
    const index = memo.get(key);
    if (index === undefined) return false;
    if (index < 256) out.bytes(0x68, index);
    else out.bytes(0x6a).uint32(index);
    return true;
  };
  const writeText = (text: string): void => {
    if (recall(text)) return;
    const encoded = new TextEncoder().encode(text);
    out.bytes(0x58).uint32(encoded.length).raw(encoded);
    remember(text);
  };
  const writeDict = (dict: ReadonlyMap<string, Pickled>): void => {
    out.bytes(0x7d, 0x28);
    for (const [key, item] of dict) {
      writeText(key);
      write(item);
    }
    out.bytes(0x75);
  };
  const write = (item: Pickled): void => {
    if (item === null) out.bytes(0x4e);
    else if (typeof item === 'boolean') out.bytes(item ? 0x88 : 0x89);
    else if (typeof item === 'string') writeText(item);
    else if (typeof item === 'bigint' || typeof item === 'number') writeInt(out, BigInt(item));
    else if (item instanceof Map) writeDict(item);
    else if (Array.isArray(item)) {
      out.bytes(0x5d, 0x28);
      for (const element of item) write(element);
      out.bytes(0x65);
    } else if ('tuple' in item) {
      for (const element of item.tuple) write(element);
      out.bytes(0x86);
    } else if ('shared' in item && !recall(item.shared)) {
      writeDict(item.shared);
      if ((uses.get(item.shared) ?? 0) > 1) remember(item.shared);
    }
  };
  out.bytes(0x80, 0x02);
  write(value);
  // The writer holds the root itself, so the root counts as shared.
  remember(value);
  out.bytes(0x2e);
  return out.finish();
}

/** How often each shared dict occurs; only the others' contents are walked twice. */
function countShared(item: Pickled, uses: Map<unknown, number>): Map<unknown, number> {
  if (typeof item !== 'object' || item === null) return uses;
  if (item instanceof Map) for (const child of item.values()) countShared(child, uses);
  else if (Array.isArray(item)) for (const child of item) countShared(child, uses);
  else if ('tuple' in item) for (const child of item.tuple) countShared(child, uses);
  else if ('shared' in item) uses.set(item.shared, (uses.get(item.shared) ?? 0) + 1);
  return uses;
}

function writeInt(out: ByteSink, value: bigint): void {
  if (value >= 0n && value < 0x100n) out.bytes(0x4b, Number(value));
  else if (value >= 0n && value < 0x10000n) out.bytes(0x4d, Number(value & 0xffn), Number(value >> 8n));
  else if (value >= -0x80000000n && value < 0x80000000n) out.bytes(0x4a).uint32(Number(BigInt.asUintN(32, value)));
  else out.bytes(0x8a, 8).uint64(BigInt.asUintN(64, value));
}

class ByteSink {
  #buffer = new Uint8Array(4096);
  #length = 0;

  bytes(...values: number[]): this {
    return this.raw(Uint8Array.from(values));
  }

  uint32(value: number): this {
    return this.bytes(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff);
  }

  uint64(value: bigint): this {
    return this.uint32(Number(value & 0xffff_ffffn)).uint32(Number(value >> 32n));
  }

  raw(bytes: Uint8Array): this {
    while (this.#length + bytes.length > this.#buffer.length) {
      const larger = new Uint8Array(this.#buffer.length * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }
}
