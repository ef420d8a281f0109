/** Sets of ranks as the labels of chips and rows. */
import { formatRanks } from '#shared/lib/rank-set.ts';

/** The set cut to about `maxLength` characters at a comma, with an ellipsis for the ranks left out. */
export function formatRanksShort(ranks: readonly number[], maxLength: number): string {
  const text = formatRanks(ranks);
  if (text.length <= maxLength) return text;
  const cut = text.lastIndexOf(', ', maxLength);
  return `${text.slice(0, cut > 0 ? cut : maxLength)}, …`;
}

/** `rank 4` or `ranks 4–7`. Empty → empty text. */
export function rankLabel(ranks: readonly number[], place: 'start' | 'inside' = 'inside'): string {
  if (ranks.length === 0) return '';
  const word = ranks.length === 1 ? 'ank' : 'anks';
  return `${place === 'start' ? 'R' : 'r'}${word} ${formatRanksShort(ranks, 28)}`;
}
