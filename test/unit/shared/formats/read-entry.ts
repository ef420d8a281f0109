/** Reads an entry with one format, as the importer does: whole lines with their places, or the whole document. */

import type { LogEvent, LogStream } from '#shared/model/events.ts';
import type { EntryHead, Format, FormatOutput } from '#shared/model/format.ts';
import { HEAD_BYTES } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import { epochNs, formatEpochNs } from '#shared/model/time.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const toBytes = (text: string): Uint8Array => encoder.encode(text);

export function toHead(bytes: Uint8Array, path: string): EntryHead {
  const head = bytes.subarray(0, HEAD_BYTES);
  return { bytes: head, text: decoder.decode(head), path, whole: bytes.length <= HEAD_BYTES };
}

/** Calls `onLine` for each line as the importer cuts them: LF ends a line, a CR before it stays. */
export function eachLine(
  bytes: Uint8Array,
  onLine: (text: string, line: number, byte: number, length: number) => void,
): void {
  let line = 0;
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(10, at);
    const end = feed < 0 ? bytes.length : feed;
    line += 1;
    onLine(decoder.decode(bytes.subarray(at, Math.min(end, at + 65_536))), line, at, end - at);
    at = end + 1;
  }
}

export function readEntry(format: Format, bytes: Uint8Array, path: string): FormatOutput[] {
  const outputs: FormatOutput[] = [];
  const context = { entry: entryId(7), path };
  if (format.shape === 'lines') {
    const reader = format.open(context, (output) => outputs.push(output));
    eachLine(bytes, (text, line, byte, length) => {
      reader.line(text, line, byte, length);
    });
    reader.end();
  } else if (format.shape === 'document') outputs.push(...format.parse(bytes, context, false));
  return outputs;
}

export const eventsOf = (outputs: readonly FormatOutput[]): LogEvent[] =>
  outputs.flatMap((output) => (output.kind === 'event' ? [output.event] : []));
export const streamsOf = (outputs: readonly FormatOutput[]): LogStream[] =>
  outputs.flatMap((output) => (output.kind === 'stream' ? [output.stream] : []));

/** Readable and stable form for golden files: times as ISO text, undefined left out. */
export const toGolden = (value: unknown): string =>
  `${JSON.stringify(value, (key, field) => (typeof field === 'bigint' ? (key === 'ns' ? formatEpochNs(epochNs(field), 9) : `${field}n`) : field), 2)}\n`;
