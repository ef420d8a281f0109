import { analyseIncident } from '#shared/analysis/index.ts';
import { detectFormat } from '#shared/formats/index.ts';
import { buildReport } from '#shared/report/build-report.ts';
import { CASE_VIEWS } from '#shared/views/index.ts';
import type { ImportParts } from '../import/run-import.ts';

/** The formats, the analysis, the report and the views of the product. */
export const productParts = (): ImportParts => ({
  detectFormat,
  analyse: analyseIncident,
  buildReport,
  views: CASE_VIEWS,
});
