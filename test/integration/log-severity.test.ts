/** A search for severe lines in a long calm log: it begins where events are, and reads no block that is known to be mild. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogSession } from '#engine/search/log-session.ts';
import type { SearchRequest } from '#engine/search/search-request.ts';
import type { SearchRun } from '#engine/search/search-run.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const START = Date.UTC(2026, 2, 14, 9, 0, 0);
const LINES = 9_000;
const BLOCK_BYTES = 65_536;

const stamp = (ms: number): string => new Date(START + ms).toISOString().replace('Z', '000000Z');
const calm = (i: number): string => `${stamp(i * 50)} INFO:train:shard ${i} queue ${(i * 7) % 31} ${'x'.repeat(90)}`;

/** 20 blocks of calm lines, one warning that is no event in the middle, and the end of a rank. */
const LOG = [
  ...Array.from({ length: LINES }, (_, i) =>
    i === LINES / 2 ? `${stamp(i * 50)} WARNING:train:disk is nearly full` : calm(i),
  ),
  `${stamp(LINES * 50)} [rank0]: Traceback (most recent call last):`,
  `${stamp(LINES * 50)} [rank0]:   File "train.py", line 7, in step`,
  `${stamp(LINES * 50)} [rank0]: ValueError: bad shard`,
].join('\n');

const REQUEST: Omit<SearchRequest, 'query'> = {
  regex: false,
  matchCase: false,
  basis: 'raw',
  ranks: [],
  range: null,
  marks: [],
};

const folder = scratchFolder().path;
let caseFile: string;
let session: LogSession;

beforeAll(async () => {
  mkdirSync(join(folder, 'bundle'), { recursive: true });
  writeFileSync(join(folder, 'bundle', 'pod-0.log'), `${LOG}\n`);
  caseFile = join(folder, 'case.db');
  await importIncident([join(folder, 'bundle')], caseFile);
}, 60_000);

afterAll(() => session.close());

function begin(query: string): SearchRun {
  const run = session.search({ ...REQUEST, query }, null, null);
  if (!run.ok) throw new Error(run.error.expected);
  return run.value;
}

async function untilDone(run: SearchRun): Promise<SearchRun> {
  while (run.status === 'searching') await run.changed();
  return run;
}

describe('a search for severe lines', () => {
  it('finds what events tell of in the first blocks it reads, and all of it in the end', async () => {
    session = new LogSession({ caseFile, entry: undefined, threads: 1, keep: new Set() });
    const run = begin('level>=warn');
    expect(run.wholeBytes).toBe(session.describe().totalBytes);
    await run.changed();
    expect(run.matches).toBe(3);
    expect(run.doneBytes).toBeLessThan(6 * BLOCK_BYTES);
    expect((await untilDone(run)).matches).toBe(4);
    expect([...run.tally.levels]).toEqual([0, 0, 0, 1, 3, 0]);
  });

  it('reads only the blocks with severe lines once all lines were counted, and finds the same', async () => {
    session.close();
    session = new LogSession({ caseFile, entry: undefined, threads: 1, keep: new Set() });
    await untilDone(begin(''));
    const expected: readonly (readonly [query: string, lines: number, blocks: number])[] = [
      ['level>=warn', 4, 2],
      ['level>=error', 3, 1],
      ['level:warn', 1, 2],
      ['level>=warn AND ValueError', 1, 2],
      ['level:fatal', 0, 1],
      ['level:info AND queue', LINES - 1, 20],
      ['level>=warn OR "queue 30"', 4 + 290, 20],
    ];
    for (const [query, lines, blocks] of expected) {
      const run = await untilDone(begin(query));
      expect(run.matches, query).toBe(lines);
      expect(Math.ceil(run.wholeBytes / BLOCK_BYTES), query).toBeLessThanOrEqual(blocks + 2);
      if (blocks < 3) expect(run.wholeBytes, query).toBeLessThanOrEqual(blocks * BLOCK_BYTES);
    }
  });

  it('learns nothing from searches that take some of the lines', async () => {
    session.close();
    session = new LogSession({ caseFile, entry: undefined, threads: 1, keep: new Set() });
    await untilDone(begin('"queue 30"'));
    const run = begin('level>=warn');
    expect(run.wholeBytes).toBe(session.describe().totalBytes);
    expect((await untilDone(run)).matches).toBe(4);
  });
});
