/**
 * Writes `build/docs/report.schema.json`: the JSON Schema (draft 2020-12) of the report, out of `shared/report/schema.ts`.
 *
 *   node build/scripts/make-report-schema.ts
 *
 * A test compares the file with what this would write, and validates reports against it with another validator.
 */
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { reportSchema } from '#shared/report/schema.ts';

/** The file's text. Same schema, same text. Unknown fields are allowed: fields are added without a new version. */
export function formatReportSchema(): string {
  const schema = z.toJSONSchema(reportSchema, { target: 'draft-2020-12', io: 'input' });
  const named = { $schema: schema.$schema, $id: 'firstfault-report/1', title: 'Firstfault report', ...schema };
  return `${JSON.stringify(named, null, 2)}\n`;
}

if (import.meta.main) {
  await writeFile(new URL('../docs/report.schema.json', import.meta.url), formatReportSchema());
}
