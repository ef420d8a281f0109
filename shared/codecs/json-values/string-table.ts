/** Equal strings of a JSON text get one id: keys repeat in every record, and readers cache by id. */
import type { ValueArena } from '../value-arena/index.ts';

/** Longer strings are stored without looking for an equal one. */
const MAX_SHARED_BYTES = 256;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class StringTable {
  private readonly arena: ValueArena;
  /** Open addressing: string id + 1, 0 = free. */
  private slots: Int32Array = new Int32Array(1024);
  private hashes: Int32Array = new Int32Array(1024);
  private starts: Float64Array = new Float64Array(1024);
  private lengths: Int32Array = new Int32Array(1024);
  private used = 0;

  constructor(arena: ValueArena) {
    this.arena = arena;
  }

  /** `start`, `length`: the text between the quotes. Returns the string id, -1 at the limit. */
  intern(start: number, length: number, escaped: boolean): number {
    if (length > MAX_SHARED_BYTES) return this.add(start, length, escaped);
    const { bytes } = this.arena;
    let hash = 0x811c9dc5 | 0;
    for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
    if (this.used * 2 > this.slots.length) this.grow();
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.hashes[slot] === hash && this.equal(slot, start, length)) return (this.slots[slot] ?? 0) - 1;
    }
    const id = this.add(start, length, escaped);
    if (id < 0) return id;
    this.slots[slot] = id + 1;
    this.hashes[slot] = hash;
    this.starts[slot] = start;
    this.lengths[slot] = length;
    this.used++;
    return id;
  }

  private add(start: number, length: number, escaped: boolean): number {
    if (!escaped) return this.arena.addString(start, length);
    return this.arena.addText(
      resolveEscapes(decoder.decode(this.arena.bytes.subarray(start, start + length))),
      start,
      length,
    );
  }

  private equal(slot: number, start: number, length: number): boolean {
    if (this.lengths[slot] !== length) return false;
    const { bytes } = this.arena;
    const other = this.starts[slot] ?? 0;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== bytes[other + i]) return false;
    return true;
  }

  private grow(): void {
    const { slots, hashes, starts, lengths } = this;
    const size = slots.length * 2;
    this.slots = new Int32Array(size);
    this.hashes = new Int32Array(size);
    this.starts = new Float64Array(size);
    this.lengths = new Int32Array(size);
    for (let old = 0; old < slots.length; old++) {
      if (slots[old] === 0) continue;
      const hash = hashes[old] ?? 0;
      let slot = hash & (size - 1);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      this.slots[slot] = slots[old] ?? 0;
      this.hashes[slot] = hash;
      this.starts[slot] = starts[old] ?? 0;
      this.lengths[slot] = lengths[old] ?? 0;
    }
  }
}

const SIMPLE: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Resolves escapes; an unknown one stands for its own letter. */
const resolveEscapes = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, hex: string | undefined, letter: string | undefined) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (SIMPLE[letter ?? ''] ?? letter ?? ''),
  );
