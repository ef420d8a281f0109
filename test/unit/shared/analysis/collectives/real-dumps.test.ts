import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolveDumpRanks } from '#shared/analysis/collectives/index.ts';
import type { DumpFile } from '../../../../support/dump-builder.ts';
import { compareFiles, readDumpFiles } from '../../../../support/read-dumps.ts';

const folder = (name: string): DumpFile[] => {
  const at = new URL(`../../../../fixtures/dumps/${name}/`, import.meta.url);
  return readdirSync(at).map((path) => ({ path, bytes: new Uint8Array(readFileSync(new URL(path, at))) }));
};
const rankOf = (file: DumpFile): number => Number(/\d+$/.exec(file.path)?.[0]);

/** Same numbers on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

interface RealCase {
  readonly name: string;
  readonly faults: readonly number[];
  readonly first: object;
}
const CASES: readonly RealCase[] = [
  { name: 'gpu_error_1st', faults: [12, 14], first: { group: '58', seq: 6870, kind: 'state', ranks: [12, 14] } },
  { name: 'lock_gil_1st', faults: [9, 14], first: { group: '72', seq: 45_265, kind: 'missing', ranks: [9, 14] } },
  { name: 'gloo-p2p-skip', faults: [0], first: { group: '0', seq: 22, kind: 'order', ranks: [0] } },
  {
    name: 'gloo-pair-stall',
    faults: [2],
    first: { group: '2', seq: 9, kind: 'missing', ranks: [2], expected: 'all_reduce [[1]] Float' },
  },
];

describe.each(CASES)('$name', ({ name, faults, first }) => {
  const files = folder(name);

  it('names the fault ranks and nobody else', () => {
    const fact = compareFiles(files);
    expect(fact.roots.map((root) => root.rank)).toEqual(faults);
    expect(fact.roots.every((root) => root.hasDump && root.evidence.length > 0)).toBe(true);
    expect(fact.first).toMatchObject({ ...first, basis: 'dump' });
    expect(fact.cycle).toEqual([]);
    expect(fact.allJoined).toBe(undefined);
  });

  it('gives the same result for any order of the files', () => {
    const random = randomFrom(7);
    // Entry numbers follow the order of the files, so they are left out of the comparison.
    const strip = (value: unknown): string =>
      JSON.stringify(value, (key, item: unknown) =>
        key === 'source' || key === 'evidence' ? undefined : typeof item === 'bigint' ? String(item) : item,
      );
    const expected = strip(compareFiles(files));
    for (let i = 0; i < 5; i++) {
      const shuffled = files
        .map((file) => [random(), file] as const)
        .sort((a, b) => a[0] - b[0])
        .map(([, file]) => file);
      expect(strip(compareFiles(shuffled))).toBe(expected);
    }
  });

  it('names them still when any one healthy dump is gone, and never a healthy rank', () => {
    for (const file of files) {
      if (faults.includes(rankOf(file))) continue;
      const fact = compareFiles(files.filter((other) => other !== file));
      expect(fact.roots.filter((root) => !faults.includes(root.rank))).toEqual([]);
      if (files.length > 4) expect(fact.roots.map((root) => root.rank)).toEqual(faults);
    }
  });

  it('never names a healthy rank when healthy dumps are missing, cut or empty', () => {
    const random = randomFrom(11);
    for (let i = 0; i < 150; i++) {
      const damaged: string[] = [];
      const rate = random();
      const left = files.flatMap((file): DumpFile[] => {
        if (faults.includes(rankOf(file)) || random() > rate) return [file];
        const how = random();
        damaged.push(`${how < 0.3 ? 'gone' : how < 0.7 ? 'cut' : 'empty'} ${file.path}`);
        if (how < 0.3) return [];
        return [
          {
            path: file.path,
            bytes: how < 0.7 ? file.bytes.subarray(0, Math.floor(random() * file.bytes.length)) : new Uint8Array(0),
          },
        ];
      });
      const fact = compareFiles(left);
      const named = [...fact.roots.map((root) => root.rank), ...(fact.first?.ranks ?? [])];
      // Rank 1 of the skipped send is truly behind: it may be listed beside rank 0, never without it.
      expect([damaged, named.filter((rank) => !faults.includes(rank))]).toEqual([damaged, []]);
    }
  });

  it('names no rank with a dump when the fault ranks left none', () => {
    const fact = compareFiles(files.filter((file) => !faults.includes(rankOf(file))));
    expect(fact.roots.filter((root) => root.hasDump)).toEqual([]);
    expect(fact.roots.map((root) => root.rank).filter((rank) => !faults.includes(rank))).toEqual([]);
  });
});

describe('ranks of real dumps', () => {
  it('are found by the groups when the names say nothing', () => {
    const files = folder('lock_gil_1st').map((file) => ({ ...file, path: 'dump' }));
    const ranks = resolveDumpRanks(readDumpFiles(files), undefined).ranked.map((one) => one.rank);
    expect(ranks).toEqual(Array.from({ length: 16 }, (_, rank) => rank));
  });

  it('the groups overrule a wrong name, and the conflict is told', () => {
    const [file] = folder('lock_gil_1st').filter((one) => rankOf(one) === 9);
    if (file === undefined) throw new Error('fixture missing');
    const { ranked, conflicts } = resolveDumpRanks(readDumpFiles([{ ...file, path: '_dump_3' }]), undefined);
    expect(ranked[0]).toMatchObject({ rank: 9, basis: 'group-members' });
    expect(conflicts).toMatchObject([
      { code: 'dump-rank-conflict', detail: 'the name says rank 3, the groups of the dump belong to rank 9' },
    ]);
  });
});
