/** Whole incidents, from files to the report, against their truth. */
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { checkClockClaims } from '../support/clock-claims.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import { buildIncident } from '../support/incidents/index.ts';
import { judge } from '../support/judge.ts';

describe.each(CATALOGUE.map((spec) => ({ incident: buildIncident(spec) })))('$incident.name', ({ incident }) => {
  const { report, result, input } = analyseFiles(incident.files, incident.name);
  const { verdict } = report;
  const said = `${verdict.outcome} ${verdict.status} ${verdict.firstRanks.join(',')} ${verdict.stage}/${verdict.cause}: ${verdict.summary}`;

  test('the report is sound', () => {
    assertSound(report, input);
  });

  test('what it claims about clocks holds', () => {
    expect(checkClockClaims({ report, result }, incident.truth).broken).toEqual([]);
  });

  test('the verdict agrees with the truth', () => {
    const judgement = judge(verdict, incident.truth);
    // What its kind calls undecidable in these surroundings must be left open, not guessed.
    if (!incident.truth.decidable) {
      expect(verdict.outcome, said).toBe('cannot-tell');
      return;
    }
    expect(judgement, said).toMatchObject({ answer: 'right', sure: false });
    expect(incident.truth.stages, said).toContain(verdict.stage);
    expect(incident.truth.causes, said).toContain(verdict.cause);
  });
});

test('all but one incident of the catalogue can be decided: without stamps nothing tells when a running job was looked at', () => {
  const open = CATALOGUE.map((spec) => buildIncident(spec)).filter(({ truth }) => !truth.decidable);
  expect(open.map(({ name }) => name)).toEqual(['still-running-nccl-plain-143']);
});
