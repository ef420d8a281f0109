import type { EventBody, ExceptionClass, StackFrame } from '../../../model/events.ts';
import { classifyException } from '../exception-class.ts';
import { defineRecord, type Message, num, type OpenRecord, type RecordHits, type Taking } from './define.ts';
import { createErrorTail } from './nccl-error-tail.ts';
import { programText } from './program-text.ts';

const HEADER = 'Traceback (most recent call last):';
const ABOUT_RANK = /^\s*Traceback \(most recent call last\):\s*\(RANK (\d{1,7})\)/;
const FRAME = /^\s{0,40}(?:\|\s{0,8})?File "([^"]{1,400})", line (\d{1,8})(?:, in (.{1,200}))?/;
const CHAINED =
  /^(?:\s*\|?\s*)(The above exception was the direct cause of the following exception:|During handling of the above exception, another exception occurred:)/;
const NATIVE_NOISE =
  /^(?:Exception raised from |frame #\d{1,4}: |<omitting python frames>|C\+\+ CapturedTraceback:|#\d{1,3} )/;
const PROCESS_ENDED = /^-- Process (\d{1,5}) terminated with the following (?:error|exit code)/;
/** A type, perhaps dotted, perhaps with the inner type of a Ray wrapper, and its message. */
const EXCEPTION = /^(?:\s*\|\s*)?((?:[A-Za-z_]\w{0,80}\.){0,12}[A-Za-z_]\w{0,80})(\([\w.]{1,120}\))?(?::(?: (.*))?)?$/s;
const LOG_START = /^(?:\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)\]?[\s:|]|\[rank\d|\[default\d)/;
const HANDLED_BEFORE =
  /^Exception ignored in|Exception ignored in:|--- Logging error ---|\b(?:retrying|will retry|retry \d{1,3}|ignoring|ignored|skipping|falling back|continuing|recovered)\b/i;
const HANDLED_AFTER = /\b(?:retrying|will retry|falling back to|continuing without|ignoring this)\b/i;

const MAX_FRAMES = 40;
const MAX_MESSAGE = 600;
/** More of a message is kept for telling its shape: a fingerprint mismatch alone has over a thousand characters. */
const MAX_LINE = 8000;
const MAX_LINES = 40;
const MAX_SECTIONS = 16;
/** Lines of others tolerated inside a record before it is given up. */
const MAX_STRANGERS = 400;

interface Section {
  readonly frames: StackFrame[];
  type: string;
  lines: string[];
  /** Why it follows the one before: `cause` is `raise … from`. */
  readonly relation: 'first' | 'cause' | 'context' | 'inner';
  readonly aboutRank: number | undefined;
}

const newSection = (relation: Section['relation'], aboutRank?: number): Section => ({
  frames: [],
  type: '',
  lines: [],
  relation,
  aboutRank,
});

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

class TracebackReader implements OpenRecord {
  private readonly sections: Section[];
  private mode: 'frames' | 'message' | 'blank' | 'chain';
  private relation: Section['relation'] = 'inner';
  private strangers = 0;
  private handled: boolean;
  private localRank: number | undefined;
  private readonly tail = createErrorTail();
  private readonly first: Message;

  constructor(first: Message, before: string, start: { type: string; message: string } | undefined) {
    this.first = first;
    this.handled = HANDLED_BEFORE.test(before.slice(0, 2000));
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
    };
    const printer = this.localRank === undefined ? {} : { localRank: this.localRank };
    const [firstLine = '', ...more] = final.lines;
    return {
      hits: [{ body, printer }],
      text: this.textOf(final, message),
      quotes: [firstLine === '' ? final.type : `${final.type}: ${firstLine}`, ...more],
      handled: this.handled,
    };
  }

  private takeInFrames(message: Message): Taking {
    const { text } = message;
    const frame = FRAME.exec(text);
    if (frame !== null) {
      this.current().frames.push({ file: frame[1] ?? '', line: Number(frame[2]), name: (frame[3] ?? '').trim() });
      if (this.current().frames.length > 400) this.current().frames.splice(0, 100);
      return 'more';
    }
    if (text.includes(HEADER)) return this.current().frames.length === 0 ? 'more' : 'over';
    if (this.isOwnRecord(message)) return this.stranger();
    if (text === '' || /^\s/.test(text)) {
      const margin = /^\s*\|\s/.test(text) ? readException(text) : undefined;
      if (margin === undefined) return 'more';
      this.setException(margin);
      return 'more';
    }
    const exception = readException(text);
    if (exception === undefined) return this.stranger();
    this.setException(exception);
    this.mode = 'message';
    return 'more';
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
    const goesOn = known || (!this.isOwnRecord(message) && (message.marked || /^\s/.test(text)));
    if (!goesOn || section.lines.length >= MAX_LINES) return this.over(text);
    section.lines.push(text.slice(0, MAX_LINE));
    this.mode = 'message';
    return 'more';
  }

  /** A log line of its own, not a part of this. Where the header has a stamp too, a collector put one on every line. */
  private isOwnRecord(message: Message): boolean {
    return (message.stamped && !this.first.stamped) || LOG_START.test(message.text);
  }

  private over(text: string): Taking {
    if (HANDLED_AFTER.test(text.slice(0, 400))) this.handled = true;
    return 'over';
  }

  private setException(exception: { type: string; message: string }): void {
    const section = this.current();
    section.type = exception.type;
    section.lines = [exception.message];
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
    if (own !== 'python') return own;
    if (others.some((section) => /in DataLoader worker process/.test(section.lines[0] ?? ''))) return 'data-input';
    if (final.relation !== 'cause') return own;
    const cause = this.sections[this.sections.indexOf(final) - 1];
    if (cause === undefined || cause.type === '') return own;
    return classifyException(cause.type, cause.lines.join('\n'), cause.frames.toReversed());
  }

  private textOf(final: Section, message: string): string {
    const before = this.sections
      .filter((section) => section !== final && section.type !== '')
      .map((section) => {
        const about = section.aboutRank === undefined ? '' : `(rank ${section.aboutRank}) `;
        return `${about}${section.type}: ${(section.lines[0] ?? '').slice(0, 160)}`;
      });
    const own = message === '' ? final.type : `${final.type}: ${message}`;
    return before.length === 0 ? own : `${own} [with ${before.join(' | ')}]`;
  }
}

/**
 * A Python traceback: header, frames, exception line and what follows it, per printer; tracebacks of several ranks may
 * be interleaved line by line. The LAST exception told is the event; those chained before it stay in its text. An inner
 * one (`Original Traceback` of a loader worker, a spawned process, Ray) decides. Sections marked `(RANK k)` tell of
 * another rank. `Exception ignored in` and retry wording make it handled.
 *
 *   [rank1]: Traceback (most recent call last):
 *   [rank1]:   File "/workspace/train.py", line 40, in __getitem__
 *   [rank1]:     return self.decode(raw)
 *   [rank1]: ValueError: shard-0001.bin record 83: expected 260 bytes, got 131
 *
 * A traceback that is cut before its exception line yields nothing: its type is not known.
 */
export const traceback = defineRecord({
  id: 'traceback',
  literals: [HEADER],
  open: (message, before) => new TracebackReader(message, before, undefined),
  samples: [
    {
      lines: [
        'Traceback (most recent call last):',
        '  File "/w/train.py", line 9, in <module>',
        '    main()',
        '  File "/w/train.py", line 4, in main',
        '    raise ValueError("no")',
        'ValueError: no',
      ],
      expect: [
        {
          kind: 'exception',
          type: 'ValueError',
          message: 'no',
          class: 'python',
          handled: false,
          frames: [
            { file: '/w/train.py', line: 4, name: 'main' },
            { file: '/w/train.py', line: 9, name: '<module>' },
          ],
        },
      ],
    },
    {
      lines: [
        'Traceback (most recent call last):',
        '  File "/w/a.py", line 1, in f',
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
        '',
        'The above exception was the direct cause of the following exception:',
        '',
        'Traceback (most recent call last):',
        '  File "/w/b.py", line 2, in g',
        'RuntimeError: step failed',
      ],
      expect: [
        {
          kind: 'exception',
          type: 'RuntimeError',
          message: 'step failed',
          class: 'cuda-out-of-memory',
          handled: false,
          frames: [{ file: '/w/b.py', line: 2, name: 'g' }],
        },
      ],
    },
    {
      lines: [
        'Traceback (most recent call last):',
        '  File "/w/train.py", line 9, in train',
        'KeyError: Caught KeyError in DataLoader worker process 0.',
        'Original Traceback (most recent call last):',
        '  File "/w/data.py", line 3, in lookup',
        "KeyError: 'class_7'",
      ],
      expect: [
        {
          kind: 'exception',
          type: 'KeyError',
          message: "'class_7'",
          class: 'data-input',
          handled: false,
          frames: [
            { file: '/w/data.py', line: 3, name: 'lookup' },
            { file: '/w/train.py', line: 9, name: 'train' },
          ],
        },
      ],
    },
  ],
  nearMisses: ['Traceback follows'],
});

const BARE =
  /^((?:[A-Za-z_]\w{0,80}\.){0,12}[A-Z]\w{0,80}(?:Error|Exception|Interrupt))(\([\w.]{1,120}\))?: (\S.{0,8000})/s;
const ERROR_LEVEL = /^.{0,80}?\b(?:ERROR|CRITICAL|FATAL)\b/;

/** An exception's line alone: cut logs, tails and collections often keep no more of a traceback. */
export const bareException = defineRecord({
  id: 'bare-exception',
  literals: ['Error: ', 'Exception: ', 'Error(', 'Exception('],
  open(message) {
    const logged = message.stamped || LOG_START.test(message.text);
    if (logged && !ERROR_LEVEL.test(message.text)) return undefined;
    const match = BARE.exec(logged ? programText(message.text) : message.text);
    if (match === null) return undefined;
    const type = `${match[1]}${match[2] ?? ''}`;
    return new TracebackReader(message, logged ? message.text : '', { type, message: match[3] ?? '' });
  },
  samples: [
    {
      lines: [
        'torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:94, remote process exited or there was a network error',
        'ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.',
        'Last error:',
        'NET/IB: Got completion from peer 10.20.232.172<39936> with status=12',
      ],
      expect: [
        {
          kind: 'exception',
          type: 'torch.distributed.DistBackendError',
          class: 'distributed',
          frames: [],
          handled: false,
          message:
            'NCCL error in: NCCLUtils.cpp:94, remote process exited or there was a network error\nncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\nLast error:\nNET/IB: Got completion from peer 10.20.232.172<39936> with status=12',
        },
      ],
    },
  ],
  nearMisses: ['Error: something', 'INFO train: ValueError: caught and skipped', 'see MyError: it is documented'],
});
