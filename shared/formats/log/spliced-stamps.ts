/**
 * Stamps that older kubelets print in front of every fragment of a long line, so that they lie in the middle of it:
 *
 *   2026-03-14T10:01:03.100000000Z xxxx…(16384 bytes)…2026-03-14T10:01:03.100000412Z xxxx…
 *
 * A fragment holds 16384 bytes (Docker, containerd) or 8192 (CRI-O). A stamp is taken out only where one must stand by
 * that size: the same text anywhere else is the program's own.
 */
import { readIsoStamp } from './stamp.ts';

const FRAGMENT_BYTES = [16_384, 8_192] as const;
/** No shorter line can hold a whole fragment. */
export const SPLICED_FROM = 8_192;
const PREFIX = /^\[pod\/[a-z0-9.-]{1,253}\/[a-z0-9-]{1,63}\] /;
/** Characters by which a place may be off where a character was cut by a fragment's end: it decodes to U+FFFD. */
const SLACK = 4;

/** The line without stamps inside it; the same string if there are none. O(length). */
export function withoutSplices(text: string): string {
  const prefix = PREFIX.exec(text)?.[0].length ?? 0;
  const first = stampEnd(text, prefix);
  if (first === undefined) return text;
  for (const size of FRAGMENT_BYTES) {
    const parts = split(text, first, size);
    if (parts.length > 1) return text.slice(0, first) + parts.join('');
  }
  return text;
}

function split(text: string, from: number, size: number): readonly string[] {
  const parts: string[] = [];
  let at = from;
  for (;;) {
    const { end, damaged } = after(text, at, size);
    const found = end >= text.length ? undefined : findStamp(text, end, damaged ? SLACK : 0);
    if (found === undefined) return [...parts, text.slice(at)];
    parts.push(text.slice(at, found.at));
    at = found.end;
  }
}

function findStamp(text: string, at: number, slack: number): { readonly at: number; readonly end: number } | undefined {
  for (let start = at; start <= at + slack; start++) {
    const end = stampEnd(text, start);
    if (end !== undefined) return { at: start, end };
  }
  return undefined;
}

/** Index behind a stamp with nine digits and zone, and the space after it. */
function stampEnd(text: string, at: number): number | undefined {
  const read = readIsoStamp(text, at);
  if (read === undefined || read.digits !== 9 || !read.zoned || read.separator !== 'T') return undefined;
  return text.charCodeAt(read.end) === 32 ? read.end + 1 : undefined;
}

/** Index behind `bytes` bytes of UTF-8. `damaged`: an undecodable byte lies among them, whose true length is unknown. */
function after(text: string, from: number, bytes: number): { readonly end: number; readonly damaged: boolean } {
  let at = from;
  let damaged = false;
  for (let left = bytes; left > 0 && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) damaged = true;
    if (code < 0x80) left -= 1;
    else if (code < 0x800) left -= 2;
    else if (code >= 0xd800 && code <= 0xdfff) left -= 2;
    else left -= 3;
  }
  return { end: at, damaged };
}
