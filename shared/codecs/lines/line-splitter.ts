/**
 * Bytes in any chunks → lines, each with its number and byte range.
 *
 * A line ends at LF; a CR stays part of the line (a progress bar puts dozens of them into one), except one CR directly
 * before the LF, which is dropped from the text. The last line may lack its LF. Text is UTF-8; bad bytes become U+FFFD.
 * A line longer than `maxLineBytes` is cut in the text, never in the byte range, so memory stays bounded.
 *
 * Cost: O(bytes); LF is found by `indexOf` on the bytes, each line is decoded once.
 */

/** Longest text handed on for one line, in bytes. */
export const MAX_LINE_BYTES = 65_536;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * `lineNumber` counts from 1; `byte` is the offset of the line's first byte in the entry; `length` its bytes without LF
 * (a CR before it included), also where the text was cut.
 */
export type LineSink = (text: string, lineNumber: number, byte: number, length: number) => void;

/** What was met on the way, for issues and for the file list. */
export interface LineTotals {
  readonly lines: number;
  readonly bytes: number;
  /** Lines whose text was cut at `maxLineBytes`. */
  readonly cutLines: number;
  /** Lines with NUL bytes: a node that crashed can leave blocks of them. */
  readonly nulLines: number;
  /** Lines with bytes that are not UTF-8. */
  readonly undecodableLines: number;
  /** False for an empty entry and where the last line has no LF: it may be cut. */
  readonly endsWithLineFeed: boolean;
}

export interface LineSplitter {
  /** Takes the next bytes; the chunk may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void;
  /** Hands on a last line without LF and gives the totals. Nothing may be pushed afterwards. */
  end(): LineTotals;
}

export function createLineSplitter(onLine: LineSink, maxLineBytes: number = MAX_LINE_BYTES): LineSplitter {
  const decoder = new TextDecoder();
  /** Beginning of a line whose LF is in a later chunk; never longer than `maxLineBytes`. */
  let rest: Uint8Array = new Uint8Array(0);
  /** Bytes of that line so far, those that `rest` does not hold included. */
  let restLength = 0;
  let lineStart = 0;
  let lines = 0;
  let cutLines = 0;
  let nulLines = 0;
  let undecodableLines = 0;

  const hand = (bytes: Uint8Array, length: number): void => {
    const cut = length > maxLineBytes;
    let end = Math.min(bytes.length, maxLineBytes);
    if (!cut && end > 0 && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
    const text = decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end));
    lines += 1;
    if (cut) cutLines += 1;
    if (text.length !== end && text.includes('\uFFFD')) undecodableLines += 1;
    if (bytes.indexOf(0) >= 0) nulLines += 1;
    onLine(text, lines, lineStart, length);
    lineStart += length + 1;
  };

  const keep = (bytes: Uint8Array): void => {
    const room = Math.max(0, maxLineBytes - rest.length);
    const part = bytes.length > room ? bytes.subarray(0, room) : bytes;
    const joined = new Uint8Array(rest.length + part.length);
    joined.set(rest);
    joined.set(part, rest.length);
    rest = joined;
    restLength += bytes.length;
  };

  return {
    push(chunk) {
      let from = 0;
      for (;;) {
        const at = chunk.indexOf(LINE_FEED, from);
        if (at < 0) break;
        const part = chunk.subarray(from, at);
        if (restLength === 0) hand(part, part.length);
        else {
          keep(part);
          hand(rest, restLength);
          rest = new Uint8Array(0);
          restLength = 0;
        }
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end() {
      const endsWithLineFeed = restLength === 0 && lines > 0;
      const bytes = lineStart + restLength;
      if (restLength > 0) hand(rest, restLength);
      return { lines, bytes, cutLines, nulLines, undecodableLines, endsWithLineFeed };
    },
  };
}
