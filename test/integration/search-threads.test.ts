/** The engine's threads: what they find, and that one which does not come back is ended. Runs the sources in real workers. */
import { describe, expect, it } from 'vitest';
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
    const found = await scanner.scan(Int32Array.of(0), true);
    expect(found).toMatchObject({ damaged: 0, hits: [{ block: 0, count: 1 }] });
    // Looks back at what it found, so that no engine is sure to end.
    scanner.start(2, { ...REQUEST, query: '/(?=ab)((\\w+\\s?)+)+\\1zz$/' });
    const start = performance.now();
    expect(await scanner.scan(Int32Array.of(0), true)).toBe('stuck');
    expect(performance.now() - start).toBeLessThan(15_000);
    scanner.start(3, { ...REQUEST, query: 'needle' });
    expect(await scanner.scan(Int32Array.of(0), true)).toMatchObject({ hits: [{ count: 1 }] });
    scanner.close();
  }, 60_000);
});
