/**
 * What the lines of one block say about themselves, read from the first on as far as is asked for. Of plain lines columns are filled from
 * their bytes; others are read in full. Text, severity and the rest of a line are looked for when they are asked for.
 */
import { type LineFacts, LineFactsReader, type Origin } from '#shared/search/line-facts.ts';
import { levelOf } from '#shared/search/line-level.ts';
import { shapeHash } from '#shared/search/line-shape.ts';
import { LEVELS, type Level } from '#shared/search/query.ts';
import { quickLevel, UNSURE } from '#shared/search/quick-level.ts';
import { QuickLine } from '#shared/search/quick-line.ts';
import type { BlockLines } from './block-lines.ts';
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
  readonly #hi: number;
  /** Lines that were read in full. */
  readonly #full = new Map<number, LineFacts>();
  /** Of plain lines that stand in the section of a Pod. */
  readonly #pods = new Map<number, string>();
  #key: number;
  #next = 0;

  /** `columns`: taken over; nobody else may fill them while this is used. */
  constructor(index: BlockPlace, block: number, lines: BlockLines, columns = new LineColumns()) {
    const file = index.files[index.blocks.file[block] ?? 0];
    const lo = index.blocks.lo[block] ?? 0;
    this.lines = lines;
    this.#columns = columns;
    columns.reserve(lines.count);
    this.#key = lo;
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
    this.#readTo(line);
    return this.#columns.keyNs[line] ?? 0;
  }

  /** Goes on the record of the line before it. */
  continues(line: number): boolean {
    this.#readTo(line);
    return ((this.#columns.flags[line] ?? 0) & CONTINUES) !== 0;
  }

  /** From the line's own mark; -1 = none. */
  rank(line: number): number {
    this.#readTo(line);
    return this.#columns.rank[line] ?? -1;
  }

  pod(line: number): string | null {
    this.#readTo(line);
    return this.#full.get(line)?.pod ?? this.#pods.get(line) ?? null;
  }

  /** Slot of the severity of the line's record. */
  slot(line: number): number {
    this.#readTo(line);
    const { head, level } = this.#columns;
    const first = head[line] ?? line;
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
    this.#readTo(line);
    const full = this.#full.get(line);
    const { message, end } = this.#columns;
    return full === undefined
      ? shapeHash(this.lines.latin1, message[line] ?? 0, end[line] ?? 0)
      : shapeHash(full.message);
  }

  /** Everything that is known of a line. */
  facts(line: number): LineFacts {
    this.#readTo(line);
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
    const runtime = quick.resolutionNs === 1 && !quick.zoneAssumed;
    this.#keep(line, this.#timeOf(quick), quick.rank, continues, runtime ? STAMPED_BY_RUNTIME : 0);
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
    flags[line] = continues ? kind | CONTINUES : kind;
  }
}

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
