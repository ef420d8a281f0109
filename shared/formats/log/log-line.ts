/** One line on its way from raw text to an event: the envelopes take their part off and note what it said. */
import type { RankBasis } from '../../model/events.ts';
import type { RawStamp } from './stamp.ts';

/** Best first: the trust order of the field. */
const RANK_TRUST: readonly RankBasis[] = [
  'rank-prefix',
  'default-pg',
  'app-prefix',
  'announced',
  'launcher-prefix',
  'file-name',
  'work-prefix',
];

/** True if `a` is a better reason to believe in a rank than `b`. */
export const isBetterBasis = (a: RankBasis, b: RankBasis | undefined): boolean =>
  b === undefined || RANK_TRUST.indexOf(a) < RANK_TRUST.indexOf(b);

/** Reused for every line of an entry; `reset` before each. */
export class LogLine {
  /** What remains after the envelopes taken off so far. */
  text = '';
  pod: string | undefined;
  container: string | undefined;
  namespace: string | undefined;
  /** `out`, `err` or empty: streams of a container may be interleaved in the middle of a record. */
  output: '' | 'out' | 'err' = '';
  /** A fragment whose rest follows (CRI tag `P`, Docker record without LF). */
  partial = false;
  host: string | undefined;
  pid: number | undefined;
  rank: number | undefined;
  rankBasis: RankBasis | undefined;
  localRank: number | undefined;
  /** Number that a launcher printed; the rank only as long as nothing speaks against it (`EntryMemory.taskIsRank`). */
  task: number | undefined;
  /** Which printer's mark the line carries, for telling interleaved records apart; empty = none. */
  tag = '';
  /** `ProcessGroupNCCL.cpp:616`: the line has a C++ or torch logger header. */
  header: string | undefined;
  /** The outermost stamp, and the next one inside it. */
  outer: RawStamp | undefined;
  inner: RawStamp | undefined;
  /** The program itself put a stamp on the line: it begins a log record of its own. */
  stamped = false;

  reset(text: string): void {
    this.text = text;
    this.pod = undefined;
    this.container = undefined;
    this.namespace = undefined;
    this.output = '';
    this.partial = false;
    this.host = undefined;
    this.pid = undefined;
    this.outer = undefined;
    this.inner = undefined;
    this.stamped = false;
    this.resetPrinter();
  }

  /** Forgets what the message itself said about its printer, for another message of the same physical line. */
  resetPrinter(): void {
    this.rank = undefined;
    this.rankBasis = undefined;
    this.localRank = undefined;
    this.task = undefined;
    this.tag = '';
    this.header = undefined;
  }

  drop(length: number): void {
    this.text = this.text.slice(length);
  }

  addStamp(stamp: RawStamp): void {
    this.stamped = true;
    if (this.outer === undefined) this.outer = stamp;
    else this.inner ??= stamp;
  }

  setTask(task: number, memory: EntryMemory): void {
    this.task = task;
    this.tag += `${task}:`;
    if (memory.taskIsRank) this.setRank(task, 'launcher-prefix');
  }

  setRank(rank: number, basis: RankBasis): void {
    if (!isBetterBasis(basis, this.rankBasis)) return;
    this.rank = rank;
    this.rankBasis = basis;
  }
}

/** What the envelopes of one entry have learned so far. */
export class EntryMemory {
  lines = 0;
  /** Hosts that pdsh-like prefixes were verified for. */
  readonly hosts = new Set<string>();
  /** `POD CONTAINER` pairs that stern announced. */
  readonly tailed = new Set<string>();
  /** `srun --label`: width of the label column and labels seen; off until the entry shows that it is labelled. */
  labelWidth = 0;
  labelLines = 0;
  readonly labels = new Set<number>();
  labelled = false;
  /** `[rank3]:` is torchrun's prefix here: the role is called rank, and the number is the local one. */
  rankIsRole = false;
  /** False once a task's line carried another rank: then tasks are nodes, or numbered otherwise. */
  taskIsRank = true;
  /** Place that a section header (`==== START logs for container …`) gives to the lines after it. */
  sectionPod: string | undefined;
  sectionContainer: string | undefined;
  sectionNamespace: string | undefined;
  /** The line just looked at is such a header itself: nobody's output. */
  isHeader = false;
}

/** A layer that a runtime, collector or launcher puts around a message. */
export interface Envelope {
  /** Equals the file name. */
  readonly id: string;
  /** Characters a line may begin with for this layer to be tried. */
  readonly first: string;
  /** Takes the layer off and notes what it said; false leaves the line as it was. */
  readonly peel: (line: LogLine, memory: EntryMemory) => boolean;
  readonly samples: readonly EnvelopeSample[];
}

export interface EnvelopeSample {
  readonly text: string;
  /** What the line shows afterwards; undefined = not this layer. Fields that are not given are not compared. */
  readonly expect:
    | Partial<Omit<LogLine, 'reset' | 'resetPrinter' | 'drop' | 'addStamp' | 'setRank' | 'setTask'>>
    | undefined;
}

export const DIGITS = '0123456789';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const defineEnvelope = (envelope: Envelope): Envelope => envelope;
