/**
 * Decompresses a large input beside the thread that reads it.
 *
 *   reading thread: pieces of input ─▶ decoding thread: node:zlib, into one of CHUNKS buffers ─▶ reading thread
 *                                                        ▲                                            │
 *                                                        └───── handed back when it was read ─────────┘
 *
 * Two gains: the work lies beside the reader's, and the reader makes no garbage of buffers, which V8 would collect with its whole heap
 * every 8 MB (measured: a quarter of an import's processor time). Memory is bounded by CHUNKS and one piece of input ahead.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { directCodec } from '#shared/lib/direct-codec.ts';
import { CHUNK_BYTES } from '../byte-source.ts';
import { leaseChunk } from '../chunk-lease.ts';
import { copyPieces, decodeDirectly, decodeLoop, type LoopParts } from './decode-loop.ts';
import type { DecompressEnd } from './decompress-end.ts';
import { driveZlib } from './zlib.ts';

export type ThreadCodec = 'gzip' | 'zstd';

/** Chunks that are decoded before they are asked for: 4 MB. Chosen: more than a piece of input yields. */
const CHUNKS = 16;
/** Turns and buffers are told in such steps: each message costs some microseconds on both sides. */
const TURNS_A_MESSAGE = 4;

/** To the thread. */
export type DecodeOrder =
  | { readonly t: 'open'; readonly codec: ThreadCodec; readonly turns: number }
  | { readonly t: 'input'; readonly bytes: Uint8Array }
  | { readonly t: 'end' }
  | { readonly t: 'turns'; readonly turns: number; readonly buffers: readonly ArrayBuffer[] }
  | { readonly t: 'stop' };

/** From the thread. */
export type DecodeAnswer =
  | { readonly t: 'more' }
  | { readonly t: 'chunk'; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly t: 'done'; readonly end: DecompressEnd };

export interface DecodeThreadInput {
  readonly port: MessagePort;
  readonly chunkBytes: number;
}

/** What a thread's end is called where its reader says why it reads no further. */
const whyItDied = (error: unknown): string =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'the thread that unpacks it ran out of memory'
    : `the thread that unpacks it ended${error instanceof Error ? ` (${error.message.slice(0, 200)})` : ''}`;

export class DecodeThread {
  #worker: Worker | undefined;
  #port: MessagePort | undefined;
  #isBusy = false;
  #isDead = false;
  /** Of what the thread died. */
  #fault: unknown;
  readonly #prelude: string;
  #onAnswer: ((answer: DecodeAnswer) => void) | undefined;
  #onDeath: (() => void) | undefined;
  #returned: ArrayBuffer[] = [];
  #bytes = 0;

  /** `prelude`: script that the thread runs first, for tests. */
  constructor(prelude = '') {
    this.#prelude = prelude;
  }

  /** Bytes that the thread has unpacked and handed over. */
  get unpackedBytes(): number {
    return this.#bytes;
  }

  /** False while a stream is decoded, and after the thread died or could not be started. */
  get isFree(): boolean {
    return !this.#isBusy && !this.#isDead;
  }

  /**
   * As `driveZlib` with the codec's stream. One at a time: see `isFree`. Throws what `source` throws. If the thread dies, the stream ends
   * where it was, as `stopped`.
   */
  async *decode(source: AsyncIterable<Buffer>, codec: ThreadCodec, end: DecompressEnd): AsyncGenerator<Buffer> {
    const port = this.#start();
    const stream = new DecodedStream(port, source);
    this.#isBusy = true;
    this.#onAnswer = (answer) => stream.take(answer);
    this.#onDeath = () => stream.die(whyItDied(this.#fault));
    this.#worker?.ref();
    port.ref();
    let turns = 0;
    try {
      send(port, { t: 'open', codec, turns: CHUNKS });
      void stream.feed();
      for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next()) {
        this.#bytes += chunk.bytes;
        yield leaseChunk(chunk.buffer, chunk.bytes, (buffer) => this.#returned.push(buffer));
        turns += 1;
        if (turns % TURNS_A_MESSAGE !== 0) continue;
        const buffers = this.#returned.splice(0);
        send(port, { t: 'turns', turns: TURNS_A_MESSAGE, buffers }, buffers);
      }
      Object.assign(end, stream.end);
    } finally {
      await stream.close();
      this.#onAnswer = undefined;
      this.#onDeath = undefined;
      this.#isBusy = false;
      this.#worker?.unref();
      port.unref();
    }
  }

  /** Ends the thread; nothing can be decoded afterwards. */
  close(): void {
    this.#isDead = true;
    this.#port?.close();
    void this.#worker?.terminate();
  }

  #start(): MessagePort {
    if (this.#port !== undefined) return this.#port;
    const { port1, port2 } = new MessageChannel();
    const workerData: DecodeThreadInput = { port: port2, chunkBytes: CHUNK_BYTES };
    // The thread's program is these functions and no file: the same for sources and for a bundle of one file.
    const parts: LoopParts = { decodeDirectly, copyPieces, directCodec, driveZlib };
    const program = Object.entries(parts).map(([name, part]) => `${name}: ${part.toString()}`);
    const worker = new Worker(`${this.#prelude};(${decodeLoop.toString()})({ ${program.join(', ')} })`, {
      eval: true,
      workerData,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    });
    const died = () => {
      this.#isDead = true;
      this.#onDeath?.();
    };
    worker.on('error', (error) => {
      this.#fault = error;
      died();
    });
    worker.on('exit', died);
    port1.on('message', (answer: DecodeAnswer) => this.#onAnswer?.(answer));
    this.#worker = worker;
    this.#port = port1;
    return port1;
  }
}

function send(port: MessagePort, order: DecodeOrder, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(order, transfer);
}

/** One stream on its way through the thread. */
class DecodedStream {
  end: DecompressEnd | undefined;
  readonly #port: MessagePort;
  readonly #source: AsyncIterator<Buffer>;
  readonly #chunks: { readonly buffer: ArrayBuffer; readonly bytes: number }[] = [];
  /** Pieces of input that the thread asks for: the one it needs and one ahead. */
  #wanted = 2;
  #isClosed = false;
  #error: unknown;
  #hasFailed = false;
  #isDead = false;
  #wake: (() => void) | undefined;
  #waiting: Promise<void> | undefined;
  #feeding: Promise<void> | undefined;
  #onDone: (() => void) | undefined;

  constructor(port: MessagePort, source: AsyncIterable<Buffer>) {
    this.#port = port;
    this.#source = source[Symbol.asyncIterator]();
  }

  take(answer: DecodeAnswer): void {
    if (answer.t === 'more') this.#wanted += 1;
    else if (answer.t === 'chunk') {
      if (!this.#isClosed) this.#chunks.push(answer);
    } else {
      this.end = answer.end;
      this.#onDone?.();
    }
    this.#signal();
  }

  /** The thread is gone. */
  die(detail: string): void {
    this.#isDead = true;
    this.end ??= { cut: 'stopped', detail, trailingBytes: 0, finished: false, rest: undefined };
    this.#onDone?.();
    this.#signal();
  }

  #fail(error: unknown): void {
    this.#error = error;
    this.#hasFailed = true;
    this.#signal();
  }

  /** Hands input on as it is asked for, until its end or the stream's. */
  feed(): Promise<void> {
    this.#feeding = this.#feed();
    return this.#feeding;
  }

  /** Undefined at the end. Throws what failed. */
  async next(): Promise<{ readonly buffer: ArrayBuffer; readonly bytes: number } | undefined> {
    for (;;) {
      if (this.#hasFailed) throw this.#error;
      const chunk = this.#chunks.shift();
      if (chunk !== undefined || this.end !== undefined) return chunk;
      await this.#change();
    }
  }

  /** Ends the stream in the thread and the source; the thread takes another one afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#signal();
    const isDone = new Promise<void>((resolve) => {
      this.#onDone = resolve;
    });
    // What is still on its way would be taken for the next stream's.
    if (this.end === undefined && !this.#isDead) {
      send(this.#port, { t: 'stop' });
      await isDone;
    }
    await this.#feeding;
    await this.#source.return?.();
  }

  async #feed(): Promise<void> {
    try {
      for (;;) {
        while (this.#wanted === 0 && !this.#isClosed && this.end === undefined) await this.#change();
        if (this.#isClosed || this.end !== undefined) return;
        const step = await this.#source.next();
        if (this.#isClosed) return;
        if (step.done === true) {
          send(this.#port, { t: 'end' });
          return;
        }
        this.#wanted -= 1;
        // A copy of its own: a view would be sent with all of the memory that it looks at.
        const bytes = new Uint8Array(step.value);
        send(this.#port, { t: 'input', bytes }, [bytes.buffer]);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** One promise for all who wait. */
  #change(): Promise<void> {
    this.#waiting ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#waiting;
  }

  #signal(): void {
    this.#wake?.();
    this.#wake = undefined;
    this.#waiting = undefined;
  }
}
