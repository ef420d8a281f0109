/**
 * Decodes dumps in a thread of its own. In a built program it runs the file that the program started with, like the other threads, which calls
 * `runIfDecodeWorker` and does nothing else if that returns true; from sources it runs `decode-thread.ts`, which loads nothing else.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type PackedColumns, packedColumns } from '#shared/formats/flight-recorder/columns.ts';
import pickle from '#shared/formats/flight-recorder/pickle.ts';
import type { FlightRecorderDump } from '#shared/model/flight-recorder.ts';
import type { FormatOutput } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import { type BlockCodec, packBlock } from '../store/block-codec.ts';

export const DECODE_ROLE = 'firstfault-decode';
/** The one format that is decoded here. */
export const DECODED_FORMAT = pickle.id;

export interface DecodeWorkerInput {
  readonly role: typeof DECODE_ROLE;
  /** How to compress the file's bytes for the case; undefined = they are not kept. */
  readonly codec: BlockCodec | undefined;
}

export interface DecodeOrder {
  readonly id: number;
  /** Holds the dump from its beginning. */
  readonly memory: SharedArrayBuffer;
  readonly bytes: number;
  readonly path: string;
  readonly truncated: boolean;
}

/** A dump whose columns travel as one buffer; they keep their place among its fields. */
export interface PackedDump {
  readonly kind: 'packed-dump';
  readonly dump: Omit<FlightRecorderDump, 'columns'> & { readonly columns: undefined };
  readonly columns: PackedColumns;
}

export interface DecodeAnswer {
  readonly id: number;
  /** Source refs name entry 0. Undefined: it did not work out here. */
  readonly outputs: readonly (FormatOutput | PackedDump)[] | undefined;
  readonly packed: { readonly codec: BlockCodec; readonly data: Uint8Array } | undefined;
}

/** True if this thread was started to decode. */
export function runIfDecodeWorker(): boolean {
  const input: unknown = workerData;
  if (isMainThread || !isInput(input) || parentPort === null) return false;
  const port = parentPort;
  const decoder = new Decoder(input, port);
  port.on('message', (order: DecodeOrder) => decoder.decode(order));
  return true;
}

function isInput(value: unknown): value is DecodeWorkerInput {
  return typeof value === 'object' && value !== null && 'role' in value && value.role === DECODE_ROLE;
}

/** Dead buffers outside the heap that are let stand: compressing makes them, and nothing else here gives V8 a reason to look. Chosen. */
const MAX_DEAD_BYTES = 16 * 1024 * 1024;

class Decoder {
  readonly #input: DecodeWorkerInput;
  readonly #port: MessagePort;
  /** A copy of the dump at hand: not every reader of bytes takes shared memory. */
  #copy: Buffer = Buffer.alloc(0);
  #deadBytes = 0;
  readonly #collect: unknown;

  constructor(input: DecodeWorkerInput, port: MessagePort) {
    this.#input = input;
    this.#port = port;
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc');
  }

  decode(order: DecodeOrder): void {
    const { codec } = this.#input;
    if (this.#copy.length < order.bytes) this.#copy = Buffer.alloc(2 ** Math.ceil(Math.log2(order.bytes)));
    Buffer.from(order.memory, 0, order.bytes).copy(this.#copy);
    const bytes = this.#copy.subarray(0, order.bytes);
    const buffers: ArrayBuffer[] = [];
    let answer: DecodeAnswer;
    try {
      const context = { entry: entryId(0), path: order.path };
      const outputs = [...pickle.parse(bytes, context, order.truncated)].map((output) => pack(output, buffers));
      answer = { id: order.id, outputs, packed: this.#compress(bytes, codec, buffers) };
    } catch {
      answer = { id: order.id, outputs: undefined, packed: undefined };
      buffers.length = 0;
    }
    this.#port.postMessage(answer, buffers);
    if (this.#deadBytes < MAX_DEAD_BYTES || typeof this.#collect !== 'function') return;
    this.#deadBytes = 0;
    Reflect.apply(this.#collect, undefined, []);
  }

  #compress(bytes: Buffer, codec: BlockCodec | undefined, buffers: ArrayBuffer[]): DecodeAnswer['packed'] {
    if (codec === undefined) return undefined;
    const packed = packBlock(bytes, codec);
    const data = new Uint8Array(packed.data);
    buffers.push(data.buffer);
    this.#deadBytes += 2 * data.length;
    return { codec: packed.codec, data };
  }
}

function pack(output: FormatOutput, buffers: ArrayBuffer[]): FormatOutput | PackedDump {
  if (output.kind !== 'dump') return output;
  const columns = packedColumns(output.dump.columns);
  if (columns === undefined) return output;
  buffers.push(columns.buffer);
  return { kind: 'packed-dump', dump: { ...output.dump, columns: undefined }, columns };
}
