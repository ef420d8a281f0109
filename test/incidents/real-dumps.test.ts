/**
 * Folders of real dumps through the whole product: whatever order the files come in, and whatever happens to the dumps of healthy ranks,
 * the verdict names fault ranks and nobody else. With all dumps, or one healthy one gone, cut or empty, it names all of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyseFiles } from '../support/in-memory-import.ts';

type File = readonly [path: string, bytes: Uint8Array];

const SETS = [
  { name: 'gpu_error_1st', faults: [12, 14] },
  { name: 'lock_gil_1st', faults: [9, 14] },
] as const;

const folder = (name: string): File[] => {
  const at = new URL(`../fixtures/dumps/${name}/`, import.meta.url);
  return readdirSync(at).map((path) => [path, new Uint8Array(readFileSync(new URL(path, at)))]);
};

/** Same numbers on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
const shuffled = (files: readonly File[], random: () => number): File[] =>
  files
    .map((file) => [random(), file] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, file]) => file);

describe.each(SETS)('$name', ({ name, faults }) => {
  const files = folder(name);
  const isFault = ([path]: File): boolean => faults.some((rank) => path.endsWith(`_${rank}`));
  const healthy = files.filter((file) => !isFault(file));
  const verdictOf = (list: readonly File[]) => analyseFiles(new Map(list)).report.verdict;

  test('any order of the files: the same report', () => {
    const random = randomFrom(3);
    const expected = JSON.stringify(analyseFiles(new Map(files)).report);
    expect(verdictOf(files)).toMatchObject({ outcome: 'named', status: 'supported', firstRanks: faults });
    for (let i = 0; i < 4; i++) {
      expect(JSON.stringify(analyseFiles(new Map(shuffled(files, random))).report)).toBe(expected);
    }
  });

  test('one healthy dump gone, empty or cut: the fault ranks are named still', () => {
    for (const [i, hurt] of healthy.entries()) {
      const bytes = hurt[1].subarray(
        0,
        i % 3 === 0 ? 0 : Math.floor((hurt[1].length * (i + 1)) / (healthy.length + 1)),
      );
      const left = files.flatMap((file): File[] => (file !== hurt ? [file] : i % 3 === 1 ? [] : [[file[0], bytes]]));
      const verdict = verdictOf(left);
      expect([hurt[0], verdict.outcome, verdict.firstRanks]).toEqual([hurt[0], 'named', [...faults]]);
    }
  });

  test('any number of them gone, empty or cut: never a healthy rank', () => {
    const random = randomFrom(17);
    for (let i = 0; i < 40; i++) {
      const rate = random();
      const damage: string[] = [];
      const left = files.flatMap((file): File[] => {
        if (isFault(file) || random() > rate) return [file];
        const [how, at] = [random(), Math.floor(random() * file[1].length)];
        damage.push(`${file[0]} ${how < 0.35 ? 'gone' : how < 0.7 ? `cut at ${at}` : 'empty'}`);
        return how < 0.35 ? [] : [[file[0], file[1].subarray(0, how < 0.7 ? at : 0)]];
      });
      const verdict = verdictOf(shuffled(left, random));
      expect([damage, verdict.firstRanks.filter((rank) => !faults.some((one) => one === rank))]).toEqual([damage, []]);
    }
  });

  test('the dumps of the fault ranks gone: nobody with a dump is named', () => {
    const { firstRanks } = verdictOf(healthy);
    expect(firstRanks.filter((rank) => !faults.some((one) => one === rank))).toEqual([]);
  });
});

describe('dumps whose rank is in doubt', () => {
  const files = folder('lock_gil_1st');

  test('the groups overrule a wrong name: an issue of the report, and the verdict does not change', () => {
    const renamed = files.map((file): File => (file[0] === '_dump_9' ? ['_dump_30', file[1]] : file));
    const { report } = analyseFiles(new Map(renamed));
    expect(report.issues.filter((issue) => issue.code === 'dump-rank-conflict')).toMatchObject([
      { file: '_dump_30', severity: 'warning', text: expect.stringContaining('the name says rank 30') },
    ]);
    expect(report.verdict.firstRanks).toEqual([9, 14]);
  });

  test('a dump that nothing gives a rank is told and not compared', () => {
    const cut = files[3]?.[1].subarray(0, 900) ?? new Uint8Array(0);
    const { report } = analyseFiles(new Map([...files, ['unnamed', cut]]));
    const codes = report.issues.filter((issue) => issue.file === 'unnamed').map((issue) => issue.code);
    expect(codes.some((code) => code === 'dump-rank-unknown' || code === 'dump-rank-conflict')).toBe(true);
    expect(report.verdict.firstRanks).toEqual([9, 14]);
  });
});
