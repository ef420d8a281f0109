/** Pages for a few words. All words must be somewhere; where they are decides the order. */
import type { HelpPage } from './types.ts';

/** Most words looked at; the rest is ignored. */
const MOST_WORDS = 8;

/** Best first; equal ones in reading order. Everything for an empty query. No pattern of the query is interpreted. */
export function searchHelp(pages: readonly HelpPage[], query: string): HelpPage[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS);
  return pages
    .map((page, place) => ({ page, place, score: scoreOf(page, words) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .map(({ page }) => page);
}

/** -1 if a word is nowhere. */
function scoreOf(page: HelpPage, words: readonly string[]): number {
  const title = page.title.toLowerCase();
  const keywords = [page.id, ...page.keywords].map((word) => word.toLowerCase());
  const lead = page.lead.toLowerCase();
  const text = page.sections
    .map((section) => `${section.title} ${section.text}`)
    .join(' ')
    .toLowerCase();
  let sum = 0;
  for (const word of words) {
    const score = keywords.includes(word)
      ? 8
      : title.includes(word)
        ? 6
        : keywords.some((keyword) => keyword.includes(word))
          ? 4
          : lead.includes(word)
            ? 2
            : text.includes(word)
              ? 1
              : -1;
    if (score < 0) return -1;
    sum += score;
  }
  return sum;
}
