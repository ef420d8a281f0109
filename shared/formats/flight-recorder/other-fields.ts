/** Fields of an entry that we do not know, kept as one text: `thread_id=140213, thread_name=pt_main_thread`. */

/** Longest text of one entry's other fields, and of one of them. */
export const MAX_EXTRA = 2_000;
/** Fields we do not know that one entry may show. */
export const MAX_OTHERS = 32;

/** `parts`: `name=value`, in any order. */
export function otherFieldsText(parts: readonly string[]): string {
  const text = parts
    .map((part) => part.slice(0, MAX_EXTRA))
    .sort()
    .join(', ');
  return text.length > MAX_EXTRA ? `${text.slice(0, MAX_EXTRA)}…` : text;
}
