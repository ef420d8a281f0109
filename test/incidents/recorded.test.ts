/** Real runs of kinds that are easily told wrongly: nobody else is named, whole or with evidence taken away, and what can be told is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { hurtWays } from '../support/hurt-ways.ts';
import { analyseFiles, type BundleFiles } from '../support/in-memory-import.ts';
import { answerOf, readTruth } from '../support/known-truth.ts';

const ROOT = fileURLToPath(new URL('../fixtures/recorded/', import.meta.url));

/** What the whole bundle proves, by folder: outcome, status, ranks, cause. */
const PROVEN: Readonly<Record<string, readonly [string, string, readonly number[], string]>> = {
  'a-transfer-left-out': ['group', 'supported', [0, 2], 'stalled-unknown'],
  'aborted-without-a-word': ['named', 'supported', [2], 'killed'],
  'behind-a-transfer': ['group', 'supported', [1, 3], 'stalled-unknown'],
  'closed-by-a-data-server': ['named', 'established', [3], 'python-exception'],
  'elsewhere-than-a-broadcast': ['named', 'supported', [1], 'collective-type'],
  'ended-before-a-restart': ['named', 'supported', [2], 'python-exception'],
  'fingerprints-not-read': ['named', 'established', [0], 'collective-type'],
  'late-to-the-group': ['named', 'supported', [1], 'stalled-unknown'],
  'left-before-the-group': ['named', 'supported', [3], 'python-exception'],
  'left-without-a-word': ['named', 'supported', [1], 'python-exception'],
  'name-never-resolved': ['group', 'hypothesis', [2, 3], 'address-unreachable'],
  'one-launcher-stopped': ['group', 'supported', [2, 3], 'external-signal'],
  'one-rank-a-pod-and-silent': ['named', 'supported', [0], 'stalled-unknown'],
  'out-of-inputs-and-told-to-throw': ['named', 'established', [1], 'uneven-inputs'],
  'receive-without-sender': ['cannot-tell', 'not-determinable', [], 'none'],
  'running-or-hung': ['cannot-tell', 'not-determinable', [], 'none'],
  'sizes-of-an-all-to-all': ['cannot-tell', 'not-determinable', [], 'none'],
  'slow-moment-of-a-good-run': ['no-failure', 'established', [], 'none'],
  'time-out-in-other-words': ['named', 'supported', [1], 'stalled-unknown'],
};

function bundleOf(name: string): BundleFiles {
  const root = join(ROOT, name, 'bundle');
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(paths.map((path) => [relative(root, path), new Uint8Array(readFileSync(path))]));
}

test('every folder has its row', () => {
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).sort()).toEqual(Object.keys(PROVEN).sort());
});

describe.each(Object.entries(PROVEN))('%s', (name, proven) => {
  const files = bundleOf(name);

  test('what the whole bundle proves', () => {
    const { outcome, status, firstRanks, cause } = analyseFiles(files).report.verdict;
    expect([outcome, status, firstRanks, cause]).toEqual(proven);
  });

  test('nothing wrong is established, whatever is taken away', () => {
    const truth = readTruth(join(ROOT, name, 'expected.json'));
    if (truth === undefined) throw new Error(`no truth of ${name}`);
    for (const [way, hurt] of hurtWays(files)) {
      const { report, input } = analyseFiles(hurt);
      assertSound(report, input);
      const { verdict } = report;
      const sure = verdict.status === 'established' && answerOf(truth, verdict) === 'wrong';
      expect([way, sure, verdict.summary]).toEqual([way, false, verdict.summary]);
    }
  });
});
