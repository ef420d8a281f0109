/**
 * The catalogue once more, with lines that look like trouble and are none: a read that failed, was caught and tried again, with its
 * traceback and in the program's own words; a library's warning; a destructor that complains while its process ends.
 */
import { describe, expect, test } from 'vitest';
import { assertSound } from '../support/assert-sound.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import { buildIncident } from '../support/incidents/index.ts';
import { judge } from '../support/judge.ts';

describe.each(CATALOGUE.map((spec) => ({ incident: buildIncident({ ...spec, herrings: true }) })))(
  '$incident.name with red herrings',
  ({ incident }) => {
    test('nothing false is said', () => {
      const { report, input } = analyseFiles(incident.files, incident.name);
      assertSound(report, input);
      const { verdict } = report;
      const said = `${verdict.outcome} ${verdict.status} [${verdict.firstRanks.join(',')}] ${verdict.stage}/${verdict.cause}: ${verdict.summary}`;
      const { answer } = judge(verdict, incident.truth);
      expect(answer, said).not.toBe('wrong');
    });
  },
);
