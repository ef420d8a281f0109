/** What runs in the decoding thread (`decode-thread.ts`): from its text alone, so that nothing here may use anything of this module. */
import type * as Zlib from 'node:zlib';
import type { DirectCodec, directCodec } from '#shared/lib/direct-codec.ts';
import type { DecodeAnswer, DecodeOrder, DecodeThreadInput, ThreadCodec } from './decode-thread.ts';
import type { DecompressEnd } from './decompress-end.ts';
import type { driveZlib } from './zlib.ts';

/** Where decoded bytes go, in chunks of one size. */
export interface ChunkPlaces {
  /** The chunk that is being filled. */
  bytes: Uint8Array;
  /** Hands over its first bytes and takes a new one; false if the stream was stopped meanwhile. */
  next(bytes: number): Promise<boolean>;
}

/**
 * As `driveZlib`, with the same calls of the codec, but into chunks that the reader hands back. False if it was stopped.
 */
export async function decodeDirectly(
  codec: DirectCodec,
  flush: { readonly none: number; readonly finish: number },
  input: AsyncIterable<Uint8Array>,
  places: ChunkPlaces,
  end: DecompressEnd,
): Promise<boolean> {
  const empty = new Uint8Array(0);
  let at = 0;
  /** The input that the codec left, -1 if it refused, -2 if the stream was stopped. */
  const give = async (bytes: Uint8Array, how: number): Promise<number> => {
    for (let from = 0; ; ) {
      if (!codec.write(how, bytes, from, places.bytes, at)) return -1;
      from = bytes.length - codec.inputLeft;
      at = places.bytes.length - codec.outputLeft;
      if (at < places.bytes.length) return codec.inputLeft;
      if (!(await places.next(at))) return -2;
      at = 0;
    }
  };
  let left = 0;
  for await (const bytes of input) {
    if (end.finished) {
      end.trailingBytes += bytes.length;
      continue;
    }
    left = await give(bytes, flush.none);
    if (left < 0) break;
    if (left === 0) continue;
    // It has room and leaves input: its end was in this piece.
    end.finished = true;
    end.rest = Buffer.from(bytes.subarray(bytes.length - left));
    end.trailingBytes += left;
  }
  if (left >= 0 && !end.finished) left = await give(empty, flush.finish);
  if (left === -2) return false;
  const { failure } = codec;
  if (failure !== undefined) {
    end.cut = failure.code === 'Z_BUF_ERROR' ? 'truncated' : 'damaged';
    end.detail = failure.message;
  }
  return at === 0 || places.next(at);
}

/** What another codec decoded. */
export async function copyPieces(pieces: AsyncIterable<Buffer>, places: ChunkPlaces): Promise<void> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const bytes = piece.copy(places.bytes, 0, at);
      if (!(await places.next(bytes))) return;
      at += bytes;
    }
  }
}

export interface LoopParts {
  readonly decodeDirectly: typeof decodeDirectly;
  readonly copyPieces: typeof copyPieces;
  readonly directCodec: typeof directCodec;
  readonly driveZlib: typeof driveZlib;
}

/** The thread itself. */
export function decodeLoop(parts: LoopParts): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const zlib: typeof Zlib = process.getBuiltinModule('node:zlib');
  const { port, chunkBytes }: DecodeThreadInput = workerData;
  let inputs: Uint8Array[] = [];
  let isEnd = false;
  let isStopped = false;
  let turns = 0;
  let spare: ArrayBuffer[] = [];
  let wake: (() => void) | undefined;
  let waiting: Promise<void> | undefined;
  const change = () => {
    waiting ??= new Promise((resolve) => {
      wake = resolve;
    });
    return waiting;
  };
  const say = (answer: DecodeAnswer, transfer: readonly ArrayBuffer[] = []) => port.postMessage(answer, transfer);

  async function* input(): AsyncGenerator<Buffer> {
    for (;;) {
      const bytes = inputs.shift();
      if (bytes !== undefined) {
        say({ t: 'more' });
        yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      } else if (isEnd || isStopped) return;
      else await change();
    }
  }

  const newBuffer = () => spare.pop() ?? new ArrayBuffer(chunkBytes);
  /** False if the stream was stopped meanwhile. */
  async function hand(buffer: ArrayBuffer, bytes: number): Promise<boolean> {
    while (turns === 0 && !isStopped) await change();
    if (isStopped) return false;
    turns -= 1;
    say({ t: 'chunk', buffer, bytes }, [buffer]);
    return true;
  }

  async function run(codec: ThreadCodec): Promise<void> {
    const end: DecompressEnd = { cut: undefined, trailingBytes: 0, detail: '', finished: false, rest: undefined };
    const options = { chunkSize: chunkBytes };
    const make = () => (codec === 'gzip' ? zlib.createGunzip(options) : zlib.createZstdDecompress(options));
    const { Z_NO_FLUSH, Z_FINISH, ZSTD_e_continue, ZSTD_e_end } = zlib.constants;
    const flush =
      codec === 'gzip' ? { none: Z_NO_FLUSH, finish: Z_FINISH } : { none: ZSTD_e_continue, finish: ZSTD_e_end };
    let buffer = newBuffer();
    const places: ChunkPlaces = {
      bytes: new Uint8Array(buffer),
      async next(bytes) {
        const isGoingOn = await hand(buffer, bytes);
        buffer = newBuffer();
        places.bytes = new Uint8Array(buffer);
        return isGoingOn;
      },
    };
    const owner = make();
    const found = parts.directCodec(owner);
    if (found === undefined) await parts.copyPieces(parts.driveZlib(input(), make, end), places);
    else await parts.decodeDirectly(found, flush, input(), places, end);
    owner.destroy();
    say({ t: 'done', end });
  }

  port.on('message', (order: DecodeOrder) => {
    switch (order.t) {
      case 'open':
        inputs = [];
        isEnd = false;
        isStopped = false;
        turns = order.turns;
        void run(order.codec);
        break;
      case 'input':
        inputs.push(order.bytes);
        break;
      case 'end':
        isEnd = true;
        break;
      case 'turns':
        turns += order.turns;
        spare = [...spare, ...order.buffers].slice(0, 16);
        break;
      case 'stop':
        isStopped = true;
        break;
    }
    wake?.();
    wake = undefined;
    waiting = undefined;
  });
}
