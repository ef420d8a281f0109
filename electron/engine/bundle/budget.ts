import type { Refusal, UnitTotals } from './bundle-item.ts';
import { type BundleLimits, formatLimit } from './limits.ts';

/**
 * Running totals of one import against its limits. Every container counts through the same budget, so that many small
 * archives cannot add up to what one may not be.
 */
export class Budget {
  readonly limits: BundleLimits;
  readonly #inputBytes: number;
  #entries: number;
  #bytes = 0;
  #work = 0;

  /** `inputBytes`: size of all inputs on disk; the ratio is measured against it. `entries`: members that were counted before. */
  constructor(limits: BundleLimits, inputBytes: number, entries = 0) {
    this.limits = limits;
    this.#inputBytes = inputBytes;
    this.#entries = entries;
  }

  /** Unpacked bytes of all entries so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** All that was counted so far. */
  totals(): UnitTotals {
    return { entries: this.#entries, bytes: this.#bytes, work: this.#work };
  }

  /** Counts what was read in an earlier run. */
  add(totals: UnitTotals): void {
    this.#entries += totals.entries;
    this.#bytes += totals.bytes;
    this.#work += totals.work;
  }

  /** Counts one more member. Refusal: the container must not be read any further. */
  addEntry(): Refusal | undefined {
    this.#entries += 1;
    if (this.#entries <= this.limits.maxEntries) return undefined;
    return { code: 'too-many-entries', status: 'refused', detail: `more than ${this.limits.maxEntries} entries` };
  }

  /** Judges a size that a header declares, before anything is read. */
  checkDeclared(bytes: number): Refusal | undefined {
    if (bytes <= this.limits.maxEntryBytes) return undefined;
    return {
      code: 'entry-too-large',
      status: 'refused',
      detail: `${formatLimit(bytes)} unpacked, limit ${formatLimit(this.limits.maxEntryBytes)} an entry`,
    };
  }

  /** Counts bytes of entries. Refusal with `ratio-too-high` or `bundle-too-large`: stop the whole bundle. */
  addBytes(count: number): Refusal | undefined {
    this.#bytes += count;
    return this.#checkTotal(this.#bytes);
  }

  /**
   * Counts what a decompressor gave, entry or not: archives inside archives, and members that are passed over, take time and space as
   * well. Returns false if the whole bundle must stop; `exceeded` is set then. The piece that passes the limit is still let through, so
   * that the entry in which it happens is the one that is refused.
   */
  addWork(count: number): boolean {
    this.exceeded ??= this.#checkTotal(this.#work);
    this.#work += count;
    return this.exceeded === undefined;
  }

  #checkTotal(bytes: number): Refusal | undefined {
    const { maxTotalBytes, maxRatio, ratioSlackBytes } = this.limits;
    if (bytes > maxTotalBytes) {
      return {
        code: 'bundle-too-large',
        status: 'refused',
        detail: `unpacks to more than ${formatLimit(maxTotalBytes)}`,
      };
    }
    if (bytes > this.#inputBytes * maxRatio + ratioSlackBytes) {
      return {
        code: 'ratio-too-high',
        status: 'refused',
        detail: `unpacks to more than ${maxRatio} times its size plus ${formatLimit(ratioSlackBytes)}`,
      };
    }
    return undefined;
  }

  /** Set once a limit of the bundle as a whole was passed. */
  exceeded: Refusal | undefined;
}

/** Delivers `source` while the budget lasts; otherwise ends early with `end.refusal` set. */
export async function* budgeted(
  source: AsyncIterable<Buffer>,
  budget: Budget,
  end: { refusal: Refusal | undefined },
): AsyncGenerator<Buffer> {
  let own = 0;
  for await (const chunk of source) {
    own += chunk.length;
    const whole = budget.addBytes(chunk.length);
    if (whole !== undefined) budget.exceeded = whole;
    const refusal = whole ?? budget.checkDeclared(own);
    if (refusal !== undefined) {
      end.refusal = refusal;
      return;
    }
    yield chunk;
  }
  // A layer below was stopped: what came is not all.
  end.refusal ??= budget.exceeded;
}
