/** The line reader behind `pod-log`: envelopes off, records joined, shapes found, coverage counted. */
import type { EventBody } from '../../model/events.ts';
import type { EntryContext, FormatOutput, LineReader, LineRun } from '../../model/format.ts';
import { finishEntry } from './entry-summary.ts';
import { peelCarriers, peelEnvelopes } from './envelopes/index.ts';
import { cutSectionEnd } from './envelopes/section-header.ts';
import { type Draft, type LinePlace, type Origin, originOf, rankOf, toEvent } from './event-draft.ts';
import { EntryMemory, LogLine } from './log-line.ts';
import { createMatcher, type Found, MAX_LOOK, type Matcher } from './matcher.ts';
import { type PathFacts, readPath } from './path-facts.ts';
import { type Pending, PlaceBook } from './place-book.ts';
import { QuickLines, type SaidStep } from './quick-lines.ts';
import { quotedHits } from './quoted-hits.ts';
import type { Hit, Message } from './signatures/define.ts';
import { RECORDS, SIGNATURES } from './signatures/index.ts';
import progress from './signatures/progress.ts';
import { SPLICED_FROM, withoutSplices } from './spliced-stamps.ts';
import { type RawStamp, rawOf, toMs } from './stamp.ts';
import { plainText, segments } from './terminal-text.ts';
import { createYearKeeper, type YearKeeper } from './year-keeper.ts';

export const MATCHER: Matcher = createMatcher(RECORDS, SIGNATURES);

/** Records that are open at a time in one place; the oldest is closed for a new one. */
const MAX_PENDING = 256;
/** The same for all places of the entry together: a record can hold tens of kilobytes. */
const MAX_OPEN = 2_048;
/** Places of one file; lines of further ones are taken to the file's own place. */
const MAX_PLACES = 20_000;
/** Ranks counted for the file list. */
const MAX_PRINTERS = 100_000;
/** Text joined from fragments of one record, in characters. */
const MAX_JOINED = 65_536;

/** A C++ header: in the middle of a line, another process or a progress bar was printing in front of it. */
const HEADER = /\[[VIWEF]\d{3,4} \d\d:\d\d:\d\d\.\d{6,9} /;
const MARK_BEFORE = /\[rank\d{1,7}\]:$/;

export function openLog(context: EntryContext, emit: (output: FormatOutput) => void): LineReader {
  return new LogReader(context, emit, readPath(context.path), false);
}

/** A message whose carrier is no text in front of it: a log service's record, a section of a larger document. */
export interface LogRecord {
  readonly text: string;
  readonly stamp: RawStamp | undefined;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly namespace: string | undefined;
  /** The node that it was collected on. */
  readonly node: string | undefined;
  readonly output: '' | 'out' | 'err';
  readonly place: LinePlace;
}

/** Reads records in the order of time, whatever their order in the entry. */
export interface RecordReader {
  record(record: LogRecord): void;
  end(): void;
}

/**
 * For records that name their own place: the entry's name says nothing about them.
 * `newestFirst`: they are handed over in the opposite of the entry's order.
 */
export function openRecords(
  context: EntryContext,
  emit: (output: FormatOutput) => void,
  newestFirst = false,
): RecordReader {
  const path = { ...readPath(context.path), pod: undefined, container: undefined, fileRank: undefined };
  return new LogReader(context, emit, path, newestFirst);
}

class LogReader implements LineReader, RecordReader {
  private readonly context: EntryContext;
  private readonly emit: (output: FormatOutput) => void;
  private readonly path: PathFacts;
  private readonly memory = new EntryMemory();
  private readonly current = new LogLine();
  private readonly places = new Map<string, PlaceBook>();
  private readonly years: YearKeeper;
  private readonly counts = new Map<EventBody['kind'], number>();
  private book: PlaceBook | undefined;
  private readonly printers = new Set<number>();
  private openRecords = 0;
  private readonly newestFirst: boolean;
  private readonly quick: QuickLines;
  /** The last draft that was offered, and whether it is a step that the line read last said on its own. */
  private saidStep: SaidStep | undefined;
  private saysOnlyStep = false;

  constructor(context: EntryContext, emit: (output: FormatOutput) => void, path: PathFacts, newestFirst: boolean) {
    this.newestFirst = newestFirst;
    this.context = context;
    this.emit = emit;
    this.path = path;
    this.years = createYearKeeper((draft) => this.emitDraft(draft));
    this.quick = new QuickLines({
      ...{ memory: this.memory, years: this.years, path },
      ownBook: () => this.ownBook(),
      saidStep: () => (this.saysOnlyStep ? this.saidStep : undefined),
    });
  }

  skim(run: LineRun): void {
    this.quick.skim(run);
  }

  line(text: string, lineNumber: number, byte: number, length: number): number {
    const line = this.current;
    line.reset(plainText(text.length > SPLICED_FROM ? withoutSplices(text) : text));
    return this.read(line, { line: lineNumber, byte, length });
  }

  record({ text, stamp, pod, container, namespace, node, output, place }: LogRecord): void {
    const line = this.current;
    line.reset(plainText(text));
    line.pod = pod;
    line.container = container;
    line.namespace = namespace;
    line.host = node;
    line.output = output;
    line.outer = stamp;
    this.read(line, place);
    if (node !== undefined) this.book?.noteHost(node);
  }

  private read(line: LogLine, place: LinePlace): number {
    this.saysOnlyStep = false;
    this.memory.lines += 1;
    if (this.memory.sectionPod !== undefined) cutSectionEnd(line, this.memory);
    peelCarriers(line, this.memory);
    line.stamped = false;
    if (this.memory.isHeader) {
      this.memory.isHeader = false;
      return Number.NaN;
    }
    const book = this.bookOf(line);
    if (line.partial) {
      this.years.see(line);
      book.countLine(line, place);
      this.addFragment(book, line, place);
      return line.outer === undefined ? Number.NaN : toMs(line.outer);
    }
    const ownOuter = line.outer;
    const from = this.joinFragments(book, line) ?? place;
    this.message(book, line, from, place);
    const stamp = ownOuter ?? line.outer;
    return stamp === undefined ? Number.NaN : toMs(stamp);
  }

  end(): void {
    for (const book of this.places.values()) {
      for (const [output, fragments] of book.fragments) {
        const line = this.current;
        line.reset(fragments.text);
        line.pod = book.pod;
        line.container = book.container;
        line.namespace = book.namespace;
        line.output = output === 'err' ? 'err' : output === 'out' ? 'out' : '';
        line.outer = fragments.outer;
        book.fragments.delete(output);
        this.message(book, line, fragments.place, undefined);
      }
      for (const pending of book.pending.splice(0)) this.closeRecord(book, pending);
      book.gate.flush();
    }
    this.years.end();
    finishEntry({
      context: this.context,
      path: this.path,
      places: [...this.places.values()],
      counts: this.counts,
      years: this.years,
      printers: this.printers,
      emit: this.emit,
    });
  }

  /** The book of the line's place; a line that names none belongs to the file's own. */
  private bookOf(line: LogLine): PlaceBook {
    line.pod ??= this.memory.sectionPod;
    if (line.pod === undefined) {
      line.pod = this.path.pod;
      line.container ??= this.path.container;
    } else if (line.pod === this.memory.sectionPod) {
      line.container ??= this.memory.sectionContainer;
      line.namespace ??= this.memory.sectionNamespace;
    }
    const last = this.book;
    if (last !== undefined && last.pod === line.pod && last.container === line.container) return last;
    const key = placeKey(line.pod, line.container);
    let book = this.places.get(key);
    if (book === undefined) {
      if (this.places.size >= MAX_PLACES && last !== undefined) return last;
      book = new PlaceBook(line, (draft) => this.years.pass(draft));
      book.newestFirst = this.newestFirst;
      this.places.set(key, book);
    }
    this.book = book;
    return book;
  }

  /** As `bookOf` for a line that names no place, but never a new one. */
  private ownBook(): PlaceBook | undefined {
    const { pod, container } = this.path;
    const last = this.book;
    if (last !== undefined && last.pod === pod && last.container === container) return last;
    const book = this.places.get(placeKey(pod, container));
    if (book !== undefined) this.book = book;
    return book;
  }

  private addFragment(book: PlaceBook, line: LogLine, place: LinePlace): void {
    const known = book.fragments.get(line.output);
    if (known === undefined) book.fragments.set(line.output, { text: line.text, place, outer: line.outer });
    else if (known.text.length < MAX_JOINED) known.text += line.text;
  }

  /** Puts the fragments before `line` in front of it; gives the place of the first one. */
  private joinFragments(book: PlaceBook, line: LogLine): LinePlace | undefined {
    if (book.fragments.size === 0) return undefined;
    const known = book.fragments.get(line.output);
    if (known === undefined) return undefined;
    book.fragments.delete(line.output);
    line.text = known.text + line.text;
    line.outer = known.outer;
    return known.place;
  }

  /** One message: its parts between carriage returns, the last of which is what a terminal would show. */
  private message(book: PlaceBook, line: LogLine, place: LinePlace, last: LinePlace | undefined): void {
    if (line.text.includes('\r')) {
      const parts = segments(line.text);
      for (const part of parts.slice(0, -1)) {
        line.text = part;
        line.resetPrinter();
        peelEnvelopes(line, this.memory);
        this.years.see(line);
        this.lookForProgress(book, line, place);
      }
      line.resetPrinter();
      line.text = parts.at(-1) ?? '';
    }
    peelEnvelopes(line, this.memory);
    this.years.see(line);
    this.handle(book, line, place, last ?? place);
    if (last !== undefined) book.countLine(line, place);
  }

  private handle(book: PlaceBook, line: LogLine, place: LinePlace, last: LinePlace): void {
    const marked = line.rankBasis === 'rank-prefix' || line.rankBasis === 'app-prefix';
    if (line.task !== undefined && marked && line.rank !== line.task) this.memory.taskIsRank = false;
    const column = book.column.read(line.text);
    const columnRank = column === undefined ? undefined : book.column.rankOf(column);
    if (columnRank !== undefined) {
      line.setRank(columnRank, 'app-prefix');
      line.tag += `c${columnRank}:`;
    }
    const taken = book.pending.length > 0 && this.offerToRecords(book, line, last);
    const printer = taken ? undefined : this.match(book, line, place, column);
    const rank = printer ?? line.rank;
    if (rank === undefined || (printer === undefined && line.rankBasis === undefined)) return;
    if (this.printers.size < MAX_PRINTERS) this.printers.add(rank);
    book.countRank(rank, line.rankBasis ?? 'announced', line, place);
  }

  /** Finds what the message says; returns a rank that the message itself gives with certainty for its printer. */
  private match(book: PlaceBook, line: LogLine, place: LinePlace, column: number | undefined): number | undefined {
    if (line.text.length > MAX_LOOK) line.text = line.text.slice(0, MAX_LOOK);
    let candidates = MATCHER.candidates(line.text);
    if (candidates.length === 0) return undefined;
    if (this.splitGlued(book, line, place)) candidates = MATCHER.candidates(line.text);
    const message = toMessage(line, book);
    // Only records ask what stood before them, and they come first.
    if ((candidates[0] ?? 0) < RECORDS.length) this.quick.settleLastText(book);
    const before = book.lastTag === line.tag ? book.lastText : '';
    const found = MATCHER.match(message, candidates, before);
    if (found === undefined) return undefined;
    const origin = originOf(line, place, this.path.host);
    if (found.kind === 'record') {
      this.openRecord(book, line, origin, found);
      return undefined;
    }
    const own = found.hit.printer?.basis === 'announced' ? found.hit.printer.host : undefined;
    const host = line.host ?? own;
    if (host !== undefined && host !== book.pod) book.noteHost(host);
    this.offer(book, found.hit, origin, line.text, place.line);
    this.saysOnlyStep = found.id === progress.id && candidates.length === 1 && isBare(line);
    const { body, printer } = found.hit;
    if (body.kind === 'rank-announced') {
      book.column.announced(body.rank, column);
      if (line.task !== undefined && line.task !== body.rank) this.memory.taskIsRank = false;
    }
    const certain = printer?.basis === 'announced' || printer?.basis === 'default-pg';
    return certain && line.rankBasis !== 'rank-prefix' ? printer?.rank : undefined;
  }

  /** Looks at what stands before a header in the middle of the line, then goes on with the header. */
  private splitGlued(book: PlaceBook, line: LogLine, place: LinePlace): boolean {
    if (line.header !== undefined) return false;
    const at = line.text.search(HEADER);
    if (at <= 0) return false;
    const mark = MARK_BEFORE.exec(line.text.slice(Math.max(0, at - 20), at))?.[0].length ?? 0;
    const before = line.text.slice(0, at - mark);
    if (before.trim() === '') return false;
    const whole = line.text;
    line.text = before;
    this.lookForProgress(book, line, place);
    line.text = whole.slice(before.length);
    line.resetPrinter();
    peelEnvelopes(line, this.memory);
    this.years.see(line);
    return true;
  }

  private lookForProgress(book: PlaceBook, line: LogLine, place: LinePlace): void {
    const candidates = MATCHER.candidates(line.text);
    if (candidates.length === 0) return;
    const found = MATCHER.match(toMessage(line, book), candidates, '');
    if (found?.kind !== 'hit' || !PROGRESS_KINDS.has(found.hit.body.kind)) return;
    this.offer(book, found.hit, originOf(line, place, this.path.host), line.text, place.line);
  }

  private openRecord(book: PlaceBook, line: LogLine, origin: Origin, found: Extract<Found, { kind: 'record' }>): void {
    if (book.pending.length >= MAX_PENDING || this.openRecords >= MAX_OPEN) {
      const oldest = book.pending.shift();
      if (oldest === undefined) return;
      this.closeRecord(book, oldest);
    }
    this.openRecords += 1;
    book.pending.push({
      record: found.record,
      origin,
      tag: line.tag,
      output: line.output,
      loose: line.header !== undefined,
      text: line.text,
      lastLine: origin.line,
    });
  }

  /** True if an open record of this printer took the line. Newest first. */
  private offerToRecords(book: PlaceBook, line: LogLine, place: LinePlace): boolean {
    for (let i = book.pending.length - 1; i >= 0; i--) {
      const pending = book.pending[i];
      if (pending === undefined || pending.output !== line.output) continue;
      if (pending.tag !== line.tag && !(pending.loose && line.tag === '')) continue;
      const taking = pending.record.take(toMessage(line, book));
      if (taking === 'pass') continue;
      if (taking !== 'over') pending.lastLine = place.line;
      if (taking !== 'more') {
        book.pending.splice(i, 1);
        this.closeRecord(book, pending);
      }
      if (taking !== 'over') return true;
    }
    return false;
  }

  private closeRecord(book: PlaceBook, pending: Pending): void {
    this.openRecords -= 1;
    const said = pending.record.close();
    const quoted = said.quotes === undefined ? [] : quotedHits(said.quotes, said.handled === true);
    const printer = quoted.find((hit) => hit.printer !== undefined)?.printer;
    const text = said.text ?? pending.text;
    for (const hit of said.hits) {
      const own = printer === undefined ? hit : { ...hit, printer: { ...printer, ...hit.printer } };
      this.offer(book, own, pending.origin, text, pending.lastLine);
    }
    for (const hit of quoted) this.offer(book, hit, pending.origin, text, pending.lastLine);
  }

  private offer(book: PlaceBook, hit: Hit, origin: Origin, text: string, lastLine: number): void {
    const bodies = hit.also === undefined ? [hit.body] : [hit.body, ...hit.also];
    for (const body of bodies) {
      const draft: Draft = { body, origin, printer: hit.printer, text, lastLine };
      if (body.kind === 'failure-summary') {
        for (const { time } of body.failures) {
          if (time !== undefined) this.years.learn(rawOf(time));
        }
      }
      const who = rankOf(draft, this.path.fileRank).rank ?? `${origin.localRank ?? ''}/${origin.pid ?? ''}`;
      this.saidStep = { draft, printer: String(who) };
      book.gate.offer(draft, String(who));
    }
  }

  private emitDraft(draft: Draft): void {
    this.counts.set(draft.body.kind, (this.counts.get(draft.body.kind) ?? 0) + 1);
    this.emit({ kind: 'event', event: toEvent(draft, this.context.entry, this.path.fileRank) });
  }
}

const placeKey = (pod: string | undefined, container: string | undefined): string => `${pod ?? ''}\0${container ?? ''}`;

/** Nothing stands around the message but stamps, marks of ranks and columns. */
const isBare = ({ header, task, host, pid, localRank, partial, inner }: LogLine): boolean =>
  header === undefined &&
  task === undefined &&
  host === undefined &&
  pid === undefined &&
  localRank === undefined &&
  inner?.yearless !== true &&
  !partial;

const PROGRESS_KINDS: ReadonlySet<EventBody['kind']> = new Set(['progress', 'operation-start', 'operation-end']);

const toMessage = (line: LogLine, book: PlaceBook): Message => ({
  text: line.text,
  header: line.header,
  host: line.host,
  pid: line.pid,
  rank: line.rank,
  marked: line.rankBasis === 'rank-prefix',
  stamped: line.stamped,
  notes: book.notes,
});
