/** What a signature is: one shape of line (or of record of lines) and what it says. */
import type { EventBody, RankBasis } from '../../../model/events.ts';

/** A message as signatures see it: envelopes taken off. */
export interface Message {
  readonly text: string;
  /** File and line of a C++ or torch logger header, if the message had one. */
  readonly header: string | undefined;
  /** From NCCL's origin or another prefix. */
  readonly host: string | undefined;
  readonly pid: number | undefined;
  /** Printer's rank as far as envelopes told. */
  readonly rank: number | undefined;
  /** torch's mark was taken off (`[rank3]: `): only lines of one process's tracebacks carry it. */
  readonly marked: boolean;
  /** The program's own stamp was taken off: a log line of its own, not the rest of another one. */
  readonly stamped: boolean;
  /** For shapes whose lines belong together but may have others between them; one per place of a file. */
  readonly notes: Notes;
}

/** Text that came without any envelope: quoted by another line, or out of a field. */
export const bareMessage = (text: string): Message => ({
  text,
  header: undefined,
  host: undefined,
  pid: undefined,
  rank: undefined,
  marked: false,
  stamped: false,
  notes: {},
});

/** What earlier lines of the same place said that later ones need. */
export interface Notes {
  /** cgroup of the OOM kill that is being told. */
  oomCgroup?: string | undefined;
  oomScope?: 'container' | 'pod' | 'node' | 'unknown' | undefined;
  oomPid?: number | undefined;
  /** Lines of a locked clock so far, and the offset of the last one that was told, ms. */
  phcLines?: number;
  phcMs?: number;
  /** The log has only begun: what every log begins with tells nothing. */
  atStart?: boolean;
}

/** What the message says about its printer, where envelopes did not. */
export interface Printer {
  readonly rank?: number;
  readonly basis?: RankBasis;
  readonly localRank?: number | undefined;
  readonly pid?: number | undefined;
  readonly host?: string | undefined;
  /** Passed on from another process, which `pid` and `host` name: who printed the line is not whom it speaks of. */
  readonly relayed?: true;
}

export interface Hit {
  readonly body: EventBody;
  /** Further things that the same line says. */
  readonly also?: readonly EventBody[];
  readonly printer?: Printer;
}

export interface SignatureSample {
  readonly text: string;
  /** Envelope parts, where the shape uses them. */
  readonly host?: string;
  readonly pid?: number;
  readonly header?: string;
  readonly expect: EventBody | readonly EventBody[];
  readonly printer?: Printer;
}

export interface Signature {
  /** Unique; names the shape. */
  readonly id: string;
  /** A line without any of these (case matters, four characters or more) is never given to `match`. */
  readonly literals: readonly string[];
  readonly match: (message: Message) => Hit | undefined;
  readonly samples: readonly SignatureSample[];
  /** Lines that look alike and are something else: must not be claimed by this signature. */
  readonly nearMisses: readonly string[];
}

export const defineSignature = (signature: Signature): Signature => signature;

/** `more`: taken, and others may follow · `last`: taken, and the record is whole · `over`: not part of it · `pass`: not part of it, but it may go on. */
export type Taking = 'more' | 'last' | 'over' | 'pass';

/** A record of several lines in the making. */
export interface OpenRecord {
  readonly take: (message: Message) => Taking;
  /** What the record says, whole or cut. Called once. */
  readonly close: () => RecordHits;
}

export interface RecordHits {
  readonly hits: readonly Hit[];
  /** Message for the events' text; undefined = the text of the first line. */
  readonly text?: string;
  /** Lines that the record quotes and that may be shapes of their own: they yield events beside the record's. */
  readonly quotes?: readonly string[];
  /** The record says that what it tells was caught and did no harm. */
  readonly handled?: boolean;
}

export interface RecordSample {
  readonly lines: readonly string[];
  readonly header?: string;
  readonly expect: readonly EventBody[];
}

export interface RecordSignature {
  readonly id: string;
  readonly literals: readonly string[];
  /** Begins a record at its first line; `before` is the line before it from the same printer. */
  readonly open: (message: Message, before: string) => OpenRecord | undefined;
  readonly samples: readonly RecordSample[];
  readonly nearMisses: readonly string[];
}

export const defineRecord = (record: RecordSignature): RecordSignature => record;

/** Number of a capture; undefined if it did not take part. */
export const num = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
