/** True if `bytes` has `pattern` at `offset`. Patterns are byte values; a string stands for its ASCII codes. */
export function hasBytesAt(bytes: Uint8Array, offset: number, pattern: string | readonly number[]): boolean {
  const wanted = typeof pattern === 'string' ? Array.from(pattern, (c) => c.charCodeAt(0)) : pattern;
  if (bytes.length < offset + wanted.length) return false;
  return wanted.every((value, i) => bytes[offset + i] === value);
}

export interface Magic {
  readonly what: string;
  readonly offset: number;
  readonly pattern: string | readonly number[];
}

/** The first entry of `table` whose pattern is in `bytes`. */
export const findMagic = (bytes: Uint8Array, table: readonly Magic[]): Magic | undefined =>
  table.find((magic) => hasBytesAt(bytes, magic.offset, magic.pattern));
