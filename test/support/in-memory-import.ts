/**
 * The import pipeline without containers, database or event loop: files in memory → `IncidentInput` → report.
 *
 * Detection, line splitting, parsing and settling are the product's own; only what stores bytes is left out. A reader
 * that throws is a bug and is thrown on, instead of being noted as an issue.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { EntryOutputs } from '#engine/import/entry-outputs.ts';
import type { EntryRecord } from '#engine/import/entry-record.ts';
import { LineBlocks } from '#engine/import/line-blocks.ts';
import { settleIncident } from '#engine/import/settle-incident.ts';
import { analyseIncident } from '#shared/analysis/index.ts';
import { detectFormat } from '#shared/formats/index.ts';
import type { AnalysisResult } from '#shared/model/finding.ts';
import { type EntryHead, type Format, HEAD_BYTES } from '#shared/model/format.ts';
import { entryId } from '#shared/model/ids.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import { buildReport } from '#shared/report/build-report.ts';
import type { Report } from '#shared/report/schema.ts';

export type BundleFiles = ReadonlyMap<string, Uint8Array>;

export interface InMemoryResult {
  readonly input: IncidentInput;
  readonly result: AnalysisResult;
  readonly report: Report;
}

/** Files are read in the map's order; the result must not depend on it. */
export function importFiles(files: BundleFiles): IncidentInput {
  return settleIncident(
    [...files].map(([path, bytes], slot) => importEntry(path, Buffer.from(bytes), slot)),
    [],
  ).input;
}

/** From files to the report, as `analyze` would print it. */
export function analyseFiles(files: BundleFiles, name = 'bundle'): InMemoryResult {
  const input = importFiles(files);
  const result = analyseIncident(input);
  const bytes = [...files.values()].reduce((sum, content) => sum + content.length, 0);
  const sha256 = createHash('sha256')
    .update(input.entries.map((entry) => `${entry.sha256}  ${entry.path}\n`).join(''))
    .digest('hex');
  const bundle = { name, sha256, bytes, unpackedBytes: bytes };
  return {
    input,
    result,
    report: buildReport({ input, result, bundle, tool: { name: 'firstfault', version: 'test' } }),
  };
}

function importEntry(path: string, bytes: Buffer, slot: number): EntryRecord {
  const outputs = new EntryOutputs();
  const head = bytes.subarray(0, HEAD_BYTES);
  const entryHead: EntryHead = { bytes: head, text: head.toString('utf8'), path, whole: bytes.length <= HEAD_BYTES };
  const { format, why } = detectFormat(entryHead);
  const lines = bytes.length === 0 || format === undefined ? null : parse(format, { path, bytes, slot, outputs });
  const { status, detail } = statusOf(format, outputs, bytes.length === 0);
  return {
    slot,
    path,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    format: format?.id ?? null,
    kind: format?.title ?? 'Unknown',
    why,
    status,
    detail,
    lines,
    firstNs: null,
    lastNs: null,
    recognised: format !== undefined && format.shape !== 'ignored',
    mayRepeat: format !== undefined && format.shape !== 'ignored' && outputs.dumps.length === 0 && bytes.length > 0,
    outputs,
  };
}

interface Parsing {
  readonly path: string;
  readonly bytes: Buffer;
  readonly slot: number;
  readonly outputs: EntryOutputs;
}

/** Number of lines; null for what is not text. */
function parse(format: Format, { path, bytes, slot, outputs }: Parsing): number | null {
  const context = { entry: entryId(slot), path };
  const counter = new LineBlocks({ onBlock: () => {} });
  counter.push(bytes);
  counter.end();
  switch (format.shape) {
    case 'lines': {
      const reader = format.open(context, (output) => outputs.add(output));
      const blocks = new LineBlocks({
        onBlock: () => {},
        onLine: (text, line, byte, length) => reader.line(text, line, byte, length),
      });
      blocks.push(bytes);
      blocks.end();
      reader.end();
      return blocks.lines;
    }
    case 'document':
      for (const output of format.parse(bytes, context, false)) outputs.add(output);
      return bytes.includes(0) ? null : counter.lines;
    case 'ignored':
      outputs.issue({ code: format.issue, severity: 'info', detail: format.detail });
      outputs.status = { status: 'skipped', detail: format.detail };
      return null;
  }
}

function statusOf(
  format: Format | undefined,
  outputs: EntryOutputs,
  empty: boolean,
): Pick<EntryRecord, 'status' | 'detail'> {
  if (outputs.status !== undefined) return outputs.status;
  if (empty) return { status: 'empty', detail: 'the file has 0 bytes' };
  if (format === undefined) return { status: 'skipped', detail: 'no known kind of content' };
  return { status: outputs.warned ? 'warned' : 'read', detail: outputs.summary };
}
