/**
 * Where the files of a case package stand in it. Only what this program writes is taken: plain tar headers, one a file, and nothing that
 * asks for memory of its own (a pax or GNU header may claim gigabytes for a name). Contents are checked by their hashes, not here.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { err, ok, type Result } from '#shared/lib/result.ts';

export interface PackagePart {
  readonly name: string;
  /** Byte of the package at which its content begins. */
  readonly from: number;
  readonly bytes: number;
}

const BLOCK = 512;
const NAME = { from: 0, to: 100 } as const;
const SIZE = { from: 124, to: 136 } as const;
const TYPE = 156;
const PLAIN_FILE = '0'.charCodeAt(0);
/** The list of files, `case.db` and `notes.db`; one more shows that something does not belong there. */
const MAX_PARTS = 4;

/** In the order of the package; the error is a reason in words. Throws the system's error if the file cannot be read. */
export function listPackageParts(file: string): Result<readonly PackagePart[], string> {
  const handle = openSync(file, 'r');
  try {
    const total = fstatSync(handle).size;
    const header = Buffer.alloc(BLOCK);
    const parts: PackagePart[] = [];
    for (let at = 0; parts.length < MAX_PARTS; ) {
      if (readSync(handle, header, 0, BLOCK, at) < BLOCK) return err('the package ends too early');
      if (header.every((byte) => byte === 0)) break;
      if (header[TYPE] !== PLAIN_FILE) return err('the package holds something that is no file');
      const part = { name: nameOf(header), from: at + BLOCK, bytes: sizeOf(header) };
      if (Number.isNaN(part.bytes) || part.from + part.bytes > total) return err('the package ends too early');
      parts.push(part);
      at = part.from + Math.ceil(part.bytes / BLOCK) * BLOCK;
    }
    return ok(parts);
  } finally {
    closeSync(handle);
  }
}

function nameOf(header: Buffer): string {
  const field = header.subarray(NAME.from, NAME.to);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end === -1 ? field.length : end);
}

/** Octal digits; beyond 8 GiB binary, marked by the highest bit. NaN = neither. */
function sizeOf(header: Buffer): number {
  const field = header.subarray(SIZE.from, SIZE.to);
  if (field[0] !== 0x80) {
    const digits = field.toString('latin1').replace(/[\0 ]+$/, '');
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  }
  let size = 0;
  for (const byte of field.subarray(1)) size = size * 256 + byte;
  return size;
}
