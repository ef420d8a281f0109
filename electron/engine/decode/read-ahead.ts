/**
 * The items of a bundle, with recorder dumps read a few entries ahead, so that they are decoded while the entries before them are stored.
 *
 *   bundle.items()   d0  d1  d2  d3 │ d4 …        read: d0 … d3 are with the threads
 *   taken            d0                           by the importer, in the same order, chunk by chunk, as without this
 *
 * Reads ahead only across whole small dumps: at any other entry it stops until that one is taken. What is ahead is bounded.
 */
import type { BundleItem, EntryItem } from '../bundle/bundle-item.ts';
import { type Decoded, type DecodePool, MAX_DECODED_BYTES } from './decode-pool.ts';

/** What is on its way, by entry: dies with the entry. */
const underWay = new WeakMap<EntryItem, Promise<Decoded | undefined>>();

/** What a thread makes of the entry; undefined if it was not read ahead. */
export const decodedAhead = (item: EntryItem): Promise<Decoded | undefined> | undefined => underWay.get(item);

type Decoders = Pick<DecodePool, 'see' | 'hasRoom' | 'decode' | 'close'>;

interface Ahead {
  readonly item: BundleItem;
  /** The entry's bytes are not read yet, so that nothing behind it can be. */
  readonly isOpen: boolean;
}

/** Items that are read and not taken yet: threads may be done with all of them, so that the pool alone does not bound their number. */
const MAX_AHEAD = 8;
const canGoOn = (queue: readonly Ahead[]): boolean => queue.length < MAX_AHEAD && queue.at(-1)?.isOpen === false;

/**
 * The same items in the same order. Throws what reading throws. Without a pool nothing is read ahead; the pool is closed when there are no more
 * items, so that its threads' memory is free for what comes then.
 */
export async function* readAhead(
  source: AsyncIterable<BundleItem>,
  pool: Decoders | undefined,
): AsyncGenerator<BundleItem> {
  if (pool === undefined) {
    yield* source;
    return;
  }
  const items = source[Symbol.asyncIterator]();
  const queue: Ahead[] = [];
  let isOver = false;
  try {
    for (;;) {
      while (!isOver && (queue.length === 0 || (canGoOn(queue) && pool.hasRoom))) {
        const step = await items.next();
        if (step.done === true) isOver = true;
        else queue.push(await look(step.value, pool));
      }
      const next = queue.shift();
      if (next === undefined) return;
      yield next.item;
    }
  } finally {
    pool.close();
    await items.return?.();
  }
}

/** Reads the item if it is a small dump and the pool has been asked for some; else as little as tells that it is not. */
async function look(item: BundleItem, pool: Decoders): Promise<Ahead> {
  if (item.kind !== 'entry') return { item, isOpen: false };
  const { declaredBytes } = item;
  if (item.unopened !== undefined || declaredBytes === null || declaredBytes > MAX_DECODED_BYTES)
    return { item, isOpen: true };
  const chunks = item.chunks[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return { item: { ...item, chunks: replay([]) }, isOpen: false };
  if (!looksLikeDump(first.value) || !pool.see())
    return { item: { ...item, chunks: replay([first.value], chunks) }, isOpen: true };
  const parts: Buffer[] = [first.value];
  let bytes = first.value.length;
  while (bytes <= MAX_DECODED_BYTES) {
    const step = await chunks.next();
    if (step.done === true) {
      const read: EntryItem = { ...item, chunks: replay(parts) };
      const { refusal, truncatedAt } = item.end;
      if (refusal === undefined) underWay.set(read, pool.decode(parts, item.path, truncatedAt !== undefined));
      return { item: read, isOpen: false };
    }
    parts.push(step.value);
    bytes += step.value.length;
  }
  // Larger than it says: the rest is for the importer.
  return { item: { ...item, chunks: replay(parts, chunks) }, isOpen: true };
}

/** PROTO 2 to 5, the first bytes of every pickle that is read. */
const looksLikeDump = (head: Buffer): boolean => head[0] === 0x80 && (head[1] ?? 0) >= 2 && (head[1] ?? 0) <= 5;

/** Chunks that were read, then the rest. */
async function* replay(parts: readonly Buffer[], rest?: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* parts;
  if (rest === undefined) return;
  for (;;) {
    const step = await rest.next();
    if (step.done === true) return;
    yield step.value;
  }
}
