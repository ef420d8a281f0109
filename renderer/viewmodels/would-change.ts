/** What would change the verdict, each item with the place in the window that it names. */
import type { Report } from '#shared/report/schema.ts';
import { escapeText } from './escape-text.ts';

export type WouldChangeLead =
  | { readonly kind: 'ranks'; readonly ranks: readonly number[] }
  /** Evidence that the bundle lacks: how to ask for it. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'clocks' };

export interface WouldChangeItem {
  readonly text: string;
  /** Null = nothing in the window shows it. */
  readonly lead: WouldChangeLead | null;
}

const MENTION = /\branks? (\d[\d,\s–-]{0,400}(?:and \d{1,7})?)/gi;
const MOST_RANKS = 4096;

/** Words of an item, and the gap that speaks of the same thing. */
const LACKING: readonly (readonly [RegExp, RegExp])[] = [
  [/\bdumps?\b|\bstacks?\b/i, /recorder dumps|stacks/i],
  [/\bkernel log|\bXid\b|\bOOM line/i, /kernel log/i],
  [/\bevents?\b/i, /events/i],
  [/\bPod (?:list|specs?|documents?)|\bexit codes? of/i, /pod specs/i],
  [/\blogs?\b/i, /\blogs of/i],
  [/\bNCCL\b/, /NCCL output/],
];

export function wouldChangeItems(report: Report): readonly WouldChangeItem[] {
  return report.verdict.wouldChange.map((text) => ({ text: escapeText(text), lead: leadOf(text, report) }));
}

/** Ranks before gaps before clocks: the most exact thing that is named. */
function leadOf(text: string, report: Report): WouldChangeLead | null {
  const seen = new Set(report.ranks.map((row) => row.rank));
  const ranks = ranksIn(text).filter((rank) => seen.has(rank));
  if (ranks.length > 0) return { kind: 'ranks', ranks };
  const gaps = report.gaps.filter((gap) => gap.state !== 'present');
  if (LACKING.some(([word, item]) => word.test(text) && gaps.some((gap) => item.test(gap.item))))
    return { kind: 'ask' };
  return /\bclocks?\b/i.test(text) && report.clock.domains.length > 0 ? { kind: 'clocks' } : null;
}

/** Ascending, each once. */
export function ranksIn(text: string): number[] {
  const found = new Set<number>();
  for (const [, list = ''] of text.matchAll(MENTION))
    for (const part of list.split(/,|and/)) {
      const ends = /^\s*(\d{1,7})(?:\s*[–-]\s*(\d{1,7}))?\s*$/.exec(part);
      if (ends === null) continue;
      const low = Number(ends[1]);
      const high = Math.min(Number(ends[2] ?? ends[1]), low + MOST_RANKS);
      for (let rank = low; rank <= high; rank++) found.add(rank);
    }
  return [...found].sort((a, b) => a - b);
}
