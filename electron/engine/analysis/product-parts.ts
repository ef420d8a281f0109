import { analyseIncident } from '#shared/analysis/index.ts';
import { detectFormat } from '#shared/formats/index.ts';
import { buildReport } from '#shared/report/build-report.ts';
import type { ImportParts } from '../import/run-import.ts';

/** The formats, the analysis and the report of the product. */
export const productParts = (): ImportParts => ({ detectFormat, analyse: analyseIncident, buildReport });
