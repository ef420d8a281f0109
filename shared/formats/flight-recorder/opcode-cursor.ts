/**
 * Numbers, texts and memo entries straight from the opcodes that the C++ writer uses. Anything else sets `bad` and ends the direct reading: nothing
 * here needs to know more than the usual, and whatever is read after `bad` is never used. No read runs past the end of the bytes.
 */
import { FOREIGN, type RawOpcodes } from '../../codecs/pickle/direct-list.ts';
import type { PickleMemo } from '../../codecs/pickle/memo.ts';
import * as op from '../../codecs/pickle/opcodes.ts';
import { STRING, type ValueArena } from '../../codecs/value-arena/index.ts';

/** In `refs`: nothing that this reader knows. Texts are ids from 0 up, frames are -2 and below. */
const NO_REF = -1;

export class OpcodeCursor {
  protected bytes: Uint8Array = new Uint8Array(0);
  protected view: DataView = new DataView(new ArrayBuffer(0));
  protected end = 0;
  protected at = 0;
  protected bad = false;
  private arenaOrNone: ValueArena | undefined;
  private memo: PickleMemo | undefined;
  private refs: Int32Array = new Int32Array(1024).fill(NO_REF);
  private refCount = 0;

  protected start({ bytes, at, arena, memo }: RawOpcodes): void {
    // Of one class whatever was given: the loops below stay monomorphic.
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
    this.at = at;
    this.arenaOrNone = arena;
    this.memo = memo;
    for (let index = 0; index < memo.count; index++)
      this.addRef(memo.kindAt(index) === STRING ? memo.numAt(index) : NO_REF);
  }

  protected text(id: number): string {
    return this.arenaOrNone?.text(id) ?? '';
  }

  private addRef(ref: number): void {
    if (this.refCount === this.refs.length) {
      const larger = new Int32Array(this.refCount * 2).fill(NO_REF);
      larger.set(this.refs);
      this.refs = larger;
    }
    this.refs[this.refCount++] = ref;
  }

  /** An integer within ±2^53. */
  protected int(): number {
    const { bytes, at } = this;
    switch (bytes[at]) {
      case op.OP_BININT1:
        this.at = at + 2;
        return bytes[at + 1] ?? 0;
      case op.OP_BININT2:
        this.at = at + 3;
        return (bytes[at + 1] ?? 0) | ((bytes[at + 2] ?? 0) << 8);
      case op.OP_BININT:
        if (at + 5 > this.end) break;
        this.at = at + 5;
        return this.view.getInt32(at + 1, true);
      case op.OP_LONG1: {
        if (bytes[at + 1] !== 8 || at + 10 > this.end) break;
        this.at = at + 10;
        const value = this.view.getInt32(at + 6, true) * 2 ** 32 + this.view.getUint32(at + 2, true);
        if (Number.isSafeInteger(value)) return value;
        break;
      }
    }
    this.bad = true;
    return 0;
  }

  /** What a BINGET or LONG_BINGET asks for; NO_REF if there is none here or nothing known stands there. */
  protected ref(): number {
    const { bytes, at } = this;
    let index = -1;
    if (bytes[at] === op.OP_BINGET) {
      this.at = at + 2;
      index = bytes[at + 1] ?? -1;
    } else if (bytes[at] === op.OP_LONG_BINGET && at + 5 <= this.end) {
      this.at = at + 5;
      index = this.view.getUint32(at + 1, true);
    }
    if (index >= 0 && index < this.refCount) return this.refs[index] ?? NO_REF;
    return NO_REF;
  }

  /** Id of a text, from the memo or written here for the first time. */
  protected string(): number {
    const opcode = this.bytes[this.at];
    const id = opcode === op.OP_BINUNICODE ? this.newString() : this.ref();
    if (id >= 0) return id;
    this.bad = true;
    return 0;
  }

  private newString(): number {
    const { at, end, arenaOrNone: arena } = this;
    if (at + 5 > end || arena === undefined) return NO_REF;
    const length = this.view.getUint32(at + 1, true);
    if (length > end - at - 5) return NO_REF;
    const id = arena.addString(at + 5, length);
    this.at = at + 5 + length;
    if (id >= 0 && this.isPut()) this.put(id);
    return id;
  }

  /** True if the next opcode writes into the memo. */
  protected isPut(): boolean {
    const opcode = this.bytes[this.at];
    return opcode === op.OP_BINPUT || opcode === op.OP_LONG_BINPUT;
  }

  /** Reads the opcode that writes into the memo; only the next free place is known here. `ref`: a text's id or a frame. */
  protected put(ref: number): void {
    const { bytes, at } = this;
    let index = -1;
    if (bytes[at] === op.OP_BINPUT) {
      index = bytes[at + 1] ?? -1;
      this.at = at + 2;
    } else if (at + 5 <= this.end) {
      index = this.view.getUint32(at + 1, true);
      this.at = at + 5;
    }
    if (index !== this.refCount) this.bad = true;
    else this.addRef(ref);
  }

  /** Tells the memo what was added: texts as what they are, frames as nobody else's business. */
  protected giveBack(): void {
    const { memo, refs } = this;
    if (memo === undefined) return;
    for (let index = memo.count; index < this.refCount; index++) {
      const ref = refs[index] ?? NO_REF;
      if (ref >= 0) memo.put(index, STRING, ref);
      else memo.put(index, FOREIGN, 0);
    }
  }
}
