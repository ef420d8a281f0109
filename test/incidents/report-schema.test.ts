/** The published schema is the one that the code has, and reports keep to it by another validator than the one that made it. */
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { formatReportSchema } from '../../build/scripts/make-report-schema.ts';
import { analyseFiles } from '../support/in-memory-import.ts';
import { CATALOGUE } from '../support/incidents/catalogue.ts';
import { buildIncident } from '../support/incidents/index.ts';

const published = readFileSync(new URL('../../build/docs/report.schema.json', import.meta.url), 'utf8');
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(JSON.parse(published));

describe('report.schema.json', () => {
  test('is what the code would write; if not, run build/scripts/make-report-schema.ts', () => {
    expect(published).toBe(formatReportSchema());
  });

  test('refuses another version, a missing part and an unknown outcome', () => {
    const report = JSON.parse(JSON.stringify(analyseFiles(new Map()).report));
    expect(validate(report)).toBe(true);
    expect(validate({ ...report, schema: 'firstfault-report/2' })).toBe(false);
    expect(validate({ ...report, verdict: { ...report.verdict, outcome: 'surely' } })).toBe(false);
    const { gaps: _, ...rest } = report;
    expect(validate(rest)).toBe(false);
  });

  test('holds for a report of a part of a bundle, with the number of all files or without', () => {
    const report = JSON.parse(JSON.stringify(analyseFiles(new Map()).report));
    const stopped = (filesTotal: unknown) => ({
      ...report,
      bundle: { ...report.bundle, stopped: { filesRead: 5, filesTotal } },
    });
    expect(validate(stopped(16))).toBe(true);
    expect(validate(stopped(null))).toBe(true);
    expect(validate(stopped('many'))).toBe(false);
  });

  test.each(CATALOGUE.map((spec) => ({ spec })))('holds for the report of seed $spec.seed', ({ spec }) => {
    const report: unknown = JSON.parse(JSON.stringify(analyseFiles(buildIncident(spec).files).report));
    expect(validate(report), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  });
});
