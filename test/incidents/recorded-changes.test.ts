/**
 * Changes that prove nothing, made to real runs: the order of files, names, a Pod's clock, noise lines, a log sent twice, a Pod's files that
 * hold only consequences missing. What was right may become weaker and never wrong, whatever status it has.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { hurtWays } from '../support/hurt-ways.ts';
import { analyseFiles, type BundleFiles } from '../support/in-memory-import.ts';
import { answerOf, readTruth } from '../support/known-truth.ts';
import { addNoise, duplicateFile, renameAll, withoutFiles } from '../support/transform.ts';

const ROOT = fileURLToPath(new URL('../fixtures/recorded/', import.meta.url));
const NAMES = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

/** Ways of `hurtWays` that take nothing away. */
const HARMLESS = /^(?:another order|flat names)$| (?:twice|-?1 h off)$/;
const NOISE = ['warnings.warn(', 'I0000 00:00:00.000000 cuda_dnn.cc:529] Loaded cuDNN version 91002', 'x = 3'];

function bundleOf(name: string): BundleFiles {
  const root = join(ROOT, name, 'bundle');
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(paths.map((path) => [relative(root, path), new Uint8Array(readFileSync(path))]));
}

function* changes(files: BundleFiles): Generator<readonly [string, BundleFiles]> {
  for (const [way, changed] of hurtWays(files)) if (HARMLESS.test(way)) yield [way, changed];
  const logs = [...files.keys()].filter((path) => path.endsWith('.log'));
  for (const line of NOISE) yield [`noise ${line}`, logs.reduce((all, log) => addNoise(all, log, line), files)];
  for (const log of logs) yield [`${log} also as 0-first.log`, duplicateFile(files, log, '0-first.log')];
  const pods = podsOf(files);
  const other = new Map(pods.map((pod, i) => [pod, `q${'x'.repeat(pod.length - 2)}${9 - i}`]));
  yield ['other names', renameAll(files, other)];
}

const podsOf = (files: BundleFiles): readonly string[] =>
  analyseFiles(files).result.facts.rankMap.pods.map((place) => place.pod);

describe.each(NAMES)('%s', (name) => {
  const files = bundleOf(name);
  const truth = readTruth(join(ROOT, name, 'expected.json'));
  if (truth === undefined) throw new Error(`no truth of ${name}`);

  test('what proves nothing turns nothing wrong', () => {
    for (const [way, changed] of changes(files)) {
      const { report, input } = analyseFiles(changed);
      assertSound(report, input);
      const { verdict } = report;
      expect([way, answerOf(truth, verdict), verdict.summary]).not.toEqual([way, 'wrong', verdict.summary]);
    }
  });

  test('a copy under any name invents no Pod', () => {
    // Only names of files tell of Pods.
    const logs = withoutFiles(files, (path) => /\.(?:ya?ml|json|txt)$/.test(path));
    const pods = podsOf(logs);
    for (const log of [...logs.keys()].filter((path) => path.endsWith('.log')))
      expect(podsOf(duplicateFile(logs, log, '0-first.log')), log).toEqual(pods);
  });

  test('without the log of a Pod that holds only consequences', () => {
    const { rankMap } = analyseFiles(files).result.facts;
    for (const place of rankMap.pods) {
      if (place.ranks.some((rank) => truth.firstRanks.includes(rank))) continue;
      const rest = withoutFiles(files, (path) => path.endsWith('.log') && path.includes(place.pod));
      if (rest.size === files.size || rest.size === 0) continue;
      const { verdict } = analyseFiles(rest).report;
      expect([place.pod, answerOf(truth, verdict), verdict.summary]).not.toEqual([place.pod, 'wrong', verdict.summary]);
    }
  });
});
