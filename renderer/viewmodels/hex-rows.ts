/** Bytes as a hex viewer shows them: sixteen a row, printable ASCII beside them. */
export const HEX_ROW_BYTES = 16;

export interface HexCell {
  /** Two digits; two spaces past the end. */
  readonly hex: string;
  readonly ascii: string;
  readonly printable: boolean;
}

export interface HexRow {
  /** Eight hex digits, more only above 4 GiB. */
  readonly offset: string;
  readonly cells: readonly HexCell[];
}

/** Row number `row` (0-based) out of `bytes`, which start at offset `from` of the file. Bytes not held are blank. */
export function hexRow(row: number, from: number, bytes: Uint8Array): HexRow {
  const start = row * HEX_ROW_BYTES;
  const cells = Array.from({ length: HEX_ROW_BYTES }, (_, i): HexCell => {
    const value = bytes[start + i - from];
    if (value === undefined) return { hex: '  ', ascii: ' ', printable: false };
    const printable = value >= 0x20 && value < 0x7f;
    return { hex: value.toString(16).padStart(2, '0'), ascii: printable ? String.fromCharCode(value) : '·', printable };
  });
  return { offset: start.toString(16).padStart(8, '0'), cells };
}
