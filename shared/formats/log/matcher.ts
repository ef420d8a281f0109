/** One pass over a message finds which shapes may be in it; the first that really is wins. */
import { createLiteralFinder } from '../../codecs/lines/literal-finder.ts';
import type { Hit, Message, OpenRecord, RecordSignature, Signature } from './signatures/define.ts';

/** Characters of a message that are looked at. Lines of shapes are far shorter; glued progress bars can precede them. */
export const MAX_LOOK = 16_384;

export type Found =
  | { readonly kind: 'hit'; readonly id: string; readonly hit: Hit }
  | { readonly kind: 'record'; readonly id: string; readonly record: OpenRecord };

export interface Matcher {
  /** Positions of the shapes whose literals are in the text; most often none. */
  readonly candidates: (text: string) => readonly number[];
  /** `before` is the line before it from the same printer. */
  readonly match: (message: Message, candidates: readonly number[], before: string) => Found | undefined;
}

export function createMatcher(records: readonly RecordSignature[], signatures: readonly Signature[]): Matcher {
  const finder = createLiteralFinder([...records, ...signatures].map((shape) => shape.literals));
  return {
    candidates: (text) => finder.find(text),
    match(message, candidates, before) {
      for (const index of candidates) {
        const record = records[index];
        if (record !== undefined) {
          const open = record.open(message, before);
          if (open !== undefined) return { kind: 'record', id: record.id, record: open };
          continue;
        }
        const signature = signatures[index - records.length];
        const hit = signature?.match(message);
        if (signature !== undefined && hit !== undefined) return { kind: 'hit', id: signature.id, hit };
      }
      return undefined;
    },
  };
}
