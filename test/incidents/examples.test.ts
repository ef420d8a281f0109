/** The incidents that ship with the application. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { buildIncident } from '../support/incidents/index.ts';
import { LARGE_EXAMPLE } from '../support/incidents/large-example.ts';
import { formatTar } from '../support/incidents/tar.ts';

const FOLDER = new URL('../../build/resources/example/', import.meta.url).pathname;
const expectedOf = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.expected.json`), 'utf8'));

function readFolder(root: string): Map<string, Uint8Array> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  return new Map(paths.sort().map((path) => [relative(root, join(root, path)), readFileSync(join(root, path))]));
}

describe('the small example, a real incident', () => {
  const files = readFolder(join(FOLDER, 'small'));
  const expected = expectedOf('small');

  test("torchrun's own root cause of the second Pod is a rank that only lost its peer", () => {
    const blames = [...files].flatMap(([path, bytes]) => {
      const rank = /Root Cause[\s\S]*?rank {6}: (\d+)/.exec(new TextDecoder().decode(bytes))?.[1];
      return path.endsWith('.log') && rank !== undefined ? [Number(rank)] : [];
    });
    expect(blames.sort()).toEqual([1, 2]);
  });

  test('the verdict is the expected one', () => {
    const { report, input } = analyseFiles(files, 'small');
    assertSound(report, input);
    const { verdict } = report;
    expect(verdict).toMatchObject({
      outcome: expected['outcome'],
      firstRanks: expected['firstRanks'],
      stage: expected['stage'],
      pod: expected['pod'],
      node: expected['node'],
    });
    expect(expected['causes']).toContain(verdict.cause);
    expect(verdict.symptomRanks).toEqual(expected['symptomRanks']);
  });
});

describe('the large example', () => {
  const archive = join(FOLDER, 'large.tar.gz');
  const incident = buildIncident(LARGE_EXAMPLE);

  test('is what the generator writes today; if not, run build/scripts/make-examples.ts', () => {
    expect(existsSync(archive)).toBe(true);
    // Compressors differ between versions of zlib; what they hold does not.
    expect(gunzipSync(readFileSync(archive)).equals(formatTar(incident.files, incident.name))).toBe(true);
  });

  test('is small enough to ship and large enough to mean something', () => {
    expect(statSync(archive).size).toBeLessThan(3_000_000);
    // One of the 64 was ended by its agent before it had written.
    expect(incident.truth.dumps).toHaveLength(63);
  });

  test('the verdict is the expected one', () => {
    const expected = expectedOf('large');
    const { report, input } = analyseFiles(incident.files, 'large');
    assertSound(report, input);
    expect(report.verdict).toMatchObject({
      outcome: expected['outcome'],
      firstRanks: expected['firstRanks'],
      stage: expected['stage'],
    });
    expect(expected['causes']).toContain(report.verdict.cause);
  });
});
