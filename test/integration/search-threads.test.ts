/** The engine's threads: what they find, and that one which does not come back is ended. Runs the sources in real workers. */
import { describe, expect, it } from 'vitest';
import { LogSession } from '#engine/search/log-session.ts';
import { openScanners } from '#engine/search/search-pool.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const REQUEST = { regex: false, matchCase: false, basis: 'raw', ranks: [], range: null, marks: [] } as const;

describe('search threads', () => {
  it('find the lines, and give up on an expression without an end', async () => {
    scratch.write('bundle/logs/w-0.log', `2026-03-14T09:00:00.000000000Z ${'ab '.repeat(4_000)}needle\n`);
    const caseFile = `${scratch.path}/case.db`;
    await importIncident([`${scratch.path}/bundle`], caseFile);
    const [scanner] = openScanners(new URL('./search-thread.ts', import.meta.url), caseFile, 1);
    if (scanner === undefined) throw new Error('no thread');
    scanner.warm();
    scanner.start(1, { ...REQUEST, query: 'needle' });
    const found = await scanner.scan(Int32Array.of(0), { detail: true, outline: null });
    expect(found).toMatchObject({ damaged: 0, hits: [{ block: 0, count: 1 }] });
    // Looks back at what it found, so that no engine is sure to end.
    scanner.start(2, { ...REQUEST, query: '/(?=ab)((\\w+\\s?)+)+\\1zz$/' });
    const start = performance.now();
    expect(await scanner.scan(Int32Array.of(0), { detail: true, outline: null })).toBe('stuck');
    expect(performance.now() - start).toBeLessThan(15_000);
    scanner.start(3, { ...REQUEST, query: 'needle' });
    expect(await scanner.scan(Int32Array.of(0), { detail: true, outline: null })).toMatchObject({
      hits: [{ count: 1 }],
    });
    scanner.close();
  }, 60_000);

  it('help to unpack the blocks of a list, which is the same with and without them', async () => {
    const files = 12;
    for (let file = 0; file < files; file += 1) {
      const lines = Array.from({ length: 4_500 }, (_, i) => {
        const stamp = new Date(Date.UTC(2026, 2, 14, 9) + i * 40 + file * 3).toISOString().replace('Z', '000000Z');
        return `${stamp} INFO:train:step ${i} of file ${file} ${'x'.repeat(40)}\n`;
      });
      scratch.write(`many/logs/w-${file}.log`, lines.join(''));
    }
    const caseFile = `${scratch.path}/many.db`;
    await importIncident([`${scratch.path}/many`], caseFile);
    const rowsOf = async (threads: number) => {
      const entry = new URL('./search-thread.ts', import.meta.url);
      const session = new LogSession({ caseFile, entry: threads > 0 ? entry : undefined, threads, keep: new Set() });
      const run = session.search({ ...REQUEST, query: '' }, null, null);
      if (!run.ok) throw new Error(run.error.expected);
      while (run.value.status === 'searching') await run.value.changed();
      run.value.details = undefined;
      const view = session.view(run.value, { basis: 'raw', fold: false, open: [] });
      const rows = [0, 40_000, 53_900, 11_111, 30_000, 29_900].flatMap((from) => [...view.rows(from, 150)]);
      session.close();
      return rows;
    };
    const alone = await rowsOf(0);
    expect(alone).toHaveLength(5 * 150 + 100);
    expect(await rowsOf(2)).toEqual(alone);
  }, 120_000);
});
