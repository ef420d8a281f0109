/** A report in which every text out of the bundle tries something. */
import type { Report, ReportVerdict } from '#shared/report/schema.ts';
import { groupReport } from './outcome-reports.ts';
import { asFinding, evidence, gap } from './report-parts.ts';

/** Every text that comes out of a bundle tries something. It must be shown, and do nothing. */
export const HOSTILE_TEXT =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> \u202egnp.exe\u202c \u001b[31mred\u001b[0m \u0000\u2066x\u2069 `__proto__` constructor {{7*7}} %s';

export function hostileReport(): Report {
  const base = groupReport();
  const verdict: ReportVerdict = {
    ...base.verdict,
    firstRanks: [4],
    pod: `pod-${HOSTILE_TEXT}`,
    node: '__proto__',
    summary: `Rank 4 printed ${HOSTILE_TEXT}`,
    because: [
      evidence({
        text: `It said ${HOSTILE_TEXT}`,
        file: `logs/${HOSTILE_TEXT.replaceAll('/', '_')}.log`,
        line: 2,
        rank: 4,
        time: '2026-02-11T17:03:12.000Z',
        entryId: 0,
      }),
    ],
    against: [evidence({ text: 'A'.repeat(20_000), file: '__proto__', line: 1, entryId: 1 })],
    wouldChange: [HOSTILE_TEXT],
    nextChecks: [HOSTILE_TEXT, '\u202eright to left'],
    candidates: [{ ranks: [4], why: HOSTILE_TEXT }],
  };
  return {
    ...base,
    bundle: { ...base.bundle, name: `bundle ${HOSTILE_TEXT}` },
    incident: { ...base.incident, software: { [HOSTILE_TEXT]: HOSTILE_TEXT, constructor: '1' } },
    ranks: base.ranks.map((row) => ({
      ...row,
      pod: `pod-${HOSTILE_TEXT}`,
      node: '__proto__',
      conflicts: [HOSTILE_TEXT],
    })),
    verdict,
    findings: [
      asFinding(verdict, 'f1', 'rule'),
      asFinding({ ...verdict, summary: HOSTILE_TEXT, firstRanks: [] }, 'f2', 'other-rule'),
    ],
    gaps: [gap(HOSTILE_TEXT, 'absent', HOSTILE_TEXT, HOSTILE_TEXT, HOSTILE_TEXT)],
    issues: [
      { code: 'unknown-text', severity: 'info', file: HOSTILE_TEXT, where: HOSTILE_TEXT, count: 1, text: HOSTILE_TEXT },
    ],
  };
}
