import { defineIgnoredFormat } from '../../model/format.ts';
import { looksLikeText } from '../text-head.ts';

/** Anything that is not text and that nobody claimed: kept and hashed, never guessed at. */
export default defineIgnoredFormat({
  id: 'unknown-binary',
  title: 'Unknown binary file',
  issue: 'unknown-binary',
  detail: 'a binary file of an unknown kind',
  claim: ({ bytes, text }) =>
    bytes.length > 0 && !looksLikeText(text) ? { score: 0.01, why: 'not text, and no known start' } : undefined,
});
