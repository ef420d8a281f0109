import { describe, expect, it } from 'vitest';
import { reportSchema } from '#shared/report/schema.ts';
import { hostileReport } from '../../e2e/support/hostile-report.ts';
import { correctedReport, namedReport } from '../../e2e/support/named-report.ts';
import {
  cannotTellReport,
  groupReport,
  manyRanksReport,
  noFailureReport,
  noRankReport,
} from '../../e2e/support/outcome-reports.ts';

describe('the invented reports', () => {
  it.each([
    ['named', namedReport()],
    ['corrected', correctedReport()],
    ['cannot tell', cannotTellReport()],
    ['no failure', noFailureReport()],
    ['group', groupReport()],
    ['no rank', noRankReport()],
    ['4 096 ranks', manyRanksReport(4096)],
    ['hostile', hostileReport()],
  ])('%s follows the schema', (_name, report) => {
    expect(reportSchema.safeParse(report).error).toBeUndefined();
  });
});
