/** Turns offsets of a decoded text into source refs of the bytes it came from. */
import type { EntryId } from '../../model/ids.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import type { LinePlace } from '../log/event-draft.ts';

/** A line longer than this is named by the object's own bytes instead: nobody reads a line of a megabyte. */
const LONGEST_LINE = 20_000;

/**
 * Built once per entry; `ref` is O(log lines) plus the part of the line in front of the object.
 * Lines are separated by line feeds only, as everywhere in the case store.
 */
export class Places {
  private readonly bytes: Uint8Array;
  private readonly text: string;
  private readonly entry: EntryId;
  private readonly byteStarts: Uint32Array;
  private readonly charStarts: Uint32Array;
  private readonly encoder = new TextEncoder();
  /** Position that was converted last: objects come in order, so one long line is walked once. */
  private last = { at: 0, byte: 0 };

  constructor(bytes: Uint8Array, text: string, entry: EntryId) {
    this.bytes = bytes;
    this.text = text;
    this.entry = entry;
    this.byteStarts = lineStarts((from) => bytes.indexOf(10, from));
    this.charStarts = lineStarts((from) => text.indexOf('\n', from));
  }

  /**
   * The line on which something starts that reaches from `at` to `end`. If other things stand in front of it on a
   * long line, its bytes; if text and bytes do not have the same lines (an encoding that is not UTF-8), the entry.
   */
  ref(at: number, end: number): SourceRef {
    if (this.byteStarts.length !== this.charStarts.length) return { kind: 'entry', entry: this.entry };
    const line = lineOf(this.charStarts, at);
    const byte = this.byteStarts[line] ?? 0;
    const lineEnd = (this.byteStarts[line + 1] ?? this.bytes.length + 1) - 1;
    if (lineEnd - byte > LONGEST_LINE) return this.byteRef(line, at, end);
    return { kind: 'line', entry: this.entry, line: line + 1, byte, length: lineEnd - byte };
  }

  /** The same for a reader of log lines; `line` 0 where only bytes name the place. */
  linePlace(at: number, end: number): LinePlace {
    const ref = this.ref(at, end);
    if (ref.kind === 'line') return { line: ref.line, byte: ref.byte, length: ref.length };
    return ref.kind === 'byte'
      ? { line: 0, byte: ref.byte, length: ref.length }
      : { line: 0, byte: 0, length: this.bytes.length };
  }

  private byteRef(line: number, at: number, end: number): SourceRef {
    const start = this.byteOf(line, at);
    return {
      kind: 'byte',
      entry: this.entry,
      byte: start,
      length: Math.max(0, this.byteOf(line, Math.max(at, end)) - start),
    };
  }

  private byteOf(line: number, at: number): number {
    const lineStart = { at: this.charStarts[line] ?? 0, byte: this.byteStarts[line] ?? 0 };
    const from = this.last.at <= at && this.last.at >= lineStart.at ? this.last : lineStart;
    const byte = from.byte + this.encoder.encode(this.text.slice(from.at, at)).length;
    this.last = { at, byte };
    return byte;
  }
}

function lineStarts(nextFeed: (from: number) => number): Uint32Array {
  const starts = [0];
  for (let feed = nextFeed(0); feed >= 0; feed = nextFeed(feed + 1)) starts.push(feed + 1);
  return Uint32Array.from(starts);
}

/** Index of the last start that is not behind `at`. */
function lineOf(starts: Uint32Array, at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
