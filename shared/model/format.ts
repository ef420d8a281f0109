/** What a format is: the contract between `shared/formats/*` and the import pipeline. */

import type { LogEvent, LogStream } from './events.ts';
import type { FlightRecorderDump } from './flight-recorder.ts';
import type { EntryId } from './ids.ts';
import type { IssueCode, IssueSeverity } from './issue.ts';
import type { KubeEvent, LeaseObject, NodeObject, PodObject, WorkloadObject } from './kubernetes.ts';
import type { SourceRef } from './source-ref.ts';
import type { TimeReport } from './time-service.ts';

/** What a parser yields. Nothing is thrown because of input. */
export type FormatOutput =
  | { readonly kind: 'event'; readonly event: LogEvent }
  | { readonly kind: 'stream'; readonly stream: LogStream }
  | { readonly kind: 'pod'; readonly pod: PodObject }
  | { readonly kind: 'kube-event'; readonly kubeEvent: KubeEvent }
  | { readonly kind: 'lease'; readonly lease: LeaseObject }
  | { readonly kind: 'node'; readonly node: NodeObject }
  | { readonly kind: 'workload'; readonly workload: WorkloadObject }
  | { readonly kind: 'dump'; readonly dump: FlightRecorderDump }
  | { readonly kind: 'time-report'; readonly report: TimeReport }
  | {
      readonly kind: 'issue';
      readonly code: IssueCode;
      readonly severity: IssueSeverity;
      readonly source: SourceRef | undefined;
      readonly detail: string;
    }
  /** One short clause for the file list; the last one wins. */
  | { readonly kind: 'summary'; readonly text: string }
  /** Ends the entry with this status; without it: `read`, or `warned` if an issue of severity warning or worse was yielded. */
  | {
      readonly kind: 'status';
      readonly status: 'refused' | 'failed' | 'truncated' | 'empty' | 'skipped';
      readonly detail: string;
    };

/** The first bytes of an entry (at most HEAD_BYTES) and what else is known before it is read. */
export interface EntryHead {
  readonly bytes: Uint8Array;
  /** `bytes` decoded as UTF-8 with replacement. */
  readonly text: string;
  /** Bundle path; a hint only. */
  readonly path: string;
  /** True if `bytes` is the whole entry. */
  readonly whole: boolean;
}
export const HEAD_BYTES = 4096;

/** 0 = not mine; 1 = certainly mine. Ties between formats are a bug of the formats. `why` is shown to the user. */
export interface Claim {
  readonly score: number;
  readonly why: string;
}

export interface EntryContext {
  readonly entry: EntryId;
  readonly path: string;
}

interface FormatBase {
  readonly id: string;
  /** A person's word: "Pod log", "recorder dump", "Pod list". */
  readonly title: string;
  readonly claim: (head: EntryHead) => Claim | undefined;
}

/** Numbers of a record of a scanner: end of the line, begin of its text, seconds, ms, rank, output (0, 1 = out, 2 = err) + 4 for torch's mark, two unused. */
export const SCANNED_INTS = 8;

/**
 * Machine code for what a reader does with plain lines (no literal of any shape in it, layers that are sure): exactly its twin, only
 * quicker. Made for one reader's literals; see `electron/engine/import/prefilter`.
 */
export interface LineScanner {
  /** Records of the last scan, SCANNED_INTS numbers a line. */
  readonly records: Int32Array;
  /** Reads plain lines of the run from `run.at` on, up to the first that is none; returns how many. The end of the run is left to the twin. */
  scan(from: number): number;
}

/** Lines that lie one after the other in memory, on their way past a reader that needs no text of most of them. */
export interface LineRun {
  /** Told apart by this: another number, other bytes. */
  readonly serial: number;
  readonly bytes: Uint8Array;
  /** Behind the last byte of the last line. */
  readonly to: number;
  /** Every byte is below 128. */
  readonly ascii: boolean;
  /** Offset of `bytes[0]` in the entry. */
  readonly byte: number;
  /** Where the bytes lie so that it can reach them. */
  readonly scanner?: LineScanner | undefined;
  /** First byte and number of the next line; the reader moves both on. */
  at: number;
  line: number;
  /** Index of the next byte of this value at or after `from`, -1 if there is none. */
  find(value: number, from: number): number;
  /** Bytes [from, to) as text, one character a byte. */
  text(from: number, to: number): string;
  /** The time of so many lines, as `line` would return it: all of them in the same second. */
  onTime(ms: number, lines: number): void;
}

/** Reads whole lines, in order. `line` returns the line's time in ms since 1970 or NaN (for histograms), and may emit. */
export interface LineReader {
  line(text: string, lineNumber: number, byte: number, length: number): number;
  /**
   * Takes as many lines of the run as it can without their text, up to the first that `line` must read, and leaves `run.at` there. Gives
   * exactly what `line` would have given for each. Called before each line, and once more at the end of the run: its bytes are gone then.
   */
  skim?(run: LineRun): void;
  end(): void;
}
export interface LineFormat extends FormatBase {
  readonly shape: 'lines';
  readonly open: (context: EntryContext, emit: (output: FormatOutput) => void) => LineReader;
}

/** Reads the whole entry at once. Larger entries are refused with `document-too-large`. */
export interface DocumentFormat extends FormatBase {
  readonly shape: 'document';
  readonly maxBytes: number;
  /** What the user can do about a larger one, in a clause. */
  readonly ifTooLarge?: string;
  /** `truncated`: the container ended early and `bytes` may be cut. */
  readonly parse: (bytes: Uint8Array, context: EntryContext, truncated: boolean) => Iterable<FormatOutput>;
}

/** Recognised, kept and hashed, but not used: an image, a core dump, an HTML page. Counts as not readable (exit status 3). */
export interface IgnoredFormat extends FormatBase {
  readonly shape: 'ignored';
  readonly issue: IssueCode;
  readonly detail: string;
}

export type Format = LineFormat | DocumentFormat | IgnoredFormat;

export const defineLineFormat = (format: Omit<LineFormat, 'shape'>): LineFormat => ({ ...format, shape: 'lines' });
export const defineDocumentFormat = (format: Omit<DocumentFormat, 'shape'>): DocumentFormat => ({
  ...format,
  shape: 'document',
});
export const defineIgnoredFormat = (format: Omit<IgnoredFormat, 'shape'>): IgnoredFormat => ({
  ...format,
  shape: 'ignored',
});
