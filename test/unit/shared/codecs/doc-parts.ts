/** What tests ask of the parts of a document, whatever its syntax. */
import { type DocPart, isMap } from '#shared/codecs/document-tree.ts';

/** Keys of a document that is a map, in order; false for anything else. */
export const keysOf = (part: DocPart | undefined): readonly string[] | false =>
  part?.kind === 'document' && isMap(part.value) && [...part.value.entries.keys()];

/** The text of each item, as it stands in the document. */
export const itemTexts = (parts: Iterable<DocPart>, text: string): readonly string[] =>
  [...parts].flatMap((part) =>
    part.kind === 'item' && isMap(part.value) ? [text.slice(part.value.at, part.value.end)] : [],
  );
