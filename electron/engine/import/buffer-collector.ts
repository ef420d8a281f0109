import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes read between two looks at the memory. */
const LOOK_EVERY_BYTES = 8 * 1024 * 1024;
/** Garbage that is let stand: below what makes peaks of small and large bundles differ. Chosen. */
const MIN_GARBAGE_BYTES = 16 * 1024 * 1024;
/** Beyond the window of any codec: what is kept then are dumps, and collecting takes longer. */
const MANY_KEPT_BYTES = 256 * 1024 * 1024;

/** More than garbage that escaped a collection; chosen. */
const SOMETHING_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Keeps memory the same for bundles of any size. Reading makes garbage of buffers that live a little too long for the quick collection;
 * V8 then lets 64 MB of them stand before it looks, which a large bundle reaches and a small one does not (measured: 55 MiB between 50 and
 * 300 MB). A quick collection on request takes half a millisecond and finds nearly all of them; only what has grown old needs a whole one,
 * twenty times as long. Waiting a look longer before the whole one costs 20 to 30 MiB with xz and bzip2 (measured). What is kept (dumps)
 * raises the mark, so that it is not collected over and over.
 */
export class BufferCollector {
  #unseen = 0;
  #mark = MIN_GARBAGE_BYTES;
  #justCollected = false;

  /** `bytes` more were read. */
  read(bytes: number): void {
    this.#unseen += bytes;
    if (this.#unseen < LOOK_EVERY_BYTES) return;
    this.#unseen = 0;
    let held = process.memoryUsage().arrayBuffers;
    if (held >= this.#mark && collect !== undefined) {
      collect('minor');
      held = process.memoryUsage().arrayBuffers;
    }
    // Swept beside the program's own work, so what was kept shows at the next look only.
    if (this.#justCollected) {
      this.#mark = marked(held);
    }
    // What was swept only later, on a busy machine, had raised the mark too far.
    else if (held > SOMETHING_KEPT_BYTES) this.#mark = Math.min(this.#mark, marked(held));
    this.#justCollected = held >= this.#mark;
    if (this.#justCollected) collect?.('full');
  }
}

/** Where to collect next, with so much held. */
const marked = (held: number): number => held + Math.max(MIN_GARBAGE_BYTES, (held - MANY_KEPT_BYTES) / 2);

type Collect = (extent: 'minor' | 'full') => void;

/** V8's own collection; undefined where the runtime does not hand it out. */
const collect: Collect | undefined = collector();

function collector(): Collect | undefined {
  try {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    return typeof gc === 'function'
      ? (extent) => void Reflect.apply(gc, undefined, [{ type: extent === 'minor' ? 'minor' : 'major' }])
      : undefined;
  } catch {
    return undefined;
  }
}
