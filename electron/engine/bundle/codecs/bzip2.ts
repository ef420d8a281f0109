/** bzip2 as a stream: `BZh1`–`BZh9`, blocks, an end mark with a checksum; streams may follow each other (pbzip2 writes one a block). */
import { CHUNK_BYTES } from '../byte-source.ts';
import {
  BitReader,
  type Block,
  Bzip2Error,
  blockBytes,
  MAX_CODE_BITS,
  OutOfInputError,
  readBlock,
} from './bzip2-block.ts';
import type { DecompressEnd } from './decompress-end.ts';

const BLOCK_MAGIC = [0x314159, 0x265359] as const;
const END_MAGIC = [0x177245, 0x385090] as const;
/** More than a block can take: 900,001 symbols of at most 20 bits, 18,002 selectors, 6 tables. */
const MAX_PACKED_BLOCK = 2_600_000;

/** Input that is held until a block is complete; bits left over from the last block begin the next. */
class Input {
  readonly #source: AsyncIterator<Buffer>;
  bytes: Buffer = Buffer.alloc(0);
  ended = false;
  /** Bits of the first byte that are taken already. */
  skipBits = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async fill(): Promise<void> {
    if (this.ended || this.bytes.length >= MAX_PACKED_BLOCK) return;
    const parts = [this.bytes];
    let held = this.bytes.length;
    while (held < MAX_PACKED_BLOCK * 2) {
      const next = await this.#source.next();
      if (next.done === true) {
        this.ended = true;
        break;
      }
      parts.push(next.value);
      held += next.value.length;
    }
    this.bytes = Buffer.concat(parts);
  }

  reader(): BitReader {
    const reader = new BitReader(this.bytes);
    if (this.skipBits > 0) reader.bits(this.skipBits);
    return reader;
  }

  /** Everything that `reader` took is done with. */
  accept(reader: BitReader): void {
    const bits = reader.bitsTaken;
    this.bytes = this.bytes.subarray(bits >> 3);
    this.skipBits = bits & 7;
  }

  /** Bits up to the next whole byte are padding. */
  align(): void {
    if (this.skipBits > 0) this.bytes = this.bytes.subarray(1);
    this.skipBits = 0;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

export async function* bunzip2(source: AsyncIterable<Buffer>, end: DecompressEnd): AsyncGenerator<Buffer> {
  const input = new Input(source);
  const state: StreamState = { links: undefined, spare: undefined, combined: 0, streams: 0 };
  try {
    for (;;) {
      await input.fill();
      const step = nextStep(input, state);
      if (step.kind === 'block') {
        yield* blockBytes(step.block, step.links, CHUNK_BYTES);
        continue;
      }
      if (step.kind === 'head') continue;
      if (step.kind === 'trailing') end.trailingBytes += await countRest(input);
      return;
    }
  } catch (error) {
    if (error instanceof OutOfInputError) end.cut = 'truncated';
    else if (error instanceof Bzip2Error) end.cut = 'damaged';
    else throw error;
    end.detail = error.message;
  } finally {
    await input.close();
  }
}

interface StreamState {
  /** Of the stream that is open; undefined between streams. */
  links: Uint32Array | undefined;
  /** Of the last stream: parallel writers make one a block, and 3.6 MB each would pile up. */
  spare: Uint32Array | undefined;
  combined: number;
  streams: number;
}

type Step =
  | { readonly kind: 'head' | 'end' | 'trailing' }
  | { readonly kind: 'block'; readonly block: Block; readonly links: Uint32Array };

function nextStep(input: Input, state: StreamState): Step {
  if (input.bytes.length === 0 && state.links === undefined && state.streams > 0) return { kind: 'end' };
  const bits = input.reader();
  if (state.links === undefined) {
    const isHead = bits.bits(24) === 0x425a68;
    const level = bits.bits(8) - 0x30;
    if (!isHead || level < 1 || level > 9) {
      if (state.streams > 0) return { kind: 'trailing' };
      bits.check();
      throw new Bzip2Error('no bzip2 header');
    }
    bits.check();
    const size = level * 100_000;
    state.links = state.spare?.length === size ? state.spare : new Uint32Array(size);
    state.spare = state.links;
    state.combined = 0;
    state.streams += 1;
    input.accept(bits);
    return { kind: 'head' };
  }
  const magic = [bits.bits(24), bits.bits(24)];
  bits.check();
  if (magic[0] === END_MAGIC[0] && magic[1] === END_MAGIC[1]) {
    const stored = bits.word();
    bits.check();
    if (stored !== state.combined >>> 0) throw new Bzip2Error('checksum of the stream does not match');
    input.accept(bits);
    input.align();
    state.links = undefined;
    return { kind: 'head' };
  }
  if (magic[0] !== BLOCK_MAGIC[0] || magic[1] !== BLOCK_MAGIC[1]) throw new Bzip2Error('no block begins here');
  const block = readWhole(bits, state.links);
  state.combined = ((state.combined << 1) | (state.combined >>> 31)) ^ block.crc;
  input.accept(bits);
  return { kind: 'block', block, links: state.links };
}

/** A contradiction found at the end of the input comes from the zeros behind it: a cut, not damage. */
function readWhole(bits: BitReader, links: Uint32Array): Block {
  try {
    return readBlock(bits, links);
  } catch (error) {
    bits.check(MAX_CODE_BITS);
    throw error;
  }
}

async function countRest(input: Input): Promise<number> {
  let count = input.bytes.length;
  while (!input.ended) {
    input.bytes = Buffer.alloc(0);
    await input.fill();
    count += input.bytes.length;
  }
  return count;
}
