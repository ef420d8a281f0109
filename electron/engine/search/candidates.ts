/**
 * Which lines of a block may match, found in its bytes: all others need not be looked at. Words and expressions are looked for in the
 * block as one text, from each line with a hit on to the next.
 */
import { GRAVE_HINT } from '#shared/search/line-level.ts';
import type { Plan } from '#shared/search/plan.ts';
import { MAX_FACT_BYTES } from './block-facts.ts';
import { BlockLines } from './block-lines.ts';
import type { CaseIndex } from './case-index.ts';
import { levelSlot, WARN_SLOT } from './tally.ts';

export interface Candidates {
  readonly lines: BlockLines;
  /** One byte a line: not, perhaps, surely; null = perhaps all of them. */
  readonly marks: Uint8Array | null;
  /** Lines that go on the record of a marked one may match, too. */
  readonly withRecords: boolean;
}

export const PERHAPS = 1;
export const SURELY = 2;

export interface CandidateOptions {
  readonly index: CaseIndex;
  readonly plan: Plan;
  readonly matchCase: boolean;
}

/** Undefined if no line of the block can match. O(bytes of the block). */
export function findCandidates(block: number, bytes: Buffer, options: CandidateOptions): Candidates | undefined {
  const { index, plan } = options;
  const needsGrave = levelSlot(plan.leastLevel) >= WARN_SLOT;
  const latin1 = bytes.toString('latin1');
  const lines = (): BlockLines => new BlockLines(bytes, index, block, latin1);
  const all = (): Candidates => ({ lines: lines(), marks: null, withRecords: false });
  // Only of UTF-8 an ASCII character is a byte.
  if (index.blocks.encoding[block] !== 0) return all();
  if (plan.needles !== null) {
    const found = withNeedles(latin1, plan.needles, lines, options);
    return found === null ? all() : found;
  }
  if (needsGrave) {
    // Severity is read from text without escape sequences, which may lie inside of a word.
    if (latin1.includes('\u001b') || latin1.includes('\0')) return all();
    GRAVE_HINT.lastIndex = 0;
    if (!GRAVE_HINT.test(latin1)) return undefined;
  }
  if (plan.blockTests.length > 0) {
    const read = lines();
    return read.ascii ? withTests(read, plan.blockTests) : { lines: read, marks: null, withRecords: false };
  }
  if (!needsGrave) return all();
  const read = lines();
  const marks = marksOf(read, GRAVE_HINT);
  return { lines: read, marks, withRecords: true };
}

/** Null if bytes cannot tell. */
function withNeedles(
  latin1: string,
  needles: readonly string[],
  read: () => BlockLines,
  { plan, matchCase }: CandidateOptions,
): Candidates | undefined | null {
  const ascii = needles.every(isAsciiText);
  // Case of other letters cannot be folded in bytes; and two of them have small letters of ASCII.
  if (!matchCase && (!ascii || latin1.includes(KELVIN) || latin1.includes(DOTTED_I))) return null;
  const text = matchCase ? latin1 : latin1.toLowerCase();
  const words = ascii ? needles : needles.map((needle) => Buffer.from(needle, 'utf8').toString('latin1'));
  if (!words.some((word) => text.includes(word))) return undefined;
  const lines = read();
  const marks = new Uint8Array(lines.count);
  for (const word of words) {
    let line = 0;
    for (let at = text.indexOf(word, lines.start(0)); at >= 0 && line < lines.count; ) {
      line = lines.lineAt(at, line);
      const whole = at + word.length <= Math.min(lines.end(line), lines.start(line) + MAX_FACT_BYTES);
      if (marks[line] !== SURELY) marks[line] = whole && ascii && plan.needlesDecide ? SURELY : PERHAPS;
      line += 1;
      at = line < lines.count ? text.indexOf(word, lines.start(line)) : -1;
    }
  }
  return { lines, marks, withRecords: false };
}

/** U+212A and U+0130 in UTF-8. */
const KELVIN = '\xe2\x84\xaa';
const DOTTED_I = '\xc4\xb0';

const isAsciiText = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

function withTests(lines: BlockLines, tests: readonly RegExp[]): Candidates | undefined {
  const [first, ...others] = tests;
  for (const test of others) {
    test.lastIndex = 0;
    if (!test.test(lines.latin1)) return undefined;
  }
  const marks = first === undefined ? null : marksOf(lines, first);
  return marks?.includes(PERHAPS) === false ? undefined : { lines, marks, withRecords: false };
}

/**
 * Lines in which a global expression has something to find. Where what it finds goes over a line's end the rest is left to the single
 * lines: it would be read once for every line.
 */
function marksOf(lines: BlockLines, test: RegExp): Uint8Array {
  const marks = new Uint8Array(lines.count);
  let line = 0;
  test.lastIndex = lines.start(0);
  while (line < lines.count) {
    const found = test.exec(lines.latin1);
    if (found === null) break;
    line = lines.lineAt(found.index, line);
    marks[line] = PERHAPS;
    if (found.index + found[0].length > lines.end(line)) {
      marks.fill(PERHAPS, line);
      break;
    }
    line += 1;
    test.lastIndex = lines.start(line);
  }
  return marks;
}
