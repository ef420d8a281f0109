/**
 * xz by xz-embedded as WebAssembly. The package's own stream shares one instance and a lock (an xz inside an xz would wait for ever)
 * and cannot tell a cut from an end, so its instance is driven here: one a stream, freed with it.
 *
 *   stream header 12 │ block header │ LZMA2 │ … │ index │ footer 12 │ (padding of zeros, further streams)
 *
 * Source: "The .xz File Format" 1.2.1; memory layout of the context as in xz-decompress 0.2.3.
 */
import * as xzPackage from 'xz-decompress';
import { formatLimit } from '../limits.ts';
import type { DecompressEnd } from './decompress-end.ts';

const XZ_OK = 0;
/** The content's checksum is of a kind that is not verified (SHA-256): the content is read all the same. */
const XZ_UNSUPPORTED_CHECK = 2;
/** What follows a stream is no stream. */
const XZ_FORMAT_ERROR = 5;
/** No progress: asked without input. */
const XZ_BUF_ERROR = 8;
const STREAM_HEADER_BYTES = 12;
/** Header, index and footer of an empty stream. */
const MIN_STREAM_BYTES = 32;
/** A footer, and fewer bytes behind it than would be tried as a header. */
const TAIL_BYTES = 24;

const LZMA2 = 0x21;

/** Why a stream with this beginning cannot be read: its dictionary is larger than the limit. Undefined if nothing speaks against it. */
export function xzObjection(head: Buffer, maxWindowBytes: number): string | undefined {
  const dictionary = firstDictionary(head);
  if (dictionary === undefined || dictionary <= maxWindowBytes) return undefined;
  return `xz with a dictionary of ${formatLimit(dictionary)}, limit ${formatLimit(maxWindowBytes)}; unpack it with xz -d`;
}

/** Of the first block, in bytes: size, flags, then filters as (id, length, properties). Undefined if it cannot be told. */
function firstDictionary(head: Buffer): number | undefined {
  const flags = head[13];
  if (flags === undefined || head[12] === 0) return undefined;
  let at = 14;
  const skipNumber = () => {
    while ((head[at] ?? 0) & 0x80) at += 1;
    at += 1;
  };
  if (flags & 0x40) skipNumber();
  if (flags & 0x80) skipNumber();
  for (let filter = 0; filter <= (flags & 3); filter += 1) {
    const id = head[at];
    const length = head[at + 1] ?? 0;
    if (id === LZMA2) {
      const bits = head[at + 2] ?? 0;
      return bits >= 40 ? 2 ** 32 : (2 | (bits & 1)) * 2 ** (Math.floor(bits / 2) + 11);
    }
    at += 2 + length;
  }
  return undefined;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly create_context: () => number;
  readonly supply_input: (context: number, bytes: number) => void;
  readonly get_next_output: (context: number) => number;
}

/** A fresh instance with nothing in it. Throws if the package is not the version that is known here. */
async function newInstance(): Promise<Exports> {
  const loaded: unknown = 'XzReadableStream' in xzPackage ? xzPackage : undefined;
  const fallback: unknown = 'default' in xzPackage ? xzPackage.default : undefined;
  const stream = fieldOf(loaded ?? fallback, 'XzReadableStream');
  const load = fieldOf(stream, '_getModuleInstance');
  if (typeof load !== 'function') throw new Error('xz-decompress has another shape than version 0.2.3');
  await load.call(stream);
  const exports = fieldOf(fieldOf(stream, '_moduleInstance'), 'exports');
  if (!isExports(exports)) throw new Error('xz-decompress has another shape than version 0.2.3');
  return exports;
}

const fieldOf = (value: unknown, name: string): unknown =>
  (typeof value === 'object' || typeof value === 'function') && value !== null ? Reflect.get(value, name) : undefined;

function isExports(value: unknown): value is Exports {
  return (
    fieldOf(value, 'memory') instanceof WebAssembly.Memory &&
    ['create_context', 'supply_input', 'get_next_output'].every((name) => typeof fieldOf(value, name) === 'function')
  );
}

/** One decoder over the instance's memory: words at `context` are buffer size, input (start, position, size), output (start, position, size). */
class XzDecoder {
  readonly #exports: Exports;
  #context: number;

  constructor(exports: Exports) {
    this.#exports = exports;
    this.#context = exports.create_context();
  }

  #words(): Uint32Array {
    return new Uint32Array(this.#exports.memory.buffer, this.#context, 8);
  }

  #word(index: number): number {
    return this.#words()[index] ?? 0;
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  get inputBytes(): number {
    return this.#word(0);
  }

  get hungry(): boolean {
    return this.#word(2) === this.#word(3);
  }

  supply(bytes: Buffer): void {
    new Uint8Array(this.#exports.memory.buffer).set(bytes, this.#word(1));
    this.#exports.supply_input(this.#context, bytes.length);
  }

  step(): { readonly code: number; readonly output: Buffer } {
    const code = this.#exports.get_next_output(this.#context);
    const words = this.#words();
    const start = words[4] ?? 0;
    const output = Buffer.from(this.#exports.memory.buffer.slice(start, start + (words[5] ?? 0)));
    words[5] = 0;
    return { code, output };
  }
}

export const unxz = (maxWindowBytes: number) =>
  async function* unxzStream(source: AsyncIterable<Buffer>, end: DecompressEnd): AsyncGenerator<Buffer> {
    const decoder = new XzDecoder(await newInstance());
    const maxMemory = maxWindowBytes + 32 * 1024 * 1024;
    const seen = new Ends();
    for await (const chunk of source) {
      seen.push(chunk);
      for (let at = 0; at < chunk.length || !decoder.hungry; ) {
        if (end.trailingBytes > 0) {
          end.trailingBytes += chunk.length - at;
          break;
        }
        if (decoder.hungry) {
          const piece = chunk.subarray(at, at + decoder.inputBytes);
          decoder.supply(piece);
          at += piece.length;
        }
        const { code, output } = decoder.step();
        if (output.length > 0) yield output;
        if (code === XZ_FORMAT_ERROR && seen.bytes > MIN_STREAM_BYTES) {
          end.trailingBytes += chunk.length - at + STREAM_HEADER_BYTES;
          break;
        }
        if (code !== XZ_OK && code !== XZ_UNSUPPORTED_CHECK && code !== XZ_BUF_ERROR) end.detail = `xz error ${code}`;
        else if (decoder.memoryBytes > maxMemory)
          end.detail = `needs a dictionary above the limit of ${formatLimit(maxWindowBytes)}`;
        else continue;
        end.cut = 'damaged';
        return;
      }
    }
    for (;;) {
      const { output } = decoder.step();
      if (output.length === 0) break;
      yield output;
    }
    if (end.trailingBytes > 0) return;
    const trailing = seen.trailingBytes();
    if (trailing !== undefined) end.trailingBytes = trailing;
    else {
      end.cut = 'truncated';
      end.detail = 'ends inside the compressed data';
    }
  };

/** The first and the last bytes of a stream: the decoder goes on to a further stream by itself and does not tell an end from a cut. */
class Ends {
  #flags = Buffer.alloc(0);
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  bytes = 0;

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.#head.length < STREAM_HEADER_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, STREAM_HEADER_BYTES)]);
      this.#flags = this.#head.subarray(6, 8);
    }
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  }

  /** Bytes behind the last footer that are no padding; undefined if no footer stands at the end. */
  trailingBytes(): number | undefined {
    const magic = this.#tail.lastIndexOf('YZ');
    if (magic < 2 || !this.#tail.subarray(magic - 2, magic).equals(this.#flags)) return undefined;
    const behind = this.#tail.subarray(magic + 2);
    return behind.every((byte) => byte === 0) ? 0 : behind.length;
  }
}
