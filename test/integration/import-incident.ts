import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { productParts } from '#engine/analysis/product-parts.ts';
import { runImport } from '#engine/import/run-import.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { Report } from '#shared/report/schema.ts';

/** Imports in this process with the product's parts, and shows what the analysis was given. */
export async function importIncident(
  paths: readonly string[],
  caseFile: string,
): Promise<{ readonly input: IncidentInput; readonly report: Report }> {
  const parts = productParts();
  let input: IncidentInput | undefined;
  mkdirSync(dirname(caseFile), { recursive: true });
  const result = await runImport(
    { paths, caseFile, tool: { name: 'firstfault', version: '0' } },
    {
      cancel: { aborted: false },
      now: () => performance.now(),
      listener: { onPhase: () => undefined, onProgress: () => undefined, onFile: () => undefined },
    },
    {
      ...parts,
      analyse: (given) => {
        input = given;
        return parts.analyse(given);
      },
    },
  );
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  if (input === undefined) throw new Error('nothing was analysed');
  return { input, report: result.value };
}
