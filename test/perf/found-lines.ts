/**
 * Does the quick way past lines lose any? `rg` with the same literals is asked for the same logs: the lines it finds must be exactly those
 * in which the reader's filter finds one, and every event of an import must begin at one of them or belong to a record that does.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineBlocks } from '#engine/import/line-blocks.ts';
import { createByteFinder } from '#shared/codecs/lines/byte-finder.ts';
import podLog from '#shared/formats/log/pod-log.ts';
import { QUICK_PLAN } from '#shared/formats/log/quick-lines.ts';
import { RECORDS, SIGNATURES } from '#shared/formats/log/signatures/index.ts';
import type { LineReader } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';

export interface FoundLines {
  readonly logs: number;
  readonly lines: number;
  /** Lines with a literal, by rg. */
  readonly byRipgrep: number;
  /** Lines that only one of the two found. */
  readonly differ: number;
  /** Lines with a literal that were not given to the reader as text. */
  readonly notRead: number;
  /** Events that begin at a line without a literal. */
  readonly eventsElsewhere: number;
  readonly events: number;
}

/** All literals, one a line, as `rg -F -f` takes them. */
export const signaturePatterns = (): string =>
  [...RECORDS, ...SIGNATURES].flatMap((shape) => shape.literals).join('\n');

const MAX_OUTPUT = 2 ** 30;

/** Numbers of lines, from 1. */
function linesByRipgrep(file: string, patterns: string): Set<number> {
  const args = ['--no-config', '-a', '-n', '-o', '-m', '100000000', '--no-heading', '-F', '-f', patterns, file];
  try {
    const out = execFileSync('rg', args, { encoding: 'latin1', maxBuffer: MAX_OUTPUT });
    return new Set(out.split('\n').flatMap((line) => (line === '' ? [] : [Number.parseInt(line, 10)])));
  } catch (error) {
    // 1: nothing found.
    if (error instanceof Error && 'status' in error && error.status === 1) return new Set();
    throw error;
  }
}

function linesByFilter(bytes: Buffer): { readonly found: Set<number>; readonly lines: number } {
  const finder = createByteFinder(QUICK_PLAN);
  const found = new Set<number>();
  let line = 0;
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(10, at);
    const end = feed < 0 ? bytes.length : feed;
    line += 1;
    if (finder.next(bytes, at, end) >= 0) found.add(line);
    at = end + 1;
  }
  return { found, lines: line };
}

/** Lines that became text, and where events begin, as in an import. */
function linesByReader(bytes: Buffer, path: string): { readonly read: Set<number>; readonly events: number[] } {
  const read = new Set<number>();
  const events: number[] = [];
  const reader: LineReader = podLog.open({ entry: entryId(0), path }, (output) => {
    if (output.kind === 'event' && output.event.source.kind === 'line') events.push(output.event.source.line);
  });
  const blocks = new LineBlocks({
    onBlock: () => undefined,
    onLine: (text, line, byte, length) => {
      read.add(line);
      return reader.line(text, line, byte, length);
    },
    onTime: () => undefined,
    skim: (run) => reader.skim?.(run),
  });
  blocks.push(bytes);
  blocks.end();
  reader.end();
  return { read, events };
}

/** How many of `a` are not in `b`. */
const without = (a: ReadonlySet<number>, b: ReadonlySet<number>): number =>
  [...a].filter((line) => !b.has(line)).length;

/** Compares for each of the logs in a folder; `scratch` takes the patterns. Throws if there is no rg. */
export function compareWithRipgrep(folder: string, scratch: string): FoundLines {
  const patterns = join(scratch, 'signatures');
  writeFileSync(patterns, signaturePatterns());
  const sum = { logs: 0, lines: 0, byRipgrep: 0, differ: 0, notRead: 0, eventsElsewhere: 0, events: 0 };
  for (const name of readdirSync(folder).sort()) {
    const bytes = readFileSync(join(folder, name));
    const theirs = linesByRipgrep(join(folder, name), patterns);
    const { found, lines } = linesByFilter(bytes);
    const { read, events } = linesByReader(bytes, `logs/${name}`);
    sum.logs += 1;
    sum.lines += lines;
    sum.byRipgrep += theirs.size;
    sum.differ += without(theirs, found) + without(found, theirs);
    sum.notRead += without(theirs, read);
    sum.events += events.length;
    sum.eventsElsewhere += events.filter((line) => !theirs.has(line)).length;
  }
  return sum;
}
