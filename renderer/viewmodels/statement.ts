/** A statement of the verdict, split so that the chip of the first rank can stand in its place. */
import { rankLabel } from './ranks-text.ts';

export interface Statement {
  /** Text of the chip, capitalised; null = no chip. */
  readonly chip: string | null;
  readonly text: string;
}

/**
 * If the summary starts with the named ranks ("Rank 11 entered …", "Ranks 4, 5 were …", "Ranks 4-7 of …"), those words
 * become the chip. Else the chip stands before the whole summary. Without ranks there is no chip.
 */
export function splitStatement(summary: string, ranks: readonly number[]): Statement {
  if (ranks.length === 0) return { chip: null, text: summary };
  const chip = rankLabel(ranks, 'start');
  const match = /^ranks? ([\d,\s–-]*\d(?: and \d+)?)/i.exec(summary);
  if (match && sameRanks(match[1] ?? '', ranks)) return { chip, text: summary.slice(match[0].length).trimStart() };
  return { chip, text: summary };
}

/** A statement with its chip in the sentence: `before` and `after` are the words around it. */
export interface PlacedStatement {
  readonly before: string;
  readonly chip: string | null;
  readonly after: string;
}

/**
 * The named ranks where the sentence names them first: at its start, or inside ("Pod a was evicted; its [ranks 4–7] ended").
 * If it does not name them, the chip stands before it, set off by a colon.
 */
export function placeChip(summary: string, ranks: readonly number[]): PlacedStatement {
  if (ranks.length === 0) return { before: '', chip: null, after: summary };
  for (const match of summary.matchAll(MENTION)) {
    if (!sameRanks(match[1] ?? '', ranks)) continue;
    const start = match.index === 0;
    return {
      before: summary.slice(0, match.index),
      chip: rankLabel(ranks, start ? 'start' : 'inside'),
      after: summary.slice(match.index + match[0].length),
    };
  }
  return { before: '', chip: rankLabel(ranks, 'start'), after: `: ${summary}` };
}

const MENTION = /\branks? (\d[\d,\s–-]*(?: and \d+)?)(?<=\d)/gi;

function sameRanks(text: string, ranks: readonly number[]): boolean {
  const named = new Set<number>();
  for (const part of text.split(/,|and/)) {
    const [low, high] = part.trim().split(/[–-]/).map(Number);
    if (low === undefined || Number.isNaN(low) || (high !== undefined && (Number.isNaN(high) || high - low > 10_000)))
      return false;
    for (let rank = low; rank <= (high ?? low); rank++) named.add(rank);
  }
  return named.size === ranks.length && ranks.every((rank) => named.has(rank));
}

/** The first clause of a summary, for one row of a list: up to the first full stop, semicolon or colon that ends a word. */
export function firstClause(text: string): string {
  const match = /^(.{8,}?)(?:[.;:](?=\s)|\.$)/s.exec(text);
  return match?.[1] ?? text;
}
