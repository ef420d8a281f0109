/**
 * Up to two threads that decode recorder dumps.
 *
 *   importing thread ── copy ──▶ [ slot │ slot │ slot … ] ──▶ thread: decode, compress
 *                    ◀── columns (transferred), tables, compressed bytes ──┘
 *
 * The slots bound what is under way. A thread that cannot start or dies costs its help only: what it had is told as undefined.
 */
import { Worker } from 'node:worker_threads';
import { viewColumns } from '#shared/formats/flight-recorder/columns.ts';
import type { FormatOutput } from '#shared/model/format.ts';
import type { EntryId } from '#shared/model/ids.ts';
import type { BlockCodec, Packed } from '../store/block-codec.ts';
import { DECODE_ROLE, type DecodeAnswer, type DecodeOrder, type DecodeWorkerInput } from './decode-worker.ts';

const THREADS = 2;
/** One at work and one ready in each thread, and two more while the first ones are taken. */
const SLOTS = 6;
/** Larger dumps are decoded by the importing thread. A slot takes as much memory as its largest dump so far. */
export const MAX_DECODED_BYTES = 8 * 1024 * 1024;
/** Of a thread: many times what the largest dump takes. One that needs more dies, and the importing thread takes its dumps. Chosen. */
const HEAP_MB = 1024;
/** Dumps that the importing thread decodes before threads are started: a thread takes some 50 ms to start. Chosen. */
const START_AFTER = 12;

export interface Decoded {
  /** For the entry that the dump turned out to be. */
  readonly outputsFor: (entry: EntryId) => FormatOutput[];
  /** The file's bytes, compressed; undefined if they are not kept. */
  readonly packed: Packed | undefined;
}

export interface DecodePoolOptions {
  /** The running program's own file: path or URL. */
  readonly entry: string;
  /** How the case compresses the bytes of entries; undefined = it does not keep them. */
  readonly codec: BlockCodec | undefined;
  /** For tests. */
  readonly startAfter?: number;
  readonly heapMb?: number;
}

interface Thread {
  readonly worker: Worker;
  /** Orders under way, by id. */
  readonly open: Map<number, (decoded: Decoded | undefined) => void>;
}

export class DecodePool {
  readonly #options: DecodePoolOptions;
  readonly #memories: (SharedArrayBuffer | undefined)[] = [];
  readonly #free: number[] = Array.from({ length: SLOTS }, (_, slot) => slot);
  readonly #threads: Thread[] = [];
  #isClosed = false;
  #seen = 0;
  #nextId = 0;
  #done = 0;

  constructor(options: DecodePoolOptions) {
    this.#options = options;
  }

  /** Another dump came by. True if dumps are worth reading ahead from now on. */
  see(): boolean {
    this.#seen += 1;
    return !this.#isClosed && this.#seen > (this.#options.startAfter ?? START_AFTER);
  }

  get threadCount(): number {
    return this.#threads.length;
  }

  /** Dumps that threads have decoded. */
  get doneCount(): number {
    return this.#done;
  }

  get hasRoom(): boolean {
    return !this.#isClosed && this.#free.length > 0;
  }

  /** Settles with undefined if the dump has to be decoded here. `hasRoom` must hold. Never rejects. */
  decode(parts: readonly Buffer[], path: string, truncated: boolean): Promise<Decoded | undefined> {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    const slot = this.#free.pop();
    const thread = this.#thread();
    if (slot === undefined || thread === undefined || bytes > MAX_DECODED_BYTES) {
      if (slot !== undefined) this.#free.push(slot);
      return Promise.resolve(undefined);
    }
    const memory = this.#memory(slot, bytes);
    const place = Buffer.from(memory);
    let at = 0;
    for (const part of parts) at += part.copy(place, at);
    const order: DecodeOrder = { id: this.#nextId++, memory, bytes, path, truncated };
    return new Promise((resolve) => {
      thread.open.set(order.id, (decoded) => {
        this.#free.push(slot);
        resolve(decoded);
      });
      // While an answer is awaited the thread keeps the program running.
      thread.worker.ref();
      thread.worker.postMessage(order);
    });
  }

  /** Ends the threads; what was under way is told as undefined. */
  close(): void {
    this.#isClosed = true;
    for (const thread of this.#threads) this.#drop(thread);
  }

  #memory(slot: number, bytes: number): SharedArrayBuffer {
    const known = this.#memories[slot];
    if (known !== undefined && known.byteLength >= bytes) return known;
    const memory = new SharedArrayBuffer(2 ** Math.ceil(Math.log2(Math.max(bytes, 65_536))));
    this.#memories[slot] = memory;
    return memory;
  }

  /** The one with least to do; a further one is started while there are fewer than allowed. */
  #thread(): Thread | undefined {
    if (this.#isClosed) return undefined;
    const idle = this.#threads.find((thread) => thread.open.size === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < THREADS) return this.#start();
    return this.#threads.reduce((least, thread) => (thread.open.size < least.open.size ? thread : least));
  }

  #start(): Thread {
    const { codec, entry } = this.#options;
    const input: DecodeWorkerInput = { role: DECODE_ROLE, codec };
    const worker = new Worker(threadFile(entry), {
      workerData: input,
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: this.#options.heapMb ?? HEAP_MB },
    });
    const thread: Thread = { worker, open: new Map() };
    worker.on('message', (answer: DecodeAnswer) => {
      const settle = thread.open.get(answer.id);
      thread.open.delete(answer.id);
      if (thread.open.size === 0) worker.unref();
      if (answer.outputs !== undefined) this.#done += 1;
      settle?.(decodedOf(answer));
    });
    // One that died is not replaced: whatever ended it may be in the next dump, too.
    const died = () => {
      this.#isClosed = true;
      this.#drop(thread);
    };
    worker.on('error', died);
    worker.on('exit', died);
    this.#threads.push(thread);
    return thread;
  }

  #drop({ worker, open }: Thread): void {
    void worker.terminate();
    const waiting = [...open.values()];
    open.clear();
    for (const settle of waiting) settle(undefined);
  }
}

/** A program that runs from sources has a smaller file for this. */
const threadFile = (entry: string): string | URL =>
  entry.endsWith('.ts')
    ? new URL('decode-thread.ts', import.meta.url)
    : entry.startsWith('file:')
      ? new URL(entry)
      : entry;

function decodedOf({ outputs, packed }: DecodeAnswer): Decoded | undefined {
  if (outputs === undefined) return undefined;
  return {
    outputsFor: (entry) => outputs.map((output) => moved(output, entry)),
    packed: packed === undefined ? undefined : { codec: packed.codec, data: Buffer.from(packed.data.buffer) },
  };
}

function moved(output: NonNullable<DecodeAnswer['outputs']>[number], entry: EntryId): FormatOutput {
  switch (output.kind) {
    case 'packed-dump': {
      const source = { ...output.dump.source, entry };
      return { kind: 'dump', dump: { ...output.dump, source, columns: viewColumns(output.columns) } };
    }
    case 'issue':
      return output.source === undefined ? output : { ...output, source: { ...output.source, entry } };
    default:
      return output;
  }
}
