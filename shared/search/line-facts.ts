/**
 * Time, rank, Pod, severity and record of the lines of a file, by the same envelopes that the import peels. Nothing of it is
 * stored: it is read again from the lines that are searched or shown. A reader starts anywhere at the beginning of a line; what only
 * earlier lines told (the Pod of a section, a year) may then be missing, and stays unknown.
 */

import { readKernelLine } from '../formats/kernel-line.ts';
import { peelCarriers, peelEnvelopes } from '../formats/log/envelopes/index.ts';
import { EntryMemory, LogLine } from '../formats/log/log-line.ts';
import { SPLICED_FROM, withoutSplices } from '../formats/log/spliced-stamps.ts';
import { type RawStamp, withYearNear } from '../formats/log/stamp.ts';
import { plainText } from '../formats/log/terminal-text.ts';
import { findStamp } from '../formats/unknown-text.ts';
import { levelOf } from './line-level.ts';
import type { Level } from './query.ts';
import { type BlockText, NO_MARK, type QuickLine, TORCH_MARK } from './quick-line.ts';

/** The origin of a case's relative times. */
export interface Origin {
  readonly seconds: number;
  readonly nanos: number;
}

export interface LineFacts {
  /** The line without escape sequences and NULs. */
  readonly plain: string;
  /** What remains after the envelopes: what was said. */
  readonly message: string;
  /** ns from the origin, raw, on the clock of the file; NaN if the line has none. */
  readonly timeNs: number;
  /** The stamp names no zone: UTC is an assumption. */
  readonly zoneAssumed: boolean;
  /** How finely the stamp was written, ns; 0 if there is none. */
  readonly resolutionNs: number;
  /** From the line's own mark. */
  readonly rank: number | null;
  readonly pod: string | null;
  /** Goes on the record of the line before it: frames of a traceback, the parts of a C++ message. */
  readonly continues: boolean;
  /** Severity of the line's record. Looked for when it is asked for: most lines that are read are never asked. */
  level(): Level | null;
}

class Facts implements LineFacts {
  readonly plain: string;
  readonly message: string;
  readonly timeNs: number;
  readonly zoneAssumed: boolean;
  readonly resolutionNs: number;
  readonly rank: number | null;
  readonly pod: string | null;
  readonly continues: boolean;
  /** The first line of the record. */
  readonly head: Facts | undefined;
  #level: Level | null | undefined;

  constructor(
    line: LogLine,
    plain: string,
    more: {
      timeNs: number;
      pod: string | null;
      head: Facts | undefined;
      continues: boolean;
    },
  ) {
    this.plain = plain;
    this.message = line.text;
    this.timeNs = more.timeNs;
    this.zoneAssumed = line.outer?.zoneAssumed === true;
    this.resolutionNs = line.outer?.resolutionNs ?? 0;
    this.rank = line.rank ?? null;
    this.pod = more.pod;
    this.continues = more.continues;
    this.head = more.head;
  }

  level(): Level | null {
    if (this.head !== undefined) return this.head.level();
    this.#level ??= levelOf(this.plain, this.message);
    return this.#level;
  }
}

export type LineKind = 'log' | 'kernel' | 'text';

/** Which reading a format's lines get. */
export const lineKindOf = (format: string | null): LineKind =>
  format === 'pod-log' || format === 'nccl-ras' ? 'log' : format === 'kernel-log' ? 'kernel' : 'text';

export interface LineReaderOptions {
  readonly kind: LineKind;
  readonly origin: Origin;
  /** Seconds since 1970 near the lines, for stamps without a year; NaN = unknown, and such stamps give no time. */
  readonly nearSeconds: number;
}

const CONTINUED = /^(?:\s{2}|\t|frame #\d|Exception raised from |During handling of the above|The above exception was)/;
const TRACEBACK = /^\s{0,4}(?:\+ )?(?:Exception Group )?Traceback \(most recent call last\)/;
/** By the first byte of a message: it may go on a record, or begin a traceback. Others do so only behind a traceback's frames. */
const MAY_BELONG = new Uint8Array(256);
for (const first of ' \t\v\f\r\nfED+T') MAY_BELONG[first.charCodeAt(0)] = 1;
const EXCEPTION_LINE = /^(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,80}(?::|$)/;

export class LineFactsReader {
  private readonly options: LineReaderOptions;
  private readonly line = new LogLine();
  private readonly memory = new EntryMemory();
  private nearSeconds: number;
  private lastTag = '';
  private last: Facts | undefined;
  /** A line was read: what comes may go on its record. */
  private hasLast = false;
  private inTraceback = false;

  constructor(options: LineReaderOptions) {
    this.options = options;
    this.nearSeconds = options.nearSeconds;
  }

  read(text: string): LineFacts {
    const plain = plainText(text);
    const { line } = this;
    this.peel(plain);
    const separate = line.stamped || line.header !== undefined;
    const continues = this.continues(line.text, line.tag, separate);
    const head = continues ? (this.last?.head ?? this.last) : undefined;
    const pod = line.pod ?? this.memory.sectionPod ?? null;
    this.last = new Facts(line, plain, { timeNs: this.timeOf(line.outer), pod, head, continues });
    return this.last;
  }

  /**
   * Goes past a plain line that was read as bytes, [from, end) of `block`. Returns whether it goes on the record of the line before.
   * What `read` returns afterwards is the same as if it had read this line, except that `level` of a line that goes on a record is
   * then its own: the caller knows the record's first line.
   */
  pass(quick: QuickLine, bytes: Uint8Array, block: BlockText, end: number): boolean {
    if (this.options.kind === 'log') this.memory.lines += 1;
    if (quick.seconds >= 0) this.nearSeconds = quick.seconds;
    const tag = quick.mark === NO_MARK ? '' : `${quick.mark === TORCH_MARK ? 'r' : 'a'}${quick.rank}:`;
    this.last = undefined;
    if (quick.text < end && MAY_BELONG[bytes[quick.text] ?? 0] === 0 && !this.inTraceback) {
      this.lastTag = tag;
      this.hasLast = true;
      return false;
    }
    return this.continues(block.slice(quick.text, end), tag, quick.stamped);
  }

  /** Pod of the section that the line read last stands in. */
  get sectionPod(): string | null {
    return this.memory.sectionPod ?? null;
  }

  private peel(plain: string): void {
    const { line, memory } = this;
    if (this.options.kind === 'log') {
      memory.lines += 1;
      line.reset(plain.length > SPLICED_FROM ? withoutSplices(plain) : plain);
      peelCarriers(line, memory);
      line.stamped = false;
      memory.isHeader = false;
      // Lines are read in any order: each must say by itself whose mark it bears.
      memory.rankIsRole = false;
      // Of parts between carriage returns a terminal shows the last one.
      if (line.text.includes('\r')) line.text = line.text.slice(line.text.lastIndexOf('\r', line.text.length - 2) + 1);
      peelEnvelopes(line, memory);
      return;
    }
    line.reset(plain);
    if (this.options.kind === 'kernel') {
      const read = readKernelLine(plain);
      if (read === undefined) return;
      line.text = read.text;
      line.outer = read.stamp;
      return;
    }
    const stamp = findStamp(plain);
    if (stamp !== undefined) line.outer = stamp;
  }

  /** `separate`: the line begins a record of its own by what stands in front of it. */
  private continues(message: string, tag: string, separate: boolean): boolean {
    const before = this.inTraceback;
    const other = !this.hasLast || tag !== this.lastTag || separate;
    this.hasLast = true;
    this.lastTag = tag;
    if (other) {
      this.inTraceback = TRACEBACK.test(message);
      return false;
    }
    if (TRACEBACK.test(message)) {
      this.inTraceback = true;
      return before;
    }
    if (message.trim() === '') return before;
    if (CONTINUED.test(message)) return true;
    this.inTraceback = false;
    return before && EXCEPTION_LINE.test(message);
  }

  private timeOf(raw: RawStamp | undefined): number {
    if (raw === undefined || raw.kind === 'boot') return Number.NaN;
    let stamp = raw;
    if (raw.yearless) {
      const known = Number.isFinite(this.nearSeconds) ? this.nearSeconds : Number.NaN;
      if (Number.isNaN(known)) return Number.NaN;
      stamp = withYearNear(raw, known);
    } else this.nearSeconds = raw.seconds;
    const { origin } = this.options;
    return (stamp.seconds - origin.seconds) * 1e9 + (stamp.nanos - origin.nanos);
  }
}
