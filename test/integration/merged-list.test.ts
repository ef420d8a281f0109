/**
 * The merged list against the plainest one there is: the keys of all lines, read one block after the other, sorted. Whatever is known of the blocks
 * when rows are asked for, whatever matches, on both bases.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlockCache } from '#engine/search/block-cache.ts';
import { BlockFacts } from '#engine/search/block-facts.ts';
import { BlockLines } from '#engine/search/block-lines.ts';
import { BlockOutlines, outlineOf, type TickBits } from '#engine/search/block-outline.ts';
import type { RowRef } from '#engine/search/block-rows.ts';
import { type Basis, type CaseIndex, openCaseIndex, shiftOf } from '#engine/search/case-index.ts';
import { MergedWindow } from '#engine/search/merged-window.ts';
import { hasBit } from '#engine/search/scan-block.ts';
import type { RunHits } from '#engine/search/search-run.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const START = Date.UTC(2026, 2, 14, 9, 0, 0);
const FILES = 18;
const LINES = 700;

type Dice = (below: number) => number;

/** Numbers that look thrown but are the same each time. */
function dice(seed: number): Dice {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const runtime = (ms: number, throwDice: Dice): string =>
  `${new Date(ms).toISOString().slice(0, 23)}${String(throwDice(1_000_000)).padStart(6, '0')}Z`;
const second = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const milli = (ms: number): string => `${new Date(ms).toISOString().slice(0, 23).replace('T', ' ').replace('.', ',')}`;

/** A file by its number: stamps of nanoseconds, milliseconds, whole seconds or none; some times fall, some lines go on others. */
function logOf(file: number): string {
  const throwDice = dice(file * 7 + 1);
  const lines: string[] = [];
  let ms = START + throwDice(5_000);
  const kind = file % 6;
  for (let i = 0; i < LINES; i += 1) {
    ms += throwDice(300);
    const shown = ms - (throwDice(12) === 0 ? throwDice(2_000) : 0);
    const text = `INFO:train:step ${i} ${'x'.repeat(throwDice(500))}${kind === 5 && i % 50 === 0 ? ' \u00e9' : ''}`;
    if (kind === 4) lines.push(text);
    else if (throwDice(30) === 0)
      lines.push('Traceback (most recent call last):', '  File "train.py", line 4, in step');
    else if (kind === 2) lines.push(`${second(shown)} ${text}`);
    else if (kind === 1) lines.push(`${milli(shown)} ${text}`);
    else lines.push(`${runtime(shown, throwDice)} [rank${file}]: ${text}`);
  }
  return `${lines.join('\n')}\n`;
}

const scratch = scratchFolder();
let opened: CaseIndex;
let unpacked = 0;

beforeAll(async () => {
  for (let file = 0; file < FILES; file += 1) scratch.write(`bundle/logs/pod-${file}.log`, logOf(file));
  const caseFile = `${scratch.path}/case.db`;
  await importIncident([`${scratch.path}/bundle`], caseFile);
  const index = openCaseIndex(caseFile);
  const { store } = index;
  const real = store.block.bind(store);
  store.block = (id, room) => {
    unpacked += 1;
    return real(id, room);
  };
  // Offsets that no bundle of text alone could prove.
  opened = {
    ...index,
    files: index.files.map((file) => ({ ...file, offsetNs: ((file.index * 37) % 11) * 123_456_789 - 400_000_001 })),
  };
}, 60_000);

afterAll(() => opened.store.close());

/** Read in order, without an outline. */
function factsOf(block: number): BlockFacts {
  const bytes = opened.store.block(opened.blocks.id[block] ?? -1);
  if (bytes === undefined) throw new Error(`no block ${block}`);
  return new BlockFacts(opened, block, new BlockLines(bytes, opened, block));
}

const blocks = (): number[] => [...opened.blocks.id.keys()];

function sorted(basis: Basis, hits: ReadonlyMap<number, RunHits>): readonly RowRef[] {
  const refs: RowRef[] = [];
  for (const [block, { bits }] of hits) {
    const facts = factsOf(block);
    const shift = shiftOf(opened.files[opened.blocks.file[block] ?? 0], basis);
    for (let line = 0; line < facts.lines.count; line += 1)
      if (hasBit(bits, line)) refs.push({ block, line, keyNs: facts.keyNs(line) - shift });
  }
  return refs.sort((a, b) => a.keyNs - b.keyNs || a.block - b.block || a.line - b.line);
}

function learn(bits: TickBits, isKnown: (block: number) => boolean): BlockOutlines {
  // The width follows from the lines of the case: many lines take the narrow one.
  const outlines = new BlockOutlines(bits === 32 ? opened.blocks : { ...opened.blocks, totalLines: 30_000_000 });
  expect(outlines.tickBits).toBe(bits);
  for (const block of blocks().filter(isKnown)) {
    const outline = outlineOf(factsOf(block), opened.blocks.lo[block] ?? 0, opened.blocks.hi[block] ?? 0, bits);
    if (outline !== undefined) outlines.learn(block, outline);
  }
  return outlines;
}

function hitsOf(share: number, throwDice: Dice): Map<number, RunHits> {
  const hits = new Map<number, RunHits>();
  for (const block of blocks()) {
    const lines = opened.blocks.lines[block] ?? 0;
    if (share === 1) {
      hits.set(block, { count: lines, bits: null, errors: 0, warnings: 0 });
      continue;
    }
    const bits = new Uint8Array(Math.ceil(lines / 8));
    let count = 0;
    for (let line = 0; line < lines; line += 1) {
      if (throwDice(1_000) >= share * 1_000) continue;
      bits[line >> 3] = (bits[line >> 3] ?? 0) | (1 << (line & 7));
      count += 1;
    }
    if (count > 0) hits.set(block, { count, bits, errors: 0, warnings: 0 });
  }
  return hits;
}

const SETTINGS = (['raw', 'corrected'] as const).flatMap((basis) =>
  ([16, 32] as const).flatMap((bits) =>
    [1, 0.2, 0.01].flatMap((share) => [0, 0.5, 1].map((known) => ({ basis, bits, share, known }))),
  ),
);

describe('the merged list', () => {
  it.each(SETTINGS)('is the sorted one: $basis, $bits bits, matches $share, outlines of $known', (setting) => {
    const { basis, bits, share, known } = setting;
    const throwDice = dice(bits + known * 10 + share * 100);
    const hits = hitsOf(share, throwDice);
    const expected = sorted(basis, hits);
    const outlines = learn(bits, () => throwDice(100) < known * 100);
    const cache = new BlockCache(opened, outlines);
    const window = new MergedWindow({ index: opened, cache, outlines, basis, hits });
    expect(window.total).toBe(expected.length);
    fc.assert(
      fc.property(fc.nat(expected.length - 1), fc.integer({ min: 1, max: 250 }), (from, rows) => {
        expect(window.rows(from, rows)).toEqual(expected.slice(from, from + rows));
        const at = expected[from];
        if (at === undefined) throw new Error('no such row');
        expect(window.rowOf(at.block, at.line)).toBe(from);
        for (const t of [at.keyNs, at.keyNs + 0.5, at.keyNs - 1])
          expect(window.rowAt(t)).toBe(expected.filter(({ keyNs }) => keyNs < t).length);
      }),
      { numRuns: 25, seed: bits + known },
    );
    expect(window.rows(0, expected.length)).toEqual(expected);
  });

  it('unpacks the blocks of the rows alone where all outlines are known', () => {
    const hits = hitsOf(1, dice(1));
    const outlines = learn(32, () => true);
    let more = 0;
    for (const from of [0, 3_000, 6_789, 9_999]) {
      const window = new MergedWindow({
        index: opened,
        cache: new BlockCache(opened, outlines),
        outlines,
        basis: 'corrected',
        hits,
      });
      unpacked = 0;
      const shown = new Set(window.rows(from, 40).map(({ block }) => block));
      more += unpacked - shown.size;
    }
    // One or two lines in nanoseconds may stand so close to a moment that was looked at that they must be read.
    expect(more).toBeLessThanOrEqual(2);
  });
});
