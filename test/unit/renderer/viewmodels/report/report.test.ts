import { describe, expect, it } from 'vitest';
import { type Block, breakPieces, type ReportDocument, SECTION_IDS } from '#shared/report/sections/index.ts';
import type { ReportChoices, ReportPreview } from '#shared/rpc/areas/export.ts';
import { pagesOf } from '../../../../../renderer/viewmodels/report/pages.ts';
import {
  addWords,
  moveSection,
  paperPieces,
  stopSentences,
  switchSection,
} from '../../../../../renderer/viewmodels/report/words.ts';

const rows = (count: number, cell = 'x'): readonly (readonly string[])[] =>
  Array.from({ length: count }, (_, i) => [String(i), cell]);
const table = (count: number, cell?: string): Block => ({
  kind: 'table',
  head: ['a', 'b'],
  rows: rows(count, cell),
  mono: [],
});
const documentOf = (...blocks: readonly Block[]): ReportDocument => ({
  title: 't',
  redacted: false,
  foot: '',
  sections: [{ id: 'gaps', title: 'Gaps', count: '', blocks }],
});

const rowsOf = (document: ReportDocument): number[] =>
  pagesOf(document).map((page) =>
    page
      .flatMap(({ blocks }) => blocks)
      .reduce((sum, block) => sum + (block.kind === 'table' ? block.rows.length : 0), 0),
  );

describe('pages', () => {
  it('hold every row of a long table once, in order, and say the title once', () => {
    const pages = pagesOf(documentOf(table(200)));
    expect(pages.length).toBeGreaterThan(3);
    const seen = pages.flatMap((page) =>
      page.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'table' ? block.rows.map(([i]) => i) : [])),
      ),
    );
    expect(seen).toEqual(rows(200).map(([i]) => i));
    expect(pages.flatMap((page) => page.map(({ title }) => title)).filter((title) => title !== null)).toEqual(['Gaps']);
  });

  it('hold fewer rows where cells need more lines', () => {
    const [short = 0] = rowsOf(documentOf(table(100)));
    const [long = 0] = rowsOf(documentOf(table(100, 'many words '.repeat(30))));
    expect(long * 3).toBeLessThan(short);
  });

  it('go on counting in a list that was cut', () => {
    const items = Array.from({ length: 120 }, (_, i) => ({ text: `item ${i}`, time: null, place: null }));
    const lists = pagesOf(documentOf({ kind: 'list', ordered: true, items })).flatMap((page) =>
      page.flatMap(({ blocks }) => blocks),
    );
    let next = 1;
    for (const list of lists) {
      if (list.kind !== 'list') throw new Error(list.kind);
      expect(list.start ?? 1).toBe(next);
      next += list.items.length;
    }
    expect(next).toBe(121);
  });

  it('keep a heading with what follows it, and take a block that fits no page as it is', () => {
    const pages = pagesOf(
      documentOf(table(42), { kind: 'heading', text: 'H' }, { kind: 'code', title: '', text: 'x\n'.repeat(400) }),
    );
    const last = pages.at(-1)?.flatMap(({ blocks }) => blocks.map(({ kind }) => kind));
    expect(last).toEqual(['heading', 'code']);
  });
});

const CHOICES: ReportChoices = { sections: SECTION_IDS.map((id) => ({ id, on: true })), redact: true, words: [] };
const order = (choices: ReportChoices): string[] => choices.sections.map(({ id }) => id);

describe('choices', () => {
  it('move a section by place and stay at the ends', () => {
    expect(order(moveSection(CHOICES, 'verdict', 2)).slice(0, 3)).toEqual(['evidence', 'timeline', 'verdict']);
    expect(moveSection(CHOICES, 'verdict', -1)).toBe(CHOICES);
    expect(order(moveSection(CHOICES, 'verdict', 99)).at(-1)).toBe('verdict');
    expect(new Set(order(moveSection(CHOICES, 'gaps', 0))).size).toBe(SECTION_IDS.length);
  });

  it('switch one section', () => {
    expect(switchSection(CHOICES, 'gaps', false).sections.filter(({ on }) => !on)).toEqual([{ id: 'gaps', on: false }]);
  });

  it('take words once, without case, and none that is too short', () => {
    expect(addWords({ ...CHOICES, words: ['Acme'] }, 'acme, Falcon\nx\n falcon ').words).toEqual(['Acme', 'Falcon']);
  });
});

describe('words', () => {
  it('set stand-ins apart and join to the text', () => {
    const pieces = paperPieces('On host-1: logs/pod-12.log, Rank 3', true);
    expect(pieces.filter(({ standIn }) => standIn).map(({ text }) => text)).toEqual(['host-1', 'pod-12']);
    expect(pieces.map(({ text }) => text).join('')).toBe('On host-1: logs/pod-12.log, Rank 3');
    expect(paperPieces('host-1', false)).toEqual([{ text: 'host-1', standIn: false }]);
  });

  it('name what stopped an export, and how much more', () => {
    const unscanned = [
      { section: 'starred', where: 'text of record 1', why: 'not-text' },
      { section: 'starred', where: 'note 2', why: 'too-long' },
      { section: 'gaps', where: 'gaps.where', why: 'not-text' },
    ] as const;
    const preview: Pick<ReportPreview, 'stoppedBy' | 'redaction'> = {
      stoppedBy: ['starred'],
      redaction: { groups: [], places: 0, originals: 0, unscanned, kept: [] },
    };
    expect(stopSentences(preview)).toEqual([
      { id: 'starred', text: 'Starred records, notes: text of record 1 holds bytes that are not text, and 1 more' },
    ]);
  });

  it.each(['', 'short', 'TORCH_NCCL_DEBUG_INFO_TEMP_FILE is unset', 'a'.repeat(100), 'logs/pod-2.log:59 host-1'])(
    'break long words and lose nothing: %s',
    (text) => {
      const pieces = breakPieces(text);
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) for (const word of piece.split(' ')) expect(word.length).toBeLessThanOrEqual(24);
    },
  );
});
