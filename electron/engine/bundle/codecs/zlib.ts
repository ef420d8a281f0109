import { createGunzip, type Gunzip, type InflateRaw, type ZstdDecompress } from 'node:zlib';
import { CHUNK_BYTES } from '../byte-source.ts';
import type { DecompressEnd } from './decompress-end.ts';

/** One gzip stream, members concatenated. */
export const gunzip = (source: AsyncIterable<Buffer>, end: DecompressEnd): AsyncGenerator<Buffer> =>
  driveZlib(source, () => createGunzip({ chunkSize: CHUNK_BYTES }), end);

/**
 * Drives a zlib stream by hand: one piece of input, then everything it yields, then the next piece.
 * A pipeline would throw away what is buffered when the stream fails; here every byte before a cut is delivered.
 * Back-pressure follows from the order: no input is read before its output was taken. `make` may give any codec of node:zlib.
 */
export async function* driveZlib(
  source: AsyncIterable<Buffer>,
  make: () => Gunzip | InflateRaw | ZstdDecompress,
  end: DecompressEnd,
): AsyncGenerator<Buffer> {
  const stream = make();
  let error: NodeJS.ErrnoException | undefined;
  let finished = false;
  let given = 0;
  let wake: (() => void) | undefined;
  const signal = () => {
    wake?.();
    wake = undefined;
  };
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  stream.on('error', (e) => {
    error = e;
    signal();
  });
  stream.on('end', () => {
    finished = true;
    signal();
  });
  stream.on('readable', signal);

  async function* drainUntil(done: () => boolean): AsyncGenerator<Buffer> {
    for (;;) {
      const waiting = change();
      const piece: Buffer | null = stream.read();
      if (piece !== null) yield piece;
      else if (done() || error !== undefined || finished) return;
      else await waiting;
    }
  }

  try {
    for await (const input of source) {
      if (finished) {
        end.trailingBytes += input.length;
        continue;
      }
      let written = false;
      stream.write(input, () => {
        written = true;
        signal();
      });
      given += input.length;
      yield* drainUntil(() => written);
      if (error !== undefined) break;
      // The codec is done with this piece and left some of it: its end is on the way.
      if (!finished && stream.bytesWritten < given) yield* drainUntil(() => false);
      if (finished) {
        end.finished = true;
        end.rest = input.subarray(input.length - (given - stream.bytesWritten));
        end.trailingBytes += end.rest.length;
      }
    }
    if (error === undefined && !finished) {
      stream.end();
      yield* drainUntil(() => false);
    }
    if (error !== undefined) {
      end.cut = error.code === 'Z_BUF_ERROR' ? 'truncated' : 'damaged';
      end.detail = error.message;
    }
  } finally {
    stream.destroy();
  }
}
