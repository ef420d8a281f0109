/**
 * What the JSON and YAML codecs make of a document: plain values that remember where they stood.
 *
 * Maps are real `Map`s, so that a foreign key such as `__proto__` is only a key. Scalars of YAML stay text as
 * written (a label `65e7` or a version `1.10` must not become a number); JSON numbers are numbers, integers beyond
 * 2^53 stay text. Read both through the accessors below, which do not care.
 */
export type DocValue = null | boolean | number | string | DocList | DocMap;

export interface DocList {
  readonly kind: 'list';
  /** Offset of its first character in the text that was read (UTF-16 units). */
  readonly at: number;
  readonly items: readonly DocValue[];
}

export interface DocMap {
  readonly kind: 'map';
  readonly at: number;
  /** Offset behind its last character where the codec knows it, else equal to `at`. */
  readonly end: number;
  readonly entries: ReadonlyMap<string, DocValue>;
}

/** Where a text could not be read. Line and column count from 1, in characters. */
export interface DocProblem {
  readonly at: number;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
  /** `lost`: something was not read. `note`: all was read, but the writer may have meant something else. */
  readonly effect: 'lost' | 'note';
}

/**
 * A text as a sequence of parts, so that a list of a hundred thousand objects is never one tree:
 * `document` is a whole document; `list` is a document without its top-level `items`, which follow as `item`s.
 */
export type DocPart =
  | { readonly kind: 'document'; readonly value: DocValue }
  | { readonly kind: 'list'; readonly envelope: DocMap }
  | { readonly kind: 'item'; readonly value: DocValue }
  | { readonly kind: 'problem'; readonly problem: DocProblem };

export interface DocLimits {
  /** Nested collections. */
  readonly maxDepth: number;
  /** Values in one document or item. */
  readonly maxNodes: number;
  /** Problems that are reported before the rest of the text is given up. */
  readonly maxProblems: number;
}

/** Kubernetes objects nest to about 20 with managedFields; the largest real Pods have some thousand values. */
export const DOC_LIMITS: DocLimits = { maxDepth: 100, maxNodes: 500_000, maxProblems: 20 };

export const isMap = (value: DocValue | undefined): value is DocMap =>
  typeof value === 'object' && value !== null && value.kind === 'map';
export const isList = (value: DocValue | undefined): value is DocList =>
  typeof value === 'object' && value !== null && value.kind === 'list';

/** The value under a path of keys; undefined if any step is missing or no map. */
export function valueAt(value: DocValue | undefined, ...path: readonly string[]): DocValue | undefined {
  let here = value;
  for (const key of path) {
    if (!isMap(here)) return undefined;
    here = here.entries.get(key);
  }
  return here;
}

export function mapAt(value: DocValue | undefined, ...path: readonly string[]): DocMap | undefined {
  const found = valueAt(value, ...path);
  return isMap(found) ? found : undefined;
}

/** The items of a list; empty if there is none. */
export function listAt(value: DocValue | undefined, ...path: readonly string[]): readonly DocValue[] {
  const found = valueAt(value, ...path);
  return isList(found) ? found.items : [];
}

/** A scalar as text; undefined for null, collections and absence. */
export function textAt(value: DocValue | undefined, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  if (typeof found === 'string') return found;
  if (typeof found === 'number' || typeof found === 'boolean') return String(found);
  return undefined;
}

const PLAIN_NUMBER = /^[-+]?\d{1,17}(?:\.\d{1,17})?$/;

/** A number, also if it was written as text; undefined for anything else. */
export function numberAt(value: DocValue | undefined, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  if (typeof found === 'number') return found;
  return typeof found === 'string' && PLAIN_NUMBER.test(found) ? Number(found) : undefined;
}

export function booleanAt(value: DocValue | undefined, ...path: readonly string[]): boolean | undefined {
  const found = valueAt(value, ...path);
  if (typeof found === 'boolean') return found;
  if (found === 'true') return true;
  return found === 'false' ? false : undefined;
}

/** Line and column (from 1) of an offset. O(offset). */
export function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', start)) {
    line += 1;
    start = next + 1;
  }
  return { line, column: at - start + 1 };
}
