/** Heads of the columns: which ranks, and what sets them apart. */

import { CELL_STATES } from '#shared/model/divergence-table.ts';
import { formatRanks, plural } from '#shared/text/format.ts';
import type { RankSetColumn, SetCells } from '#shared/views/collectives/answers.ts';
import type { DumpPresence } from '#shared/views/collectives/types.ts';
import { escapeText } from '../escape-text.ts';
import { formatRanksShort } from '../ranks-text.ts';

export interface SetHead {
  readonly letter: string;
  /** `A, 12 ranks`; the named ranks stand in the chip instead. */
  readonly title: string;
  readonly chip: { readonly look: 'first' | 'victim' | 'bystander'; readonly label: string } | undefined;
  readonly sub: string;
  /** All of it, for the tooltip and for those who do not see. */
  readonly whole: string;
  readonly look: RankSetColumn['look'];
  readonly byLog: boolean;
  /** May be shown rank by rank, or put together again. */
  readonly canSplit: boolean;
  readonly canMerge: boolean;
}

const DUMP_WORDS: Readonly<Record<DumpPresence, string>> = {
  present: 'nothing recorded here',
  absent: 'no file',
  empty: '0 bytes or no entries',
  truncated: 'truncated',
  failed: 'unreadable',
  refused: 'refused',
};
const MAX_SUB = 26;

const letterOf = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : `${String.fromCharCode(64 + Math.floor(index / 26))}${letterOf(index % 26)}`;

export function setHeads(sets: readonly RankSetColumn[], cells: readonly SetCells[]): SetHead[] {
  return sets.map((set, i) => {
    const letter = letterOf(i);
    const count = set.ranks.length;
    const who = count === 1 ? `rank ${set.ranks[0] ?? ''}` : plural(count, 'rank');
    const named = set.look === 'first';
    const list = `${count === 1 ? 'rank' : 'ranks'} ${formatRanksShort([...set.ranks], MAX_SUB)}`;
    return {
      letter,
      title: named ? letter : `${letter}, ${who}`,
      chip: chipOf(set, list),
      sub: subOf(set, i, cells),
      whole: wholeOf(set, letter),
      look: set.look,
      byLog: set.byLog,
      canSplit: count > 1,
      canMerge: set.split,
    };
  });
}

function chipOf(set: RankSetColumn, list: string): SetHead['chip'] {
  switch (set.look) {
    case 'first':
      return { look: 'first', label: list };
    case 'odd':
      return { look: 'bystander', label: 'set apart' };
    case 'waits':
      return { look: 'victim', label: set.ranks.length === 1 ? 'waits' : 'wait' };
    case 'fine':
    case 'silent':
      return undefined;
  }
}

function subOf(set: RankSetColumn, index: number, cells: readonly SetCells[]): string {
  if (set.byLog) return 'from log lines';
  if (set.look === 'silent') {
    const parts = set.dumps.map(({ state, ranks }) =>
      set.dumps.length === 1 ? DUMP_WORDS[state] : `${ranks} ${DUMP_WORDS[state]}`,
    );
    const list = set.ranks.length === 1 ? '' : `${formatRanksShort([...set.ranks], MAX_SUB)}: `;
    return `${list}${parts.join(', ')}`;
  }
  const place = placeOf(set);
  if (set.look === 'first' && place !== '') return place;
  if (index > 0 && isShorter(cells[0], cells[index])) return 'as A, shorter recorder';
  return set.ranks.length === 1 ? place : formatRanksShort([...set.ranks], MAX_SUB);
}

function placeOf(set: RankSetColumn): string {
  const where = set.pod ?? set.node;
  return [
    where === undefined ? '' : escapeText(where),
    set.gpu === undefined ? '' : `GPU ${escapeText(set.gpu.split(' ')[0] ?? '')}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function wholeOf(set: RankSetColumn, letter: string): string {
  const parts = [
    `Set ${letter}: ${set.ranks.length === 1 ? 'rank' : 'ranks'} ${formatRanks(set.ranks)}`,
    set.node === undefined ? '' : `node ${escapeText(set.node)}`,
    set.pod === undefined ? '' : `Pod ${escapeText(set.pod)}`,
    set.horizon === undefined ? '' : `recorder holds calls from #${set.horizon.to}`,
    set.newest === undefined ? '' : `newest #${set.newest.to}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const NOT_HELD = CELL_STATES.indexOf('not-held');

/** The same as the first set wherever its recorder still holds anything. */
function isShorter(first: SetCells | undefined, own: SetCells | undefined): boolean {
  if (first === undefined || own === undefined) return false;
  let lost = 0;
  for (let row = 0; row < own.state.length; row++) {
    if (own.state[row] === NOT_HELD) {
      lost++;
      continue;
    }
    if (own.state[row] !== first.state[row] || own.content[row] !== first.content[row]) return false;
  }
  return lost > 0 && lost < own.state.length;
}
