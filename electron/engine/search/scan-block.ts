/**
 * One block against one plan. Blocks in which no needle occurs are passed over as bytes; in others lines are read from the first on, as
 * far as the last one that may match, since keys and records depend on the lines before.
 *
 * Cost: decompression and one pass over the bytes for most blocks (about 300 MB/s), reading of envelopes where lines may match
 * (about 60 MB/s).
 */
import { isAscii } from 'node:buffer';
import type { LineFacts } from '#shared/search/line-facts.ts';
import { GRAVE_HINT } from '#shared/search/line-level.ts';
import { shapeHash } from '#shared/search/line-shape.ts';
import type { KeySpan, LineView, Plan, ResolvedFacts } from '#shared/search/plan.ts';
import { BlockFacts, BlockLines, type KeyedFacts } from './block-lines.ts';
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import type { LogFile } from './log-files.ts';
import { DENSITY_BUCKETS, ERROR_SLOT, levelSlot, type Tally, WARN_SLOT } from './tally.ts';

export interface ScanOptions {
  readonly index: CaseIndex;
  readonly plan: Plan;
  readonly basis: Basis;
  readonly matchCase: boolean;
  readonly tally: Tally;
  /** Also what is needed to put the matches in order and to fold them. */
  readonly detail: boolean;
}

/** Lines of one block that match. */
export interface BlockHits {
  readonly block: number;
  readonly count: number;
  readonly errors: number;
  readonly warnings: number;
  /** One bit a line; null = all of them, or none. */
  readonly bits: Uint8Array | null;
  readonly detail: HitDetail;
}

/** Of each match, in order. */
export interface HitDetail {
  readonly line: Int32Array;
  readonly keyNs: Float64Array;
  readonly rank: Int32Array;
  readonly slot: Uint8Array;
  readonly shape: Uint32Array;
  /** 1 = goes on the record of the line before it. */
  readonly continues: Uint8Array;
}

export const NO_DETAIL: HitDetail = {
  line: new Int32Array(0),
  keyNs: new Float64Array(0),
  rank: new Int32Array(0),
  slot: new Uint8Array(0),
  shape: new Uint32Array(0),
  continues: new Uint8Array(0),
};

const none = (block: number): BlockHits => ({ block, count: 0, errors: 0, warnings: 0, bits: null, detail: NO_DETAIL });

export function spanOf(index: CaseIndex, block: number, basis: Basis): KeySpan {
  const shift = shiftOf(index.files[index.blocks.file[block] ?? 0], basis);
  return { fromNs: (index.blocks.lo[block] ?? 0) - shift, toNs: (index.blocks.hi[block] ?? 0) - shift };
}

export function scanBlock(block: number, options: ScanOptions): BlockHits {
  const { index, plan, basis } = options;
  const file = index.files[index.blocks.file[block] ?? 0];
  if (file === undefined) return none(block);
  const known = plan.onBlock(file.scope, spanOf(index, block, basis));
  if (known === false) return none(block);
  const bytes = index.store.block(index.blocks.id[block] ?? -1);
  if (bytes === undefined) return none(block);
  const utf8 = index.blocks.encoding[block] === 0;
  if (known === null && utf8 && !mayMatch(bytes, options)) return none(block);
  const lines = new BlockLines(bytes, index, block);
  return collect(block, lines, file, known === true, options);
}

/** False if no line of the bytes can match. Only for UTF-8. */
function mayMatch(bytes: Buffer, { plan, matchCase }: ScanOptions): boolean {
  const { needles } = plan;
  if (needles !== null) {
    if (matchCase) return needles.some((needle) => bytes.includes(needle, 0, 'utf8'));
    // Case of other letters cannot be folded in bytes.
    if (!needles.every(isAsciiText)) return true;
    const text = bytes.toString('latin1').toLowerCase();
    return needles.some((needle) => text.includes(needle));
  }
  const text = bytes.toString('latin1');
  if (plan.needsGrave && !GRAVE_HINT.test(text)) return false;
  // Only over ASCII is a byte a character for the expression.
  return plan.blockTests.length === 0 || !isAscii(bytes) || plan.blockTests.every((test) => test.test(text));
}

const isAsciiText = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

class View implements LineView {
  readonly #file: LogFile;
  readonly #index: CaseIndex;
  readonly #shift: number;
  #facts: KeyedFacts | undefined;
  #lower: string | undefined;
  line = 0;
  text = '';

  constructor(index: CaseIndex, file: LogFile, basis: Basis) {
    this.#index = index;
    this.#file = file;
    this.#shift = shiftOf(file, basis);
  }

  show(line: number, text: string, facts: KeyedFacts): void {
    this.line = line;
    this.text = text;
    this.#facts = facts;
    this.#lower = undefined;
  }

  lower(): string {
    this.#lower ??= this.text.toLowerCase();
    return this.#lower;
  }

  facts(): ResolvedFacts {
    return resolveFacts(this.#index, this.#file, this.#facts, this.#shift);
  }
}

export function resolveFacts(
  index: CaseIndex,
  file: LogFile,
  keyed: KeyedFacts | undefined,
  shift: number,
): ResolvedFacts {
  const facts = keyed?.facts;
  const pod = facts?.pod ?? file.pod;
  return {
    rank: facts?.rank ?? file.rank,
    pod,
    node: pod === file.pod ? file.node : (index.nodeOfPod.get(pod ?? '') ?? null),
    level: () => facts?.level() ?? null,
    keyNs: (keyed?.keyNs ?? 0) - shift,
  };
}

function collect(block: number, lines: BlockLines, file: LogFile, all: boolean, options: ScanOptions): BlockHits {
  const { index, plan, basis, tally, detail } = options;
  const reader = new BlockFacts(index, block, lines);
  const view = new View(index, file, basis);
  const first = index.blocks.firstLine[block] ?? 1;
  const found = new HitColumns(detail ? lines.count : 0);
  const bits = new Uint8Array(Math.ceil(lines.count / 8));
  let count = 0;
  let errors = 0;
  let warnings = 0;
  for (let line = 0; line < lines.count; line += 1) {
    const keyed = reader.next();
    view.show(first + line, reader.text, keyed);
    if (!all && !plan.onLine(view, file.scope)) continue;
    const { facts, keyNs } = keyed;
    const slot = levelSlot(facts.level());
    const rank = facts.rank ?? file.rank;
    if (slot >= ERROR_SLOT) errors += 1;
    else if (slot === WARN_SLOT) warnings += 1;
    tally.count(file.index, rank, slot, bucketOf(index, keyNs));
    bits[line >> 3] = (bits[line >> 3] ?? 0) | (1 << (line & 7));
    if (detail) found.add(count, { line, keyNs, rank: rank ?? -1, slot, facts });
    count += 1;
  }
  return {
    block,
    count,
    errors,
    warnings,
    bits: count === lines.count ? null : bits,
    detail: detail ? found.first(count) : NO_DETAIL,
  };
}

interface Hit {
  readonly line: number;
  readonly keyNs: number;
  readonly rank: number;
  readonly slot: number;
  readonly facts: LineFacts;
}

class HitColumns {
  readonly #line: Int32Array;
  readonly #keyNs: Float64Array;
  readonly #rank: Int32Array;
  readonly #slot: Uint8Array;
  readonly #shape: Uint32Array;
  readonly #continues: Uint8Array;

  constructor(most: number) {
    this.#line = new Int32Array(most);
    this.#keyNs = new Float64Array(most);
    this.#rank = new Int32Array(most);
    this.#slot = new Uint8Array(most);
    this.#shape = new Uint32Array(most);
    this.#continues = new Uint8Array(most);
  }

  add(at: number, { line, keyNs, rank, slot, facts }: Hit): void {
    this.#line[at] = line;
    this.#keyNs[at] = keyNs;
    this.#rank[at] = rank;
    this.#slot[at] = slot;
    this.#shape[at] = shapeHash(facts.message);
    this.#continues[at] = facts.continues ? 1 : 0;
  }

  first(count: number): HitDetail {
    return {
      line: this.#line.slice(0, count),
      keyNs: this.#keyNs.slice(0, count),
      rank: this.#rank.slice(0, count),
      slot: this.#slot.slice(0, count),
      shape: this.#shape.slice(0, count),
      continues: this.#continues.slice(0, count),
    };
  }
}

export const hasBit = (bits: Uint8Array | null, line: number): boolean =>
  bits === null || ((bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;

/** Bucket of the case's span; −1 outside of it. */
export function bucketOf(index: CaseIndex, keyNs: number): number {
  const { span } = index.blocks;
  if (span === null || keyNs < span.fromNs || keyNs > span.toNs) return -1;
  const width = Math.max(1, span.toNs - span.fromNs) / DENSITY_BUCKETS;
  return Math.min(DENSITY_BUCKETS - 1, Math.floor((keyNs - span.fromNs) / width));
}
