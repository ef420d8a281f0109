/** What an expression of an original is, and where in its match the original stands. */
import type { RedactionKind } from './types.ts';

export interface Pattern {
  readonly kind: RedactionKind;
  /** Global. Named groups are the parts that are replaced; without any it is the whole match. Bounded, without nested repetition. */
  readonly regex: RegExp;
  /** Refuses what only looks alike. */
  readonly accepts?: (text: string) => boolean;
  /** A text without this part (any case), or shorter than that, cannot match: most texts need no expression at all. */
  readonly needs?: string;
  readonly least?: number;
}

export interface Part {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** `lower` is the text in lower case. False where a look is wasted. */
export const mayMatch = ({ needs, least }: Pattern, lower: string): boolean =>
  (least === undefined || lower.length >= least) && (needs === undefined || lower.includes(needs));

/** Parts of `text` that the pattern names, from left to right. O(n) for the patterns of this folder. */
export function* partsOf({ regex, accepts }: Pattern, text: string): Generator<Part> {
  for (const match of text.matchAll(regex)) {
    for (const [from, to] of placesOf(match, regex)) {
      const part = text.slice(from, to);
      if (part !== '' && accepts?.(part) !== false) yield { from, to, text: part };
    }
  }
}

/** Named groups may hold a text that stands twice in the match, so their places are asked for, not searched. */
function placesOf(match: RegExpExecArray, regex: RegExp): readonly (readonly [number, number])[] {
  if (match.groups === undefined) return [[match.index, match.index + match[0].length]];
  const sticky = new RegExp(regex.source, `${regex.flags.replace('g', '')}dy`);
  sticky.lastIndex = match.index;
  const groups = sticky.exec(match.input)?.indices?.groups ?? {};
  return Object.values(groups).filter((place) => place !== undefined);
}
