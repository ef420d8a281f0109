/**
 * One search from its first block to its last. Blocks nearest to where the user looks come first, small batches at the beginning so
 * that there is something to see at once. What is counted is exact for the blocks that were looked at, and says how many those are.
 */

import type { ParsedQuery } from '#shared/search/parse-query.ts';
import type { Plan } from '#shared/search/plan.ts';
import type { BatchWish } from './batch-scan.ts';
import type { BlockOutlines } from './block-outline.ts';
import type { BlockSeverities } from './block-severities.ts';
import type { Basis, CaseIndex } from './case-index.ts';
import { DensityCounts } from './density.ts';
import { type BlockHits, type HitDetail, NO_DETAIL, spanOf } from './scan-block.ts';
import type { Scanner, ScanOutcome } from './search-pool.ts';
import type { SearchRequest } from './search-request.ts';
import { levelSlot, Tally, WARN_SLOT } from './tally.ts';

export type RunStatus = 'searching' | 'done' | 'cancelled' | 'too-slow' | 'failed';

/** Matches that are put in order as a whole: folding, gaps and jumps work on them. Chosen: 8 MB, sorted in 0.1 s. */
export const MAX_LISTED = 250_000;
const FIRST_BATCH = 4;
const FULL_BATCH = 24;
/** Batches that a thread has at hand. */
const AHEAD = 2;

export interface RunHits {
  readonly count: number;
  readonly bits: Uint8Array | null;
  readonly errors: number;
  readonly warnings: number;
}

export interface SearchRunOptions {
  readonly id: number;
  readonly index: CaseIndex;
  readonly request: SearchRequest;
  readonly plan: Plan;
  readonly parsed: ParsedQuery;
  readonly severities: BlockSeverities;
  readonly outlines: BlockOutlines;
  /** Where the user looks, ns from the origin on the basis; null = from the beginning. */
  readonly nearNs: number | null;
  /** Stop at the first match: to know whether there is any. */
  readonly firstOnly?: boolean;
}

export class SearchRun {
  readonly id: number;
  readonly index: CaseIndex;
  readonly request: SearchRequest;
  readonly parsed: ParsedQuery;
  readonly tally = new Tally();
  readonly density: DensityCounts;
  /** Matches by block, as far as they are known. */
  readonly hits = new Map<number, RunHits>();
  /** Rises with every change of what is known. */
  version = 0;
  status: RunStatus = 'searching';
  matches = 0;
  doneBytes = 0;
  readonly wholeBytes: number;
  damaged = 0;
  /** Details of all matches by block, while they are few enough; undefined from then on. */
  details: Map<number, HitDetail> | undefined = new Map();
  /** Counts of lines known before anything is read are exact: every line of these blocks matches. */
  readonly allOfAll: boolean;
  readonly #queue: Int32Array;
  readonly #firstOnly: boolean;
  readonly #severities: BlockSeverities;
  readonly #outlines: BlockOutlines;
  #next = 0;
  #batches = 0;
  #sure = 0;
  readonly #counted = new Set<number>();
  readonly #waiting = new Set<() => void>();

  constructor({ id, index, request, plan, parsed, severities, outlines, nearNs, firstOnly }: SearchRunOptions) {
    this.id = id;
    this.index = index;
    this.density = new DensityCounts(index.density);
    this.request = request;
    this.parsed = parsed;
    this.#firstOnly = firstOnly === true;
    this.#severities = severities;
    this.#outlines = outlines;
    const least = levelSlot(plan.leastLevel);
    const maybe: number[] = [];
    for (let block = 0; block < index.blocks.count; block += 1) {
      const file = index.files[index.blocks.file[block] ?? 0];
      if (file === undefined || !severities.mayHold(block, least)) continue;
      const known = plan.onBlock(file.scope, spanOf(index, block, request.basis));
      if (known === false) continue;
      maybe.push(block);
      if (known === true) {
        const count = index.blocks.lines[block] ?? 0;
        this.hits.set(block, { count, bits: null, errors: 0, warnings: 0 });
        this.#sure += count;
      }
    }
    this.matches = this.#sure;
    if (this.matches > MAX_LISTED) this.details = undefined;
    this.allOfAll = this.hits.size === maybe.length;
    this.wholeBytes = maybe.reduce((sum, block) => sum + (index.blocks.bytes[block] ?? 0), 0);
    this.#queue = orderOf(maybe, index, request.basis, nearNs);
    if (least >= WARN_SLOT) promisingFirst(this.#queue, severities.promising());
    if (maybe.length === 0) this.status = 'done';
  }

  /** Looks at all blocks; resolves when that is done or ended. */
  async scan(scanners: readonly Scanner[]): Promise<void> {
    if (this.status !== 'searching') return;
    for (const scanner of scanners) scanner.start(this.id, this.request);
    await Promise.all(scanners.flatMap((scanner) => Array.from({ length: AHEAD }, () => this.#drive(scanner))));
    if (this.status === 'searching') this.#finish('done');
  }

  cancel(): void {
    if (this.status === 'searching') this.#finish('cancelled');
  }

  /** Resolves at the next change, or at once if the search is over. */
  changed(): Promise<void> {
    if (this.status !== 'searching') return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Files in which at least one line matches. */
  get matchedFiles(): number {
    const files = new Set<number>();
    for (const block of this.hits.keys()) files.add(this.index.blocks.file[block] ?? -1);
    return files.size;
  }

  async #drive(scanner: Scanner): Promise<void> {
    while (this.status === 'searching') {
      const blocks = this.#take();
      if (blocks.length === 0) return;
      const outcome = await scanner.scan(blocks, this.#wish(blocks));
      if (this.status !== 'searching') return;
      this.#receive(blocks, outcome);
    }
  }

  #wish(blocks: Int32Array): BatchWish {
    const outlines = this.#outlines;
    const isNews = blocks.some((block) => !outlines.has(block));
    return { detail: this.details !== undefined, outline: isNews ? outlines.tickBits : null };
  }

  #take(): Int32Array {
    const size = this.#batches < 8 ? FIRST_BATCH : FULL_BATCH;
    this.#batches += 1;
    const blocks = this.#queue.slice(this.#next, this.#next + size);
    this.#next += blocks.length;
    return blocks;
  }

  #receive(blocks: Int32Array, outcome: ScanOutcome): void {
    if (outcome === 'stuck' || outcome === 'failed') {
      this.#finish(outcome === 'stuck' ? 'too-slow' : 'failed');
      return;
    }
    for (const block of blocks) this.doneBytes += this.index.blocks.bytes[block] ?? 0;
    this.tally.add(outcome.tally);
    this.density.add(outcome.tally.density);
    this.damaged += outcome.damaged;
    for (const hit of outcome.hits) this.#add(hit);
    if (this.matches > MAX_LISTED) this.details = undefined;
    this.version += 1;
    if (this.#firstOnly && this.matches > 0) this.#finish('done');
    this.#tell();
  }

  #add(hit: BlockHits): void {
    const before = this.hits.get(hit.block)?.count ?? 0;
    this.matches += hit.count - before;
    const { count, bits, errors, warnings } = hit;
    this.hits.set(hit.block, { count, bits, errors, warnings });
    this.#counted.add(hit.block);
    this.#severities.learn(hit);
    if (hit.outline !== undefined) this.#outlines.learn(hit.block, hit.outline);
    this.details?.set(hit.block, hit.detail === NO_DETAIL ? NO_DETAIL : hit.detail);
  }

  #finish(status: RunStatus): void {
    this.status = status;
    this.version += 1;
    if (status !== 'done') this.details = undefined;
    this.#tell();
  }

  #tell(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** Nearest in time first; without a place to be near to, from the earliest on. */
function orderOf(blocks: readonly number[], index: CaseIndex, basis: Basis, nearNs: number | null): Int32Array {
  const near = nearNs ?? index.blocks.span?.fromNs ?? 0;
  const distance = new Float64Array(index.blocks.count);
  for (const block of blocks) {
    const { fromNs, toNs } = spanOf(index, block, basis);
    distance[block] = near < fromNs ? fromNs - near : near > toNs ? near - toNs : 0;
  }
  return Int32Array.from([...blocks].sort((a, b) => (distance[a] ?? 0) - (distance[b] ?? 0) || a - b));
}

/** Keeps the order among the others and among these. */
function promisingFirst(queue: Int32Array, promising: Uint8Array): void {
  const isFirst = (block: number): boolean => promising[block] === 1;
  queue.set([...queue.filter(isFirst), ...queue.filter((block) => !isFirst(block))]);
}
