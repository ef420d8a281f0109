/** Documents with a byte order mark: parsers get UTF-8 without it; the places that they name are moved back to the bytes as they came. */
import type { FormatOutput } from '#shared/model/format.ts';
import { decodeText, type TextEncoding } from '../store/text-encoding.ts';

export interface DecodedDocument {
  readonly bytes: Buffer;
  /** Offset in the original of an offset in `bytes`, both from 0 to the end inclusive. */
  readonly toOriginal: (offset: number) => number;
}

/** One known pair of offsets every so many bytes. */
const STEP = 4096;

/** `markBytes` > 0 or an encoding other than UTF-8. */
export function decodeDocument(original: Buffer, encoding: TextEncoding, markBytes: number): DecodedDocument {
  if (encoding === 'utf-8') {
    return { bytes: original.subarray(markBytes), toOriginal: (offset) => offset + markBytes };
  }
  const bytes = Buffer.from(decodeText(original, markBytes, original.length, encoding), 'utf8');
  const known = new Uint32Array(Math.ceil(bytes.length / STEP) + 1);
  let units = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % STEP === 0) known[at / STEP] = units;
    units += unitsOf(bytes[at] ?? 0);
  }
  return {
    bytes,
    toOriginal(offset) {
      const step = Math.min(Math.floor(offset / STEP), known.length - 1);
      let count = known[step] ?? 0;
      for (let at = step * STEP; at < Math.min(offset, bytes.length); at += 1) count += unitsOf(bytes[at] ?? 0);
      return Math.min(original.length, markBytes + count * 2);
    },
  };
}

/** UTF-16 units of the character that begins with this byte of UTF-8; 0 inside a character. */
const unitsOf = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xf0 ? 1 : 2);

/** Moves every source ref of `output`, in place: outputs are fresh and nobody else holds them. `moved`: refs that were moved before. */
export function moveRefs(output: FormatOutput, document: DecodedDocument, moved: WeakSet<object>): void {
  const open: unknown[] = [output];
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (moved.has(value)) continue;
    if (isPlace(value)) {
      moved.add(value);
      const byte = document.toOriginal(value.byte);
      Object.assign(value, { byte, length: document.toOriginal(value.byte + value.length) - byte });
    } else open.push(...Object.values(value).filter((one) => typeof one === 'object'));
  }
}

function isPlace(value: object): value is { byte: number; length: number } {
  return (
    'entry' in value &&
    'kind' in value &&
    (value.kind === 'line' || value.kind === 'byte') &&
    'byte' in value &&
    typeof value.byte === 'number' &&
    'length' in value &&
    typeof value.length === 'number'
  );
}
