/** What a codec that fills a `ValueArena` can come to. */
import type { ValueArena } from './index.ts';

/** A container that was still open when the bytes ended. */
export interface OpenContainer {
  readonly container: number;
  /** LIST, TUPLE or DICT of the arena. */
  readonly kind: number;
  /** String id of the dict key it was meant for; -1 if it stands in no dict. */
  readonly key: number;
}

export interface DecodedWhole {
  readonly kind: 'value';
  readonly arena: ValueArena;
  readonly rootKind: number;
  readonly rootNum: number;
  /** Offset behind the value: less than the length if more bytes follow. */
  readonly end: number;
}

/**
 * The bytes ended first. `open`: unfinished containers, outermost first. They hold the whole values that were read for
 * them and are still apart from their parents; a value that was read in part is dropped.
 */
export interface DecodedPart {
  readonly kind: 'truncated';
  readonly arena: ValueArena;
  readonly open: readonly OpenContainer[];
  readonly at: number;
}

export type DecodedNot =
  | { readonly kind: 'invalid'; readonly why: string; readonly at: number }
  | { readonly kind: 'limit'; readonly what: string; readonly at: number };
