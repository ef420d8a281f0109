import type { Refusal } from './bundle-item.ts';
import { type BundleLimits, formatLimit } from './limits.ts';

/**
 * Running totals of one import against its limits. Every container counts through the same budget, so that many small
 * archives cannot add up to what one may not be.
 */
export class Budget {
  readonly limits: BundleLimits;
  readonly #inputBytes: number;
  #entries = 0;
  #bytes = 0;

  /** `inputBytes`: size of all inputs on disk; the ratio is measured against it. */
  constructor(limits: BundleLimits, inputBytes: number) {
    this.limits = limits;
    this.#inputBytes = inputBytes;
  }

  /** Unpacked bytes of all entries so far. */
  get bytes(): number {
    return this.#bytes;
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

  /** Counts bytes that were really unpacked. Refusal with `ratio-too-high` or `bundle-too-large`: stop the whole bundle. */
  addBytes(count: number): Refusal | undefined {
    this.#bytes += count;
    const { maxTotalBytes, maxRatio, ratioSlackBytes } = this.limits;
    if (this.#bytes > maxTotalBytes) {
      return {
        code: 'bundle-too-large',
        status: 'refused',
        detail: `unpacks to more than ${formatLimit(maxTotalBytes)}`,
      };
    }
    if (this.#bytes > this.#inputBytes * maxRatio + ratioSlackBytes) {
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
}
