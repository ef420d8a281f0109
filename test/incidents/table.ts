/**
 * Prints how the incidents fare, one line each that is not right, and the sums:
 *
 *   node test/incidents/table.ts [SEEDS] [--from FIRST] [--herrings] [--kinds]
 *
 * Two populations are counted apart. Each kind of fault says, before anything is read, whether its deciding evidence is in the bundle
 * (`Truth.decidable`). Where it is: right, honest (less than could be said, nothing false) or wrong. Where it is not, nobody can know:
 * `cannot-tell`, weaker but true (a group that holds the guilty), named after all, or wrong. Ends with 1 if anything is wrong.
 */

import { checkClockClaims } from '../support/clock-claims.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import { buildIncident, type IncidentSpec } from '../support/incidents/index.ts';
import { randomSpec } from '../support/incidents/random-spec.ts';
import { judge } from '../support/judge.ts';

const seeds = Number(process.argv[2] ?? 0);
const herrings = process.argv.includes('--herrings');
const byKind = process.argv.includes('--kinds');
const at = process.argv.indexOf('--from');
const first = at < 0 ? 1 : Number(process.argv[at + 1]);
const specs: IncidentSpec[] = [...CATALOGUE, ...Array.from({ length: seeds }, (_, i) => randomSpec(first + i))];
const clocks = { held: 0, broken: 0, unknown: 0 };
const sums = { right: 0, honest: 0, wrong: 0, sure: 0, stage: 0, cause: 0 };
const decidable = { right: 0, honest: 0, wrong: 0 };
const undecidable = { cannotTell: 0, weaker: 0, named: 0, namedSure: 0, wrong: 0 };
const kinds = new Map<string, { right: number; of: number }>();
for (const spec of specs) {
  const incident = buildIncident({ ...spec, herrings });
  const { report } = analyseFiles(incident.files, incident.name);
  const { verdict } = report;
  const claims = checkClockClaims(report, incident.truth);
  clocks.held += claims.held;
  clocks.broken += claims.broken.length;
  clocks.unknown += claims.unknown;
  for (const line of claims.broken) console.log(`CLOCK  ${incident.name}: ${line}`);
  const { truth } = incident;
  const judgement = judge(verdict, truth);
  sums[judgement.answer]++;
  sums.sure += judgement.sure ? 1 : 0;
  sums.stage += judgement.stage ? 1 : 0;
  sums.cause += judgement.cause ? 1 : 0;
  let place = 'decidable';
  if (truth.decidable) {
    const whole = judgement.answer !== 'right' || judgement.stage ? judgement.answer : 'honest';
    decidable[whole]++;
    const kind = kinds.get(spec.fault.kind) ?? { right: 0, of: 0 };
    kinds.set(spec.fault.kind, { right: kind.right + (whole === 'right' ? 1 : 0), of: kind.of + 1 });
  } else {
    place = 'undecidable';
    if (judgement.answer === 'wrong') undecidable.wrong++;
    else if (verdict.outcome === 'cannot-tell') undecidable.cannotTell++;
    else if (judgement.answer === 'honest') undecidable.weaker++;
    else if (verdict.status === 'established') undecidable.namedSure++;
    else undecidable.named++;
  }
  const asExpected = judgement.answer === 'right' && judgement.stage && judgement.cause;
  const lessAsExpected = !truth.decidable && judgement.answer === 'honest';
  if (asExpected ? truth.decidable : lessAsExpected) continue;
  const want = `${truth.outcome} [${truth.firstRanks.join(',')}] ${truth.stages[0]}/${truth.causes[0]}`;
  const got = `${verdict.outcome} ${verdict.status} [${verdict.firstRanks.join(',')}] ${verdict.stage}/${verdict.cause}`;
  const missing = spec.missing === undefined ? '' : ` missing ${JSON.stringify(spec.missing)}`;
  console.log(
    `${judgement.answer.toUpperCase().padEnd(6)} ${place} ${incident.name}${missing}\n  want ${want}\n  got  ${got}: ${verdict.summary}`,
  );
}
const sum = decidable.right + decidable.honest + decidable.wrong;
if (byKind)
  for (const [kind, { right, of }] of [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${kind}: ${right} of ${of} decidable`);
console.log(
  `decidable: ${JSON.stringify(decidable)} = ${((100 * decidable.right) / Math.max(1, sum)).toFixed(1)} % right with stage of ${sum}`,
);
console.log(`undecidable: ${JSON.stringify(undecidable)} of ${specs.length - sum}`);
console.log(`${specs.length} incidents: ${JSON.stringify(sums)}, pairs of clocks ${JSON.stringify(clocks)}`);
process.exitCode = sums.wrong > 0 ? 1 : 0;
