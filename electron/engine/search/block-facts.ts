/**
 * What the lines of one block say about themselves, read from the first on as far as is asked for; where an outline of the block is known, only
 * those that are asked for. Of plain lines columns are filled from their bytes; others are read in full. Text, severity and the rest of a line
 * are looked for when they are asked for.
 */
import { type LineFacts, LineFactsReader, type Origin } from '#shared/search/line-facts.ts';
import { levelOf } from '#shared/search/line-level.ts';
import { shapeHash } from '#shared/search/line-shape.ts';
import { LEVELS, type Level } from '#shared/search/query.ts';
import { quickLevel, UNSURE } from '#shared/search/quick-level.ts';
import { QuickLine } from '#shared/search/quick-line.ts';
import type { BlockLines } from './block-lines.ts';
import { type BlockOutline, isMarked } from './block-outline.ts';
import type { BlockPlace } from './case-index.ts';
import type { LogFile } from './log-files.ts';
import { levelSlot } from './tally.ts';

/** Bytes of a line that facts are read from. */
export const MAX_FACT_BYTES = 16_384;
/** Longer lines may hold stamps inside (`spliced-stamps.ts`). */
const MAX_QUICK_BYTES = 8_000;
/** Of a runtime's stamp: no mark of a severity can begin in it. */
const STAMP_BYTES = 30;

/** In `flags`. */
const CONTINUES = 1;
const STAMPED_BY_RUNTIME = 2;
const WAS_READ = 4;

const UNKNOWN_LEVEL = -1;

/** What is kept of each line; can be filled again for another block. */
export class LineColumns {
  keyNs = new Float64Array(0);
  /** Where the message begins and the line ends, of plain lines. */
  message = new Int32Array(0);
  end = new Int32Array(0);
  /** First line of the record. */
  head = new Int32Array(0);
  /** From the line's own mark; -1 = none. */
  rank = new Int32Array(0);
  flags = new Uint8Array(0);
  /** Slot of the severity of plain and other lines taken alone, as far as it is known. */
  level = new Int8Array(0);

  reserve(lines: number): void {
    if (this.flags.length < lines) {
      this.keyNs = new Float64Array(lines);
      this.message = new Int32Array(lines);
      this.end = new Int32Array(lines);
      this.head = new Int32Array(lines);
      this.rank = new Int32Array(lines);
      this.flags = new Uint8Array(lines);
      this.level = new Int8Array(lines);
    }
    this.level.fill(UNKNOWN_LEVEL);
    this.flags.fill(0, 0, lines);
  }
}

const LEVEL_OF_SLOT: readonly (Level | null)[] = [null, ...LEVELS];

export class BlockFacts {
  readonly lines: BlockLines;
  readonly #columns: LineColumns;
  readonly #reader: LineFactsReader;
  readonly #origin: Origin;
  readonly #quick = new QuickLine();
  /** The grammar of `quick` is that of logs. */
  readonly #isLog: boolean;
  readonly #lo: number;
  readonly #hi: number;
  readonly #outline: BlockOutline | undefined;
  /** Lines that were read in full. */
  readonly #full = new Map<number, LineFacts>();
  /** Of plain lines that stand in the section of a Pod. */
  readonly #pods = new Map<number, string>();
  #key: number;
  #next = 0;

  /** `columns`: taken over; nobody else may fill them while this is used. `outline`: of this block, where it is known. */
  constructor(
    index: BlockPlace,
    block: number,
    lines: BlockLines,
    columns = new LineColumns(),
    outline: BlockOutline | undefined = undefined,
  ) {
    const file = index.files[index.blocks.file[block] ?? 0];
    const lo = index.blocks.lo[block] ?? 0;
    this.lines = lines;
    this.#columns = columns;
    columns.reserve(lines.count);
    this.#key = lo;
    this.#outline = outline;
    this.#lo = lo;
    this.#hi = index.blocks.hi[block] ?? lo;
    this.#origin = originOf(index, file);
    this.#isLog = file?.kind === 'log';
    this.#reader = new LineFactsReader({
      kind: file?.kind ?? 'text',
      origin: this.#origin,
      nearSeconds: file === undefined ? Number.NaN : nearOf(index, lo, file.nearSeconds),
    });
  }

  /** A line's place, ns from the origin, raw; never falls inside a file. */
  keyNs(line: number): number {
    const outlined = this.#outlinedKey(line);
    if (!Number.isNaN(outlined)) return outlined;
    this.#readTo(line);
    return this.#columns.keyNs[line] ?? 0;
  }

  /** Goes on the record of the line before it. */
  continues(line: number): boolean {
    this.#need(line);
    return ((this.#columns.flags[line] ?? 0) & CONTINUES) !== 0;
  }

  /** From the line's own mark; -1 = none. */
  rank(line: number): number {
    this.#need(line);
    return this.#columns.rank[line] ?? -1;
  }

  pod(line: number): string | null {
    this.#need(line);
    return this.#full.get(line)?.pod ?? this.#pods.get(line) ?? null;
  }

  /** Slot of the severity of the line's record. */
  slot(line: number): number {
    this.#need(line);
    const { head, level } = this.#columns;
    const first = head[line] ?? line;
    this.#need(first);
    const known = level[first] ?? UNKNOWN_LEVEL;
    if (known !== UNKNOWN_LEVEL) return known;
    const slot = levelSlot(this.#ownLevel(first));
    level[first] = slot;
    return slot;
  }

  level(line: number): Level | null {
    return LEVEL_OF_SLOT[this.slot(line)] ?? null;
  }

  /** For lines of a block that is held as text. */
  shapeHash(line: number): number {
    this.#need(line);
    const full = this.#full.get(line);
    const { message, end } = this.#columns;
    return full === undefined
      ? shapeHash(this.lines.latin1, message[line] ?? 0, end[line] ?? 0)
      : shapeHash(full.message);
  }

  /** Everything that is known of a line. */
  facts(line: number): LineFacts {
    this.#need(line);
    const level = (): Level | null => this.level(line);
    const full = this.#full.get(line);
    if (full !== undefined) {
      const { plain, message, timeNs, zoneAssumed, resolutionNs, rank, pod, continues } = full;
      return { plain, message, timeNs, zoneAssumed, resolutionNs, rank, pod, continues, level };
    }
    const { bytes, slices } = this.lines;
    const start = this.lines.start(line);
    const end = this.#columns.end[line] ?? start;
    const quick = this.#quick;
    quick.read(bytes, slices, start, end);
    const plain = slices.slice(start, end);
    return {
      plain,
      message: plain.slice(quick.text - start),
      timeNs: this.#timeOf(quick),
      zoneAssumed: quick.zoneAssumed,
      resolutionNs: quick.resolutionNs,
      rank: quick.rank < 0 ? null : quick.rank,
      pod: this.#pods.get(line) ?? null,
      continues: this.continues(line),
      level,
    };
  }

  #ownLevel(line: number): Level | null {
    const full = this.#full.get(line);
    if (full !== undefined) return levelOf(full.plain, full.message);
    const { bytes, slices } = this.lines;
    const { message, end, flags } = this.#columns;
    const from = this.lines.start(line);
    const text = message[line] ?? from;
    const to = end[line] ?? from;
    const look = ((flags[line] ?? 0) & STAMPED_BY_RUNTIME) === 0 ? from : from + STAMP_BYTES;
    const level = quickLevel(bytes, from, look, text, to);
    return level === UNSURE ? levelOf(slices.slice(from, to), slices.slice(text, to)) : level;
  }

  #timeOf({ seconds, nanos }: QuickLine): number {
    return seconds < 0 ? Number.NaN : (seconds - this.#origin.seconds) * 1e9 + (nanos - this.#origin.nanos);
  }

  /** For an outline: the line cannot be read without those before it. */
  isBound(line: number): boolean {
    this.#readTo(line);
    return this.#full.has(line) || this.#pods.size > 0;
  }

  /** NaN where the outline does not tell. */
  #outlinedKey(line: number): number {
    const outline = this.#outline;
    if (outline === undefined) return Number.NaN;
    const { head, tail, ticks, exact, baseNs, unitNs, continues, bound } = outline;
    if (line < head) return this.#lo;
    if (line >= ticks.length - tail) return this.#hi;
    if (exact) return baseNs + (ticks[line] ?? 0) * unitNs;
    // The key rose where the tick did, and there it is the line's own time.
    let first = line;
    while (first > head && ticks[first - 1] === ticks[line]) first -= 1;
    let key = Number.NaN;
    for (let at = first; at <= line; at += 1) {
      if (isMarked(bound, at)) return Number.NaN;
      if (isMarked(continues, at)) continue;
      this.#readAlone(at);
      const timeNs = this.#timeOf(this.#quick);
      if (Number.isNaN(key) || timeNs > key) key = Math.min(timeNs, this.#hi);
    }
    return key;
  }

  #need(line: number): void {
    if (((this.#columns.flags[line] ?? 0) & WAS_READ) !== 0) return;
    if (this.#outline === undefined || isMarked(this.#outline.bound, line)) this.#readTo(line);
    else this.#readOne(line, this.#outline);
  }

  /** A plain line alone; `quick` is that line afterwards. Returns its end. */
  #readAlone(line: number): number {
    const { lines } = this;
    const end = lines.plainEnd(line, MAX_QUICK_BYTES);
    this.#quick.read(lines.bytes, lines.slices, lines.start(line), end);
    return end;
  }

  #readOne(line: number, { continues }: BlockOutline): void {
    const { message, end, head, rank, flags } = this.#columns;
    let first = line;
    while (first > 0 && isMarked(continues, first)) first -= 1;
    end[line] = this.#readAlone(line);
    const quick = this.#quick;
    message[line] = quick.text;
    rank[line] = quick.rank;
    head[line] = first;
    flags[line] = WAS_READ | kindOf(quick) | (first < line ? CONTINUES : 0);
  }

  #readTo(line: number): void {
    const last = Math.min(line, this.lines.count - 1);
    while (this.#next <= last) {
      if (!this.#readQuick(this.#next)) this.#readFull(this.#next);
      this.#next += 1;
    }
  }

  #readQuick(line: number): boolean {
    if (!this.#isLog) return false;
    const { lines } = this;
    const end = lines.plainEnd(line, MAX_QUICK_BYTES);
    if (end < 0) return false;
    const quick = this.#quick;
    if (!quick.read(lines.bytes, lines.slices, lines.start(line), end)) return false;
    const continues = this.#reader.pass(quick, lines.bytes, lines.slices, end);
    const pod = this.#reader.sectionPod;
    if (pod !== null) this.#pods.set(line, pod);
    const { message, end: ends } = this.#columns;
    message[line] = quick.text;
    ends[line] = end;
    this.#keep(line, this.#timeOf(quick), quick.rank, continues, kindOf(quick));
    return true;
  }

  #readFull(line: number): void {
    const facts = this.#reader.read(this.lines.text(line, MAX_FACT_BYTES));
    this.#full.set(line, facts);
    this.#keep(line, facts.timeNs, facts.rank ?? -1, facts.continues, 0);
  }

  #keep(line: number, timeNs: number, ownRank: number, continues: boolean, kind: number): void {
    // A record stays where its first line is.
    if (!continues && timeNs > this.#key) this.#key = Math.min(timeNs, this.#hi);
    const { keyNs, head, rank, flags } = this.#columns;
    keyNs[line] = this.#key;
    rank[line] = ownRank;
    head[line] = continues ? (head[line - 1] ?? line) : line;
    flags[line] = WAS_READ | (continues ? kind | CONTINUES : kind);
  }
}

const kindOf = ({ resolutionNs, zoneAssumed }: QuickLine): number =>
  resolutionNs === 1 && !zoneAssumed ? STAMPED_BY_RUNTIME : 0;

/** Where a file's zone is proven its lines are read against the origin as it would have been written there. */
function originOf({ origin }: BlockPlace, file: LogFile | undefined): Origin {
  const zoneNs = file?.zoneNs ?? 0;
  return zoneNs === 0 ? origin : { ...origin, seconds: origin.seconds + zoneNs / 1e9 };
}

/** Lines without a year are near the block's own time, else near the file's first dated one. */
function nearOf(index: BlockPlace, lo: number, fileSeconds: number): number {
  const { span } = index.blocks;
  return span !== null && lo <= span.toNs ? index.origin.seconds + lo / 1e9 : fileSeconds;
}
