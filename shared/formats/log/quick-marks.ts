/**
 * What the quick readings of a line share (`quick-layers.ts` for the import, `shared/search/quick-line.ts` for lines that are searched or shown):
 * bytes by kind, CRI's stream, the mark of a rank, and what is sure to be no layer. All ends are outside; bytes beyond them are read as they
 * stand, which a line's feed or the next line makes harmless.
 */
export const isDigit = (code: number | undefined): boolean => code !== undefined && code >= 48 && code <= 57;
export const isUpper = (code: number | undefined): boolean => code !== undefined && code >= 65 && code <= 90;
export const isLower = (code: number | undefined): boolean => code !== undefined && code >= 97 && code <= 122;
export const isLetter = (code: number | undefined): boolean => isUpper(code) || isLower(code);

/** V I W E F, and C of absl: levels of C++ headers. */
export const isHeaderLevel = (code: number): boolean =>
  code === 86 || code === 73 || code === 87 || code === 69 || code === 70 || code === 67;

/** ` std` at the space behind a runtime's stamp. */
export const isStd = (bytes: Uint8Array, space: number): boolean =>
  bytes[space + 1] === 115 && bytes[space + 2] === 116 && bytes[space + 3] === 100;

/** Bytes of ` stdout F `. */
export const CRI_BYTES = 10;

/** Of ` stdout F ` or ` stderr F ` at the space; '' for a fragment or a further tag. */
export function criOutput(bytes: Uint8Array, space: number, end: number): 'out' | 'err' | '' {
  if (space + 9 >= end || bytes[space + 7] !== 32 || bytes[space + 8] !== 70 || bytes[space + 9] !== 32) return '';
  if (bytes[space + 4] === 111 && bytes[space + 5] === 117 && bytes[space + 6] === 116) return 'out';
  return bytes[space + 4] === 101 && bytes[space + 5] === 114 && bytes[space + 6] === 114 ? 'err' : '';
}

/** `[rank3]:` of torch or `[rank3] ` of the program. */
export class RankMark {
  rank = -1;
  isTorch = false;
  /** Behind it and its space. */
  next = 0;

  /** At the bracket. False if it is none, or has zeros in front, which stay in the mark's text; the fields mean nothing then. */
  read(bytes: Uint8Array, at: number, end: number): boolean {
    if (bytes[at + 2] !== 97 || bytes[at + 3] !== 110 || bytes[at + 4] !== 107) return false;
    let rank = 0;
    let next = at + 5;
    while (next < end && isDigit(bytes[next])) {
      rank = rank * 10 + (bytes[next] ?? 48) - 48;
      next += 1;
    }
    const digits = next - at - 5;
    if (digits < 1 || digits > 7 || (digits > 1 && bytes[at + 5] === 48)) return false;
    if (next + 1 >= end || bytes[next] !== 93) return false;
    next += 1;
    this.isTorch = bytes[next] === 58;
    if (!this.isTorch && bytes[next] !== 32) return false;
    next += 1;
    if (this.isTorch && next < end && bytes[next] === 32) next += 1;
    this.rank = rank;
    this.next = next;
    return true;
  }
}

/** A number that is no date and no epoch: it has fewer than four digits and no date's separator behind two. */
export const isSureNumber = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + 2] !== 47 &&
  bytes[at + 2] !== 45 &&
  !(isDigit(bytes[at + 1]) && isDigit(bytes[at + 2]) && isDigit(bytes[at + 3]));

/** No header, no part of a launcher's, and no level or month before a date without year. */
export function isSureUpper(bytes: Uint8Array, at: number, end: number): boolean {
  const first = bytes[at] ?? 0;
  if (isDigit(bytes[at + 1]) && (isHeaderLevel(first) || first === 80)) return false;
  let next = at + 1;
  while (next < end && isLetter(bytes[next])) next += 1;
  return bytes[next] !== 32 || !(isDigit(bytes[next + 1]) || (bytes[next + 1] === 32 && isDigit(bytes[next + 2])));
}

/** Spaces in front of anything but a digit or a bracket are no label and no stamp. */
export function isSureIndent(bytes: Uint8Array, at: number, end: number): boolean {
  let next = at;
  while (next < end && bytes[next] === 32) next += 1;
  return next >= end || !(isDigit(bytes[next]) || bytes[next] === 91);
}
