import type { ChainedException, EventBody, ExceptionClass, StackFrame } from '../../../model/events.ts';
import { classifyException } from '../exception-class.ts';
import { clip } from '../terminal-text.ts';
import { type Message, num, type OpenRecord, type Printer, type RecordHits, type Taking } from './define.ts';
import { createErrorTail } from './nccl-error-tail.ts';

export const HEADER = 'Traceback (most recent call last):';
const ABOUT_RANK = /^\s*Traceback \(most recent call last\):\s*\(RANK (\d{1,7})\)/;
const FRAME = /^\s{0,40}(?:\|\s{0,8})?File "([^"]{1,400})", line (\d{1,8})(?:, in (.{1,200}))?/;
const CHAINED =
  /^(?:\s*\|?\s*)(The above exception was the direct cause of the following exception:|During handling of the above exception, another exception occurred:)/;
/** Ray's driver on the process whose exception it passes on, named by what follows: `ray::Worker.step() (pid=4711, ip=10.0.0.5, …)`. */
const RAY_TASK = /^ray::[^()]{0,200}\(\) \(pid=(\d{1,8}), ip=([0-9A-Fa-f.:]{3,45})/;
/** Megatron names the rank that raises, which is the printer: several write one log without marks. */
const OWN_RANK = /^Rank (\d{1,7})(?:: found (?:NaN|Inf)\b|, node \S{1,120}, device \d{1,5}, iteration )/;
const NATIVE_NOISE =
  /^(?:Exception raised from |frame #\d{1,4}: |<omitting python frames>|C\+\+ CapturedTraceback:|#\d{1,3} )/;
const PROCESS_ENDED = /^-- Process (\d{1,5}) terminated with the following (?:error|exit code)/;
/** A type, perhaps dotted, perhaps with the inner type of a Ray wrapper, and its message. */
const EXCEPTION = /^(?:\s*\|\s*)?((?:[A-Za-z_]\w{0,80}\.){0,12}[A-Za-z_]\w{0,80})(\([\w.]{1,120}\))?(?::(?: (.*))?)?$/s;
/** Beginnings of log records of their own. */
export const LOG_START = /^(?:\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)\]?[\s:|]|\[rank\d|\[default\d)/;
/** The failure block of torchrun follows its own exception without a blank line. */
const RULE = /^\s*[=*-]{10,}\s*$/;
/** Python's own words for an exception that went nowhere. */
const IGNORED = /^Exception ignored (?:in|while)\b|^--- Logging error ---/;
const FAILURE = /\b(?:fail(?:ed|ure|s)?|errors?|exception|could not|cannot|can't|unable|timed out|problem)\b/i;
const GOES_ON =
  /\b(?:retrying|will retry|retry \d{1,3}|trying again|try again|ignoring|ignored|skipping|skipped|falling back|continuing|recovered|using (?:the|a|its) (?:copy|backup|fallback|default|cached))\b/i;
const GOES_ON_AFTER =
  /\b(?:retrying|will retry|retry)\b.{0,60}(?:\d\/\d|\battempt\b|\bin \d)|\b(?:falling back to|continuing without|recovered from)\b/i;

/** The line before a traceback says that what follows was caught: a failure and going on, in one sentence. */
const isHandledBefore = (line: string): boolean => IGNORED.test(line) || (FAILURE.test(line) && GOES_ON.test(line));

const MAX_FRAMES = 40;
const MAX_MESSAGE = 600;
/** More of a message is kept for telling its shape: a fingerprint mismatch alone has over a thousand characters. */
const MAX_LINE = 8000;
const MAX_LINES = 40;
/** Characters kept of all messages of one record. */
const MAX_RECORD = 32_768;
const MAX_SECTIONS = 16;
/** Characters kept of each exception of a chain but the last. */
const MAX_CHAINED = 160;
const MAX_SOURCE = 200;
/** Lines of others tolerated inside a record before it is given up. */
const MAX_STRANGERS = 400;

interface Section {
  readonly frames: StackFrame[];
  /** Source line of the newest frame; empty until it is seen. */
  source: string;
  type: string;
  lines: string[];
  /** Why it follows the one before: `cause` is `raise … from`. */
  readonly relation: 'first' | 'cause' | 'context' | 'inner';
  readonly aboutRank: number | undefined;
}

const newSection = (relation: Section['relation'], aboutRank?: number): Section => ({
  frames: [],
  source: '',
  type: '',
  lines: [],
  relation,
  aboutRank,
});

/** Of which calls the source line is kept: whom a rank waits for is told by their arguments. */
const DISTRIBUTED = /\/torch\/distributed\//;

function pushFrame(section: Section, frame: StackFrame): void {
  const caller = section.frames.at(-1);
  if (caller !== undefined && section.source !== '' && DISTRIBUTED.test(frame.file) && !DISTRIBUTED.test(caller.file))
    section.frames[section.frames.length - 1] = { ...caller, text: section.source };
  section.frames.push(frame);
  section.source = '';
}

/** The last line of a traceback; undefined for any other line. */
function readException(text: string): { type: string; message: string } | undefined {
  const match = EXCEPTION.exec(text.length > MAX_LINE ? text.slice(0, MAX_LINE) : text);
  if (match === null) return undefined;
  const type = match[1] ?? '';
  const name = type.split('.').at(-1) ?? '';
  // Python prints the module of every class but its own built-in ones, and those all end in one of these words.
  const plausible = type.includes('.')
    ? /^[A-Z]|error|exception|timeout/i.test(name)
    : /(?:Error|Exception|Exit|Interrupt|Iteration|Warning|Group)$/.test(name);
  if (!plausible) return undefined;
  return { type: match[2] === undefined ? type : `${type}${match[2]}`, message: match[3] ?? '' };
}

/** A class of the program's own main module, which Python prints without a module: `BadRecord: 3 bytes missing`. */
const OWN_CLASS = /^([A-Z][a-z0-9]{1,40}(?:[A-Z]\w{0,40})?)(?:: (.*))?$/s;
const TWO_WORDS = /^[A-Z][a-z0-9]+[A-Z]/;

/** Reads the lines of one traceback; see `traceback.ts` for its shapes. */
export class TracebackReader implements OpenRecord {
  private readonly sections: Section[];
  private mode: 'frames' | 'message' | 'blank' | 'chain';
  private relation: Section['relation'] = 'inner';
  private strangers = 0;
  private size = 0;
  private handled: boolean;
  private localRank: number | undefined;
  private readonly tail = createErrorTail();
  private readonly first: Message;

  constructor(first: Message, before: string, start: { type: string; message: string } | undefined) {
    this.first = first;
    this.handled = isHandledBefore(before.slice(0, 1000));
    this.localRank = num(PROCESS_ENDED.exec(before)?.[1]);
    this.sections = [newSection('first', num(ABOUT_RANK.exec(first.text)?.[1]))];
    this.mode = start === undefined ? 'frames' : 'message';
    if (start !== undefined) this.setException(start);
  }

  take(message: Message): Taking {
    if (message.header !== undefined) return this.mode === 'frames' ? this.stranger() : 'over';
    const { text } = message;
    if (NATIVE_NOISE.test(text)) return 'more';
    if (this.mode === 'frames') return this.takeInFrames(message);
    if (text.trim() === '') {
      if (this.mode === 'message') this.mode = 'blank';
      return 'more';
    }
    const chained = CHAINED.exec(text)?.[1];
    if (chained !== undefined) {
      this.relation = chained.startsWith('The above') ? 'cause' : 'context';
      this.mode = 'chain';
      return 'more';
    }
    if (text.includes(HEADER)) return this.takeHeader(text);
    const ended = PROCESS_ENDED.exec(text);
    if (ended !== null) {
      this.localRank = num(ended[1]);
      this.relation = 'inner';
      this.mode = 'chain';
      return 'more';
    }
    if (this.mode === 'chain') return this.stranger();
    return this.takeMessageLine(message);
  }

  close(): RecordHits {
    const final = this.finalSection();
    if (final === undefined) return { hits: [] };
    const inner = this.sections.filter((section) => section.relation === 'inner' && section.frames.length > 0);
    const outer = inner.includes(final) ? this.sections[0] : undefined;
    const frames = [
      ...final.frames.toReversed(),
      ...(outer === undefined || outer === final ? [] : outer.frames.toReversed()),
    ];
    const message = final.lines.join('\n');
    const exceptionClass = this.classOf(final, frames.slice(0, MAX_FRAMES));
    const body: EventBody = {
      kind: 'exception',
      type: final.type,
      message: message.slice(0, MAX_MESSAGE),
      class: exceptionClass,
      frames: frames.slice(0, MAX_FRAMES),
      handled: this.handled,
      ...this.chainOf(final),
    };
    return {
      hits: [{ body, printer: this.printerOf(final) }],
      text: this.textOf(final, message),
      quotes: [...this.causesOf(final), final].flatMap(({ type, lines: [first = '', ...more] }) => [
        first === '' ? type : `${type}: ${first}`,
        ...more,
      ]),
      handled: this.handled,
    };
  }

  private printerOf(final: Section): Printer {
    const rank = num(OWN_RANK.exec(final.lines[0] ?? '')?.[1]);
    if (rank !== undefined) return { rank, basis: 'announced' };
    const tasks = this.sections.slice(0, this.sections.indexOf(final)).flatMap(({ type, lines: [first = ''] }) => {
      const match = type.includes('RayTaskError') ? RAY_TASK.exec(first) : null;
      return match === null ? [] : [{ pid: Number(match[1]), host: match[2] }];
    });
    const task = tasks.at(-1);
    if (task !== undefined) return { ...task, relayed: true };
    return this.localRank === undefined ? {} : { localRank: this.localRank };
  }

  private takeInFrames(message: Message): Taking {
    const { text } = message;
    const frame = FRAME.exec(text);
    if (frame !== null) {
      pushFrame(this.current(), { file: frame[1] ?? '', line: Number(frame[2]), name: (frame[3] ?? '').trim() });
      if (this.current().frames.length > 2 * MAX_FRAMES) this.current().frames.splice(0, MAX_FRAMES);
      return 'more';
    }
    if (text.includes(HEADER)) return this.current().frames.length === 0 ? 'more' : 'over';
    if (this.isOwnRecord(message)) return this.stranger();
    if (text === '' || /^\s/.test(text)) {
      const margin = /^\s*\|\s/.test(text) ? readException(text) : undefined;
      if (margin === undefined) {
        const section = this.current();
        if (section.source === '') section.source = text.trim().slice(0, MAX_SOURCE);
        return 'more';
      }
      this.setException(margin);
      return 'more';
    }
    const exception = readException(text) ?? this.ownClass(message);
    if (exception === undefined) return this.stranger();
    this.setException(exception);
    this.mode = 'message';
    return 'more';
  }

  /**
   * Believed where nobody else can have printed the line: it carries torch's mark for tracebacks, or it has the form of
   * a class of several words and follows the frames with nothing of others between.
   */
  private ownClass(message: Message): { type: string; message: string } | undefined {
    if (this.current().frames.length === 0) return undefined;
    const match = OWN_CLASS.exec(message.text.slice(0, MAX_LINE));
    const type = match?.[1];
    if (type === undefined) return undefined;
    const certain = message.marked ? this.first.marked : this.strangers === 0 && TWO_WORDS.test(type);
    return certain ? { type, message: match?.[2] ?? '' } : undefined;
  }

  private takeHeader(text: string): Taking {
    const about = num(ABOUT_RANK.exec(text)?.[1]);
    const nested = about !== undefined || this.mode === 'chain' || /Original Traceback/.test(text);
    if (!nested || this.sections.length >= MAX_SECTIONS) return 'over';
    this.sections.push(newSection(this.mode === 'chain' ? this.relation : 'inner', about));
    this.relation = 'inner';
    this.mode = 'frames';
    return 'more';
  }

  private takeMessageLine(message: Message): Taking {
    const { text } = message;
    const frame = FRAME.exec(text);
    if (frame !== null && /^\s/.test(text)) {
      this.sections.push(newSection('inner', this.current().aboutRank));
      this.mode = 'frames';
      return this.takeInFrames(message);
    }
    if (this.mode === 'blank' && !message.marked) return this.over(text);
    const section = this.current();
    const known = this.tail.take(text);
    if (RULE.test(text)) return 'over';
    const goesOn = known || (!this.isOwnRecord(message) && (message.marked || /^\s/.test(text)));
    if (!goesOn || section.lines.length >= MAX_LINES || this.size > MAX_RECORD) return this.over(text);
    this.keepLine(section, text);
    this.mode = 'message';
    return 'more';
  }

  /** A log line of its own, not a part of this. Where the header has a stamp too, a collector put one on every line. */
  private isOwnRecord(message: Message): boolean {
    return (message.stamped && !this.first.stamped) || LOG_START.test(message.text);
  }

  private keepLine(section: Section, text: string): void {
    const line = clip(text, this.size > MAX_RECORD ? MAX_MESSAGE : MAX_LINE);
    this.size += line.length;
    section.lines.push(line);
  }

  private over(text: string): Taking {
    if (GOES_ON_AFTER.test(text.slice(0, 400))) this.handled = true;
    return 'over';
  }

  private setException(exception: { type: string; message: string }): void {
    const section = this.current();
    section.type = exception.type;
    section.lines = [];
    this.keepLine(section, exception.message);
    this.mode = 'message';
  }

  private stranger(): Taking {
    this.strangers += 1;
    return this.strangers > MAX_STRANGERS ? 'over' : 'pass';
  }

  private current(): Section {
    const section = this.sections.at(-1);
    if (section === undefined) throw new Error('a traceback has at least one section');
    return section;
  }

  /** The last exception told of the printer itself; sections about another rank only if nothing else is there. */
  private finalSection(): Section | undefined {
    const typed = this.sections.filter((section) => section.type !== '');
    const own = typed.filter((section) => section.aboutRank === undefined || section.aboutRank === this.first.rank);
    return own.at(-1) ?? typed.at(-1);
  }

  private classOf(final: Section, frames: readonly StackFrame[]): ExceptionClass {
    const others = this.sections.filter((section) => section !== final && section.type !== '');
    const own = classifyException(final.type, final.lines.join('\n'), frames);
    if (final.aboutRank !== undefined && final.aboutRank !== this.first.rank) return 'wrapper';
    // The worker's own exception was cut off: all that is known is where it happened.
    if (/ in DataLoader worker process \d/.test(final.lines[0] ?? '')) return 'data-loader';
    const causes = this.causesOf(final).map((cause) =>
      classifyException(cause.type, cause.lines.join('\n'), cause.frames.toReversed()),
    );
    if (own === 'data-loader' && causes.includes('shared-memory')) return 'shared-memory';
    if (own !== 'python') return own;
    if (others.some((section) => /in DataLoader worker process/.test(section.lines[0] ?? ''))) return 'data-input';
    return causes.find((cause) => cause !== 'python') ?? own;
  }

  /** What the exception was raised from, the first cause first. */
  private causesOf(final: Section): readonly Section[] {
    const causes: Section[] = [];
    for (let i = this.sections.indexOf(final); i > 0 && this.sections[i]?.relation === 'cause'; i--) {
      const cause = this.sections[i - 1];
      if (cause !== undefined && cause.type !== '') causes.unshift(cause);
    }
    return causes;
  }

  /** What the record tells of before the last exception: the text is cut where the last message is long, this is not. */
  private chainOf(final: Section): { readonly chain?: readonly ChainedException[] } {
    const before = this.sections.filter((section) => section !== final && section.type !== '');
    if (before.length === 0) return {};
    return {
      chain: before.map(({ type, lines, relation, aboutRank }) => ({
        type,
        message: (lines[0] ?? '').slice(0, MAX_CHAINED),
        relation,
        ...(aboutRank === undefined ? {} : { aboutRank }),
      })),
    };
  }

  private textOf(final: Section, message: string): string {
    const before = this.sections
      .filter((section) => section !== final && section.type !== '')
      .map((section) => {
        const about = section.aboutRank === undefined ? '' : `(rank ${section.aboutRank}) `;
        return `${about}${section.type}: ${(section.lines[0] ?? '').slice(0, MAX_CHAINED)}`;
      });
    const own = message === '' ? final.type : `${final.type}: ${message}`;
    return before.length === 0 ? own : `${own} [with ${before.join(' | ')}]`;
  }
}
