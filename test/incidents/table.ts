/**
 * Prints how the incidents fare, one line each that is not right, and the sums:
 *
 *   node test/incidents/table.ts [SEEDS] [--from FIRST] [--herrings]
 */

import { checkClockClaims } from '../support/clock-claims.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import { buildIncident, type IncidentSpec } from '../support/incidents/index.ts';
import { randomSpec } from '../support/incidents/random-spec.ts';
import { judge } from '../support/judge.ts';

const seeds = Number(process.argv[2] ?? 0);
const herrings = process.argv.includes('--herrings');
const at = process.argv.indexOf('--from');
const first = at < 0 ? 1 : Number(process.argv[at + 1]);
const specs: IncidentSpec[] = [...CATALOGUE, ...Array.from({ length: seeds }, (_, i) => randomSpec(first + i))];
const clocks = { held: 0, broken: 0, unknown: 0 };
const sums = { right: 0, honest: 0, wrong: 0, sure: 0, stage: 0, cause: 0 };
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
  if (judgement.answer === 'right' && judgement.stage && judgement.cause) continue;
  const want = `${truth.outcome} [${truth.firstRanks.join(',')}] ${truth.stages[0]}/${truth.causes[0]}`;
  const got = `${verdict.outcome} ${verdict.status} [${verdict.firstRanks.join(',')}] ${verdict.stage}/${verdict.cause}`;
  const missing = spec.missing === undefined ? '' : ` missing ${JSON.stringify(spec.missing)}`;
  console.log(
    `${judgement.answer.toUpperCase().padEnd(6)} ${incident.name}${missing}\n  want ${want}\n  got  ${got}: ${verdict.summary}`,
  );
}
console.log(`${specs.length} incidents: ${JSON.stringify(sums)}, pairs of clocks ${JSON.stringify(clocks)}`);
