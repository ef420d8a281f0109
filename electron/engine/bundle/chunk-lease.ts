/**
 * Buffers that go round instead of becoming garbage. A chunk may be on lease: once every byte of its buffer was handed back by whoever
 * read it, the lender gets the buffer again. What is never handed back (headers of archives, bytes that somebody keeps) only costs that
 * the buffer is collected like any other, so nobody has to know of leases.
 *
 * The lender takes the memory away from this thread: a view that was kept against the rule is empty afterwards, never other bytes.
 */

interface Lease {
  bytesLeft: number;
  readonly giveBack: (buffer: ArrayBuffer) => void;
}

const leases = new WeakMap<ArrayBufferLike, Lease>();

/** The first `bytes` bytes of `buffer`, to be handed back in any pieces. `giveBack` is called at most once. */
export function leaseChunk(buffer: ArrayBuffer, bytes: number, giveBack: (buffer: ArrayBuffer) => void): Buffer {
  leases.set(buffer, { bytesLeft: bytes, giveBack });
  return Buffer.from(buffer, 0, bytes);
}

/** Says that this chunk, all of it, is not needed any more. Each byte may be handed back once. Does nothing for chunks without a lease. */
export function releaseChunk(chunk: Buffer): void {
  const { buffer } = chunk;
  const lease = leases.get(buffer);
  if (lease === undefined || !(buffer instanceof ArrayBuffer)) return;
  lease.bytesLeft -= chunk.length;
  if (lease.bytesLeft > 0) return;
  leases.delete(buffer);
  lease.giveBack(buffer);
}
