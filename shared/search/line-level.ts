/**
 * Severity of a log line, from what its writer put there: the letter of a C++ or torch header, a logger's word, a key, the
 * first line of a traceback. Null where nothing says: never guessed from the mood of the text.
 *
 *   [E1129 17:15:19.759853 ProcessGroupNCCL.cpp:616] …    E0813 06:19:49.809000 161210 api.py:869] …
 *   2026-03-14 … | ERROR | …    level=warn    "severity": "INFO"    host:12:34 [0] NCCL WARN …
 *
 * Cost: a few expressions on the first 240 characters.
 */
import type { Level } from './query.ts';

/** Longer prefixes were not met. */
const LOOK = 240;

/** The first of: a timed header's letter, an untimed one's, a logger's word, a class of warnings, a key. */
const MARK =
  /(?:^|[\s\]:])\[?([VIWEFC])\d{3,4} \d\d:\d\d:\d\d|(?:^|[\s\]:])\[([VIWEFC]) [\w./+-]{1,120}\.(?:cpp|cc|h|hpp|cu|cuh|mm|py):\d|(?:^|[\s[|(:="'<-])(FATAL|CRITICAL|ERROR|WARNING|WARN|INFO|DEBUG|TRACE|NOTICE)(?=$|[\s\]|):"',>-])|(?:^|[\s:])([A-Z][A-Za-z]{0,60}Warning): |\b(?:[lL]evel|levelname|severity|lvl)"?\s{0,2}[=:]\s{0,2}"?([A-Za-z]{4,8})\b/;
const FATAL = /^(?:Fatal Python error|terminate called|Segmentation fault|Aborted|\*\*\* SIG[A-Z]{2,8})/;
const ERROR =
  /^(?:Traceback \(most recent call last\)|(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception|Interrupt)(?::|$)|NVRM: Xid |Out of memory: Kill|Memory cgroup out of memory)/;

const LETTERS: Readonly<Record<string, Level>> = {
  V: 'debug',
  I: 'info',
  W: 'warn',
  E: 'error',
  F: 'fatal',
  C: 'fatal',
};
const WORDS: ReadonlyMap<string, Level> = new Map<string, Level>([
  ['FATAL', 'fatal'],
  ['CRITICAL', 'fatal'],
  ['ERROR', 'error'],
  ['WARNING', 'warn'],
  ['WARN', 'warn'],
  ['NOTICE', 'info'],
  ['INFO', 'info'],
  ['DEBUG', 'debug'],
  ['TRACE', 'debug'],
]);

/** `plain` is the line without escape sequences, `message` what remains after its envelopes. */
export function levelOf(plain: string, message: string): Level | null {
  if (FATAL.test(message)) return 'fatal';
  if (ERROR.test(message)) return 'error';
  const mark = MARK.exec(plain.length > LOOK ? plain.slice(0, LOOK) : plain);
  if (mark === null) return null;
  const [, timed, untimed, word, warning, key] = mark;
  const letter = timed ?? untimed;
  if (letter !== undefined) return LETTERS[letter] ?? null;
  if (word !== undefined) return WORDS.get(word) ?? null;
  if (warning !== undefined) return 'warn';
  return WORDS.get((key ?? '').toUpperCase()) ?? null;
}

/**
 * Occurs in every line that `levelOf` gives one of `warn`, `error`, `fatal`; for passing over whole blocks. Lines that go on
 * a record of such a line need not have it. Global: set `lastIndex`. With the flag `i` it takes twice as long.
 */
export const GRAVE_HINT =
  /[WEFC]\d{3,4} \d\d:|\[[WEFC] |WARN|ERROR|FATAL|CRITICAL|Warning: |Error|Exception|Interrupt|Traceback|Fatal Python|terminate called|Segmentation|Aborted|\*\*\* SIG|NVRM: Xid|ut of memory|(?:evel|levelname|severity|lvl)"?\s{0,2}[=:]\s{0,2}"?[CEFWcefw]/g;
