/**
 * Prints how the incidents fare, one line each that is not right, and the sums:
 *
 *   node test/incidents/table.ts [SEEDS] [--from FIRST] [--removed | --weakened] [--kinds]
 *
 * Two populations are counted apart. Each kind of fault says, before anything is read, what the evidence in the bundle can prove
 * (`Truth.provable`). The answer: right, honest (less than could be said, nothing false) or wrong. Less: nobody can know, and more than
 * what is proven is over. `--removed` takes from each seed all that decides it, `--weakened` a part. All logs hold lines that look like trouble and are none.
 * Ends with 1 if anything is wrong or over.
 */

import { checkClockClaims } from '../support/clock-claims.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import type { IncidentSpec } from '../support/incidents/index.ts';
import { randomSpec } from '../support/incidents/random-spec.ts';
import { weakened, withoutProof } from '../support/incidents/removal.ts';
import { varietyOf } from '../support/incidents/variety.ts';
import { type Fare, fareOf } from './fare.ts';

const seeds = Number(process.argv[2] ?? 0);
const taken = process.argv.includes('--removed')
  ? withoutProof
  : process.argv.includes('--weakened')
    ? weakened
    : undefined;
const byKind = process.argv.includes('--kinds');
const at = process.argv.indexOf('--from');
const first = at < 0 ? 1 : Number(process.argv[at + 1]);
const drawn = Array.from({ length: seeds }, (_, i) => randomSpec(first + i));
const specs: IncidentSpec[] = taken === undefined ? [...CATALOGUE, ...drawn] : drawn.map(taken);

interface Sums {
  decidable: number;
  right: number;
  honest: number;
  wrong: number;
  sure: number;
  undecidable: number;
  cannotTell: number;
  over: number;
}
const NONE: Sums = { decidable: 0, right: 0, honest: 0, wrong: 0, sure: 0, undecidable: 0, cannotTell: 0, over: 0 };
const rows = new Map<string, Sums>();
const clocks = { held: 0, broken: 0, unknown: 0 };

function count(row: string, { incident, verdict, judgement, answer, over }: Fare): void {
  const sums = rows.get(row) ?? { ...NONE };
  rows.set(row, sums);
  if (judgement.answer === 'wrong') sums.wrong += 1;
  if (judgement.sure) sums.sure += 1;
  if (over) sums.over += 1;
  if (incident.truth.decidable) {
    sums.decidable += 1;
    if (answer === 'right') sums.right += 1;
    else if (answer === 'honest') sums.honest += 1;
  } else {
    sums.undecidable += 1;
    if (verdict.outcome === 'cannot-tell') sums.cannotTell += 1;
  }
}

for (const spec of specs) {
  const fare = fareOf(spec);
  const { incident, verdict, judgement, over } = fare;
  const { truth } = incident;
  const claims = checkClockClaims(fare, truth);
  clocks.held += claims.held;
  clocks.broken += claims.broken.length;
  clocks.unknown += claims.unknown;
  for (const line of claims.broken) console.log(`CLOCK  ${incident.name}: ${line}`);
  const variety = varietyOf(incident.spec);
  count('all', fare);
  count(`of ${variety}`, fare);
  if (byKind) count(spec.fault.kind, fare);
  const asExpected = truth.decidable ? fare.answer === 'right' && judgement.cause : !over;
  if (asExpected && judgement.answer !== 'wrong') continue;
  const want = `${truth.provable}: ${truth.outcome} [${truth.firstRanks.join(',')}] ${truth.stages[0]}/${truth.causes[0]}`;
  const got = `${verdict.outcome} ${verdict.status} [${verdict.firstRanks.join(',')}] ${verdict.stage}/${verdict.cause}`;
  const missing = spec.missing === undefined ? '' : ` missing ${JSON.stringify(spec.missing)}`;
  const restart = spec.restart === undefined ? '' : ` restart ${JSON.stringify(spec.restart)}`;
  console.log(
    `${over ? 'OVER' : fare.answer.toUpperCase().padEnd(6)} ${variety} ${incident.name}${restart}${missing}\n  want ${want}\n  got  ${got}: ${verdict.summary}`,
  );
}
console.table(Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1))));
const all = rows.get('all') ?? NONE;
const share = (100 * all.right) / Math.max(1, all.decidable);
console.log(`decidable: ${all.right} of ${all.decidable} = ${share.toFixed(1)} % right with stage, ${all.wrong} wrong`);
console.log(`undecidable: ${all.undecidable - all.over} of ${all.undecidable} say no more than is proven`);
console.log(`pairs of clocks ${JSON.stringify(clocks)}`);
process.exitCode = all.wrong + all.over > 0 ? 1 : 0;
