/** The raw viewer: which modes a file has, what its place is called, what a typed place means, pieces of long lines. */
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';

export const RAW_MODES = ['text', 'hex', 'record'] as const;
export type RawMode = (typeof RAW_MODES)[number];
export const RAW_MODE_WORDS: Readonly<Record<RawMode, string>> = { text: 'Text', hex: 'Hex', record: 'Records' };

/** For each mode undefined if the file has it, else why not. */
export function modeHurdles(entry: EntryRow): Readonly<Record<RawMode, string | undefined>> {
  const dump = entry.format?.startsWith('flight-recorder') ?? false;
  const readable =
    entry.status === 'read' ||
    entry.status === 'warned' ||
    entry.status === 'truncated' ||
    entry.status === 'duplicate';
  return {
    text: entry.lines === null ? 'This file is not text.' : undefined,
    hex: undefined,
    record: !dump
      ? 'Only recorder dumps have records.'
      : readable
        ? undefined
        : `The dump is ${entry.status}; it has no readable records.`,
  };
}

/** The asked mode if the file has it, else its most readable one. */
export function modeFor(entry: EntryRow, asked: RawMode | null): RawMode {
  const hurdles = modeHurdles(entry);
  if (asked !== null && hurdles[asked] === undefined) return asked;
  return hurdles.record === undefined ? 'record' : hurdles.text === undefined ? 'text' : 'hex';
}

/** `12 345`, `0x1f00`, `1 999`: digits with optional spaces, or hex for bytes. Null if it is no such number. */
export function parsePlace(text: string, mode: RawMode): number | null {
  const plain = text.replaceAll(/[\s\u2009\u202f]/g, '').replace(/^(?:line|byte|record)/i, '');
  if (mode === 'hex' && /^0x[0-9a-f]{1,12}$/i.test(plain)) return Number.parseInt(plain.slice(2), 16);
  return /^\d{1,13}$/.test(plain) ? Number(plain) : null;
}

export function goToLabel(mode: RawMode): string {
  return { text: 'Go to line', hex: 'Go to byte', record: 'Go to record' }[mode];
}

/** Characters of a line that are drawn in its row; the rest opens below in pieces. */
export const ROW_CHARACTERS = 1000;
/** Lines above this length show the piece panel when they are selected. */
export const LONG_LINE_CHARACTERS = 180;
export const PIECE_CHARACTERS = 2048;

export interface LinePiece {
  readonly text: string;
  readonly index: number;
  readonly count: number;
  /** `characters 2 049–4 096 of 8 192` */
  readonly label: string;
}

/** Piece `index` (from 0) of a line; an index past the end gives the last one. */
export function linePiece(text: string, index: number): LinePiece {
  const count = Math.max(1, Math.ceil(text.length / PIECE_CHARACTERS));
  const at = Math.max(0, Math.min(index, count - 1));
  const from = at * PIECE_CHARACTERS;
  const to = Math.min(text.length, from + PIECE_CHARACTERS);
  return {
    text: text.slice(from, to),
    index: at,
    count,
    label:
      count === 1
        ? `${formatCount(text.length)} characters`
        : `characters ${formatCount(from + 1)}–${formatCount(to)} of ${formatCount(text.length)}`,
  };
}
