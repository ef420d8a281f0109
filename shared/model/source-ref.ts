import type { EntryId } from './ids.ts';

/**
 * Where something came from, inside one entry.
 * - `line`    1-based line; `byte` and `length` cover that line without its line feed
 * - `byte`    a range of bytes; `length` 0 = a point
 * - `record`  0-based position in a Flight Recorder dump's entries
 * - `entry`   the file as a whole (its absence of content, its status)
 */
export type SourceRef =
  | {
      readonly kind: 'line';
      readonly entry: EntryId;
      readonly line: number;
      readonly byte: number;
      readonly length: number;
    }
  | { readonly kind: 'byte'; readonly entry: EntryId; readonly byte: number; readonly length: number }
  | { readonly kind: 'record'; readonly entry: EntryId; readonly record: number }
  | { readonly kind: 'entry'; readonly entry: EntryId };
