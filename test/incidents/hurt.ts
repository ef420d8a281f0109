/**
 * Takes evidence away from bundles whose truth is known and prints what is said then:
 *
 *   node test/incidents/hurt.ts FOLDER [ONLY] [--seed N] [--every N]
 *
 * FOLDER holds one folder an incident, with `expected.json` and its files beside it or under `bundle/`. Each is read whole, without every
 * single file, without each Pod's files, without all dumps, logs, YAML and events, with files cut, sent twice, renamed, in another order and
 * with a Pod's stamps an hour off. Right as before, weaker (cannot tell, or a group that holds the guilty), or wrong; ends with 1 if any is wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hurtWays } from '../support/hurt-ways.ts';
import { analyseFiles, type BundleFiles } from '../support/in-memory-import.ts';
import { answerOf, type KnownTruth, readTruth } from '../support/known-truth.ts';

const [folder = '.', only = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const every = numberAfter('--every') ?? 1;

function numberAfter(flag: string): number | undefined {
  const word = process.argv.find((text) => text.startsWith(`${flag}=`));
  return word === undefined ? undefined : Number(word.slice(flag.length + 1));
}

function filesUnder(root: string): BundleFiles {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'expected.json')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(found.map((path) => [relative(root, path), new Uint8Array(readFileSync(path))]));
}

const sums = { right: 0, weaker: 0, wrong: 0 };

function hurtOne(name: string, truth: KnownTruth, files: BundleFiles): void {
  let line = 0;
  const own = { right: 0, weaker: 0, wrong: 0 };
  for (const [way, hurt] of hurtWays(files)) {
    if (line++ % every !== 0 && way !== 'whole') continue;
    const { verdict } = analyseFiles(hurt, name).report;
    const answer = answerOf(truth, verdict);
    own[answer]++;
    sums[answer]++;
    if (answer === 'wrong' || (way === 'whole' && answer !== 'right'))
      console.log(
        `${answer.toUpperCase()} ${name} ${way}\n  want ${truth.verdict} [${truth.firstRanks}] ${truth.causes[0]}\n  got  ${verdict.outcome} ${verdict.status} [${verdict.firstRanks}] ${verdict.pod ?? ''} ${verdict.node ?? ''} ${verdict.stage}/${verdict.cause}: ${verdict.summary}`,
      );
  }
  console.log(`${name}: ${JSON.stringify(own)}`);
}

for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
  if (!entry.isDirectory() || !entry.name.includes(only)) continue;
  const at = join(folder, entry.name);
  const truth = readTruth(join(at, 'expected.json'));
  if (truth === undefined) continue;
  const below = readdirSync(at).includes('bundle') ? join(at, 'bundle') : at;
  hurtOne(entry.name, truth, filesUnder(below));
}
console.log(JSON.stringify(sums));
process.exitCode = sums.wrong > 0 ? 1 : 0;
