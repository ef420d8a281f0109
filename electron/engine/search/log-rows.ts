/** Rows as the window gets them: what a line says, where it is, and how sure its time is. */

import { entryId } from '#shared/model/ids.ts';
import type { LineRow, LogRow } from '#shared/rpc/areas/logs.ts';
import type { BlockCache } from './block-cache.ts';
import type { RowRef } from './block-rows.ts';
import { type Basis, type CaseIndex, shiftOf } from './case-index.ts';
import type { FoldOptions, ListRow } from './fold.ts';
import type { MatchList } from './match-list.ts';

/** Characters of one line that travel to the window. */
const MAX_ROW_CHARS = 4_096;
/** Ranks that a folded row names. */
const MAX_FOLD_RANKS = 4_096;

export const lineKey = (index: CaseIndex, block: number, line: number): string =>
  `${index.files[index.blocks.file[block] ?? 0]?.record.id ?? 0}:${(index.blocks.firstLine[block] ?? 1) + line}`;

export function lineRow(index: CaseIndex, cache: BlockCache, basis: Basis, ref: RowRef, folded = false): LineRow {
  const { blocks } = index;
  const file = index.files[blocks.file[ref.block] ?? 0];
  const read = cache.read(ref.block);
  const facts = read?.facts.facts(ref.line);
  const shift = shiftOf(file, basis);
  const pod = facts?.pod ?? file?.pod ?? null;
  const plain = facts?.plain ?? '';
  const message = facts?.message ?? '';
  const bytes = read === undefined ? 0 : read.lines.end(ref.line) - read.lines.start(ref.line);
  const timeNs = facts?.timeNs ?? Number.NaN;
  return {
    kind: 'line',
    key: lineKey(index, ref.block, ref.line),
    entryId: entryId(file?.record.id ?? 0),
    file: file?.index ?? 0,
    line: (blocks.firstLine[ref.block] ?? 1) + ref.line,
    byte: (blocks.byte[ref.block] ?? 0) + (read?.lines.start(ref.line) ?? 0),
    bytes,
    timeNs: Number.isNaN(timeNs) ? null : timeNs - shift,
    rawNs: Number.isNaN(timeNs) ? null : timeNs,
    keyNs: ref.keyNs,
    corrected: basis === 'corrected' && file?.clock?.offset != null,
    zoneAssumed: facts?.zoneAssumed === true && file?.zoneNs == null,
    resolutionNs: facts?.resolutionNs ?? 0,
    rank: facts?.rank ?? file?.rank ?? null,
    rankBy: facts?.rank != null ? 'line' : file?.rank != null ? 'file' : null,
    pod,
    level: facts?.level() ?? null,
    continues: facts?.continues === true,
    folded,
    text: message.slice(0, MAX_ROW_CHARS),
    before: plain.endsWith(message) ? plain.slice(0, Math.min(400, plain.length - message.length)) : '',
    more: Math.max(0, bytes - MAX_ROW_CHARS),
    unreadable: read === undefined,
  };
}

export function listRow(index: CaseIndex, cache: BlockCache, basis: Basis, list: MatchList, row: ListRow): LogRow {
  switch (row.kind) {
    case 'line':
      return lineRow(index, cache, basis, refAt(list, row.at), row.folded);
    case 'fold': {
      const ranks = [...new Set(row.members.map((at) => list.rank[at] ?? -1))].sort((a, b) => a - b);
      const last = row.members.at(-1) ?? row.head;
      return {
        kind: 'fold',
        key: lineKey(index, list.block[row.head] ?? 0, list.line[row.head] ?? 0),
        count: row.members.length,
        ranks: ranks.filter((rank) => rank >= 0).slice(0, MAX_FOLD_RANKS),
        files: new Set(row.members.map((at) => index.blocks.file[list.block[at] ?? 0])).size,
        spanNs: (list.keyNs[last] ?? 0) - (list.keyNs[row.head] ?? 0),
        open: row.open,
      };
    }
    case 'gap':
      return { kind: 'gap', fromNs: row.fromNs, toNs: row.toNs };
  }
}

export const refAt = (list: MatchList, at: number): RowRef => ({
  block: list.block[at] ?? 0,
  line: list.line[at] ?? 0,
  keyNs: list.keyNs[at] ?? 0,
});

export const foldOptionsFor = (
  index: CaseIndex,
  list: MatchList,
  choice: Pick<FoldOptions, 'fold' | 'keep' | 'open' | 'timedNs'>,
): FoldOptions => ({
  ...choice,
  keyOf: (at) => lineKey(index, list.block[at] ?? 0, list.line[at] ?? 0),
  fileOf: (at) => index.blocks.file[list.block[at] ?? 0] ?? 0,
});
