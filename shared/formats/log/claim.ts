/** How a log of a container or process is told from other text: by what its first lines carry. */
import type { Claim, EntryHead } from '../../model/format.ts';
import { headLines, looksLikeText } from '../text-head.ts';
import { peelCarriers, peelEnvelopes } from './envelopes/index.ts';
import { EntryMemory, LogLine } from './log-line.ts';
import { MATCHER } from './reader.ts';
import { plainText } from './terminal-text.ts';

interface Tally {
  lines: number;
  record: number;
  runtime: number;
  prefixed: number;
  stamped: number;
  marked: number;
  shapes: number;
  kernel: number;
  firstShape: string | undefined;
}

const KERNEL_SHAPE = /^kernel-/;
/** Shapes that other tools' reports hold as well. */
const WEAK_SHAPES: ReadonlySet<string> = new Set(['gpu-unreachable', 'software-version']);
/** Whole documents of other kinds: a shape inside them proves nothing. */
const DOCUMENT = /^\s*(?:[{[]\s*(?:["{[\]}]|$)|apiVersion: |kind: |---[ \t]*(?:\n|$)|%PDF)/;
/** JSON objects, one a line, with the keys of log records. */
const RECORDS_OF_JSON =
  /^\{(?=[^\n]{0,4000}"(?:log|message|msg|event)"\s?:)(?=[^\n]{0,4000}"(?:level|levelname|severity|stream|podName|timestamp|time|ts|asctime)"\s?:)/;

function tally(head: EntryHead): Tally {
  const result: Tally = {
    lines: 0,
    record: 0,
    runtime: 0,
    prefixed: 0,
    stamped: 0,
    marked: 0,
    shapes: 0,
    kernel: 0,
    firstShape: undefined,
  };
  const memory = new EntryMemory();
  const line = new LogLine();
  for (const raw of headLines(head.text, head.whole)) {
    if (raw.trim() === '') continue;
    memory.lines += 1;
    result.lines += 1;
    line.reset(plainText(raw));
    peelCarriers(line, memory);
    if (line.output !== '' && line.outer?.kind === 'runtime') result.record += 1;
    else if (line.outer?.kind === 'runtime') result.runtime += 1;
    if (line.pod !== undefined) result.prefixed += 1;
    line.stamped = false;
    peelEnvelopes(line, memory);
    if (line.stamped) result.stamped += 1;
    if (line.tag !== '') result.marked += 1;
    const message = {
      text: line.text,
      header: line.header,
      host: line.host,
      pid: line.pid,
      rank: line.rank,
      marked: line.rankBasis === 'rank-prefix',
      stamped: line.stamped,
      notes: {},
    };
    const found = MATCHER.match(message, MATCHER.candidates(line.text), '');
    if (found === undefined || WEAK_SHAPES.has(found.id)) continue;
    result.firstShape ??= found.id;
    if (KERNEL_SHAPE.test(found.id)) result.kernel += 1;
    else result.shapes += 1;
  }
  return result;
}

/**
 * Scores: 0.92 records of a container runtime, 0.9 kubectl's stamps, 0.85 prefixes of a collector, 0.7 known shapes or
 * marks, 0.4 program stamps on most lines, 0.1 plain text whose name says log. Undefined for other documents.
 */
export function claimLog(head: EntryHead): Claim | undefined {
  if (head.bytes.length === 0 || !looksLikeText(head.text)) return undefined;
  if (DOCUMENT.test(head.text.slice(0, 200)) && !RECORDS_OF_JSON.test(head.text) && !/^\[[a-zA-Z]/.test(head.text))
    return undefined;
  const found = tally(head);
  const half = found.lines / 2;
  if (found.lines === 0) return nameClaim(head);
  if (found.record >= half) return { score: 0.92, why: 'lines are records of a container runtime' };
  if (found.runtime >= half) return { score: 0.9, why: 'lines have the stamps of kubectl logs --timestamps' };
  if (found.prefixed >= half) return { score: 0.85, why: 'lines have the Pod prefixes of a log collector' };
  if (found.shapes > 0 && found.shapes >= found.kernel)
    return { score: 0.7, why: `holds a known line: ${found.firstShape}` };
  if (found.marked > 0) return { score: 0.7, why: 'lines have rank marks' };
  if (found.runtime + found.record > 0) return { score: 0.6, why: 'some lines have the stamps of a container runtime' };
  if (found.stamped >= half && found.kernel === 0) return { score: 0.4, why: 'lines have time stamps of a program' };
  return nameClaim(head);
}

function nameClaim(head: EntryHead): Claim | undefined {
  return /(?:^|[./_-])(?:log|logs|stdout|stderr|out|err)(?:\.\d{1,3}|\.\d{8}-\d{6}|\.txt)?$/i.test(head.path)
    ? { score: 0.1, why: 'text, and its name says that it is a log' }
    : undefined;
}
