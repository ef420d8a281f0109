import { err, ok, type Result } from '../lib/result.ts';
import { type Report, reportSchema } from './schema.ts';

/** The report of a case file, which may come from anywhere: checked against the schema. Without one (undefined) it does not fit either. */
export function parseStoredReport(
  json: string | undefined,
): Result<Report, { readonly code: 'case-damaged'; readonly detail: string }> {
  try {
    const parsed = reportSchema.safeParse(JSON.parse(json ?? 'null'));
    if (parsed.success) return ok(parsed.data);
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    return err({ code: 'case-damaged', detail: `its report does not fit: ${where}` });
  } catch (error) {
    return err({ code: 'case-damaged', detail: error instanceof Error ? error.message : String(error) });
  }
}
