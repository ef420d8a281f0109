/** The lanes of both cases: which sets are drawn, what stands beside each, and where each row lies. */
import { formatRanks } from '#shared/lib/rank-set.ts';
import type { CompareAnswer, CompareSide } from '#shared/rpc/areas/compare.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import type { LaneSet } from '#shared/views/compare/run.ts';
import { escapeText } from '../escape-text.ts';
import { isNeverEnqueued, opName, standingWord, waitsFor } from '../ranks/legend.ts';

export interface LaneRow {
  readonly lane: number;
  readonly rank: number;
  /** Its calls are recorded. */
  readonly recorded: boolean;
  readonly isFirst: boolean;
  readonly waits: boolean;
  /** `rank 37`, `ranks 0–5, 7`. */
  readonly title: string;
  /** `first`, `waits`, `ended`. */
  readonly word: string;
  /** At length: how they stand, the call, whose lane is drawn. */
  readonly words: string;
  /** Top of the row, px from the top of the drawing. */
  readonly y: number;
}

export interface SideLayout {
  /** Top of the head, of the curve of waiting ranks, and the end of the side; px. */
  readonly top: number;
  readonly strip: number;
  readonly end: number;
  readonly rows: readonly LaneRow[];
  /** `2 more sets of 14 ranks are not drawn`; empty = all are. */
  readonly more: string;
}

export interface LanesLayout {
  readonly a: SideLayout;
  readonly b: SideLayout;
  readonly height: number;
}

export interface LaneSizes {
  readonly axis: number;
  readonly head: number;
  readonly strip: number;
  readonly row: number;
  /** Sets drawn of each case at most. */
  readonly most: number;
}

export function lanesLayout({ a, b }: CompareAnswer, sizes: LaneSizes): LanesLayout {
  const first = sideLayout(a, sizes.axis, sizes);
  const second = sideLayout(b, first.end, sizes);
  return { a: first, b: second, height: second.end };
}

function sideLayout({ sets }: CompareSide, top: number, { head, strip, row, most }: LaneSizes): SideLayout {
  const rows = sets.slice(0, most).map((set, i) => rowOf(set, top + head + strip + i * row));
  const hidden = sets.slice(most);
  const ranks = hidden.reduce((sum, set) => sum + set.ranks.length, 0);
  return {
    ...{ top, strip: top + head, rows },
    end: top + head + strip + Math.max(1, rows.length) * row,
    more: hidden.length === 0 ? '' : `${plural(hidden.length, 'more set')} of ${plural(ranks, 'rank')}`,
  };
}

function rowOf(set: LaneSet, y: number): LaneRow {
  const { lane, rank, recorded, ranks, standing, link, call } = set;
  const numbers = formatRanks(ranks);
  const title = ranks.length === 1 ? `rank ${numbers}` : `ranks ${numbers}`;
  const waits = standing === 'waiting';
  const isFirst = standing === 'first';
  const word = isFirst ? 'first' : (SHORT_WORDS[standing] ?? standingWord(standing).toLowerCase());
  const what = waits ? waitsFor(link ?? undefined).toLowerCase() : standingWord(standing).toLowerCase();
  const never = call !== null && isNeverEnqueued(call.op);
  const where =
    call === null
      ? ''
      : escapeText(
          [never ? 'never enqueued' : '', call.group, opName(call.op), call.seq === null ? '' : `#${call.seq}`]
            .filter((part) => part !== '')
            .join(' ')
            .slice(0, 200),
        );
  const drawn = ranks.length === 1 ? '' : `drawn: rank ${rank} of ${formatCount(ranks.length)}`;
  const words = [what, where, recorded ? '' : 'no recorded call', drawn].filter((part) => part !== '').join('; ');
  return { lane, rank, recorded, isFirst, waits, title, word, words, y };
}

const SHORT_WORDS: Readonly<Partial<Record<LaneSet['standing'], string>>> = {
  absent: 'awaited',
  differs: 'differs',
  waiting: 'waits',
  exited: 'ended',
  'in-call': 'in a call',
  between: 'computes',
  logging: 'logs on',
  before: 'not begun',
  'no-file': 'no dump',
  'no-records': 'no records',
};
