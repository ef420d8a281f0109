/**
 * One import from paths to a finished case file: read, store, analyse, report, finish. The same code runs in the terminal, in the
 * engine process and in tests; it knows no window, no job and no case folder.
 */
import { dirname } from 'node:path';
import type { Result } from '#shared/lib/result.ts';
import { err } from '#shared/lib/result.ts';
import type { AnalysisResult } from '#shared/model/finding.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { CancelSignal, JobFailure } from '#shared/model/job.ts';
import type { Report } from '#shared/report/schema.ts';
import type { CaseView } from '#shared/views/index.ts';
import type { BundleLimits } from '../bundle/limits.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import type { DecodePool } from '../decode/decode-pool.ts';
import type { BlockCodec } from '../store/block-codec.ts';
import { type CaseContents, CaseWriter } from '../store/case-writer.ts';
import { isDiskFull } from '../store/sqlite.ts';
import type { ImportControl } from './import-control.ts';
import type { DetectFormat } from './import-entry.ts';
import type { ImportListener } from './import-progress.ts';
import { Reading } from './reading.ts';

/** The pure parts, passed in so that tests may take others. */
export interface ImportParts {
  readonly detectFormat: DetectFormat;
  readonly analyse: (input: IncidentInput) => AnalysisResult;
  readonly buildReport: (from: {
    readonly input: IncidentInput;
    readonly result: AnalysisResult;
    readonly bundle: {
      readonly name: string;
      readonly sha256: string;
      readonly bytes: number;
      readonly unpackedBytes: number;
    };
    readonly tool: { readonly name: string; readonly version: string };
  }) => Report;
  /** What screens will draw; absent = none. */
  readonly views?: readonly CaseView[];
}

export interface ImportRequest {
  /** At least one; the order does not matter. */
  readonly paths: readonly string[];
  /** Where the case file shall be; its folder exists. */
  readonly caseFile: string;
  readonly tool: { readonly name: string; readonly version: string };
  readonly limits?: Partial<BundleLimits>;
  readonly codec?: BlockCodec;
  readonly contents?: CaseContents;
  /** For encrypted members of zips. */
  readonly password?: string;
}

export interface ImportHooks {
  /** With the rest of a control: it can be paused, and stopped so that what was read is kept. */
  readonly cancel: CancelSignal | ImportControl;
  readonly listener: ImportListener;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Threads that decode dumps; none = all is done in this one. Nothing of the result depends on them. */
  readonly decoders?: DecodePool;
}

export type ImportError = { readonly code: JobFailure | 'cancelled'; readonly detail: string };

/** Reads everything and leaves a whole case at `caseFile`, or nothing at all. Never throws. */
export async function runImport(
  request: ImportRequest,
  hooks: ImportHooks,
  parts: ImportParts,
): Promise<Result<Report, ImportError>> {
  let writer: CaseWriter | undefined;
  try {
    hooks.listener.onPhase('inventory');
    const reading = new Reading(request, hooks, parts);
    const opened = await openBundle(request.paths, {
      ...(request.limits === undefined ? {} : { limits: request.limits }),
      ...(request.password === undefined ? {} : { password: request.password }),
      spoolFolder: dirname(request.caseFile),
      hooks: { cancel: hooks.cancel, onInputBytes: (bytes) => reading.addInputBytes(bytes) },
    });
    if (!opened.ok) return opened;
    writer = new CaseWriter(request.caseFile, {
      now: hooks.now,
      ...(request.codec === undefined ? {} : { codec: request.codec }),
      ...(request.contents === undefined ? {} : { contents: request.contents }),
    });
    const report = await reading.run(opened.value, writer);
    if (!report.ok) {
      writer.discard();
      return report;
    }
    writer.finish();
    return report;
  } catch (error) {
    writer?.discard();
    return err(importError(error));
  }
}

function importError(error: unknown): ImportError {
  if (error instanceof Error && error.name === 'CancelledError') return { code: 'cancelled', detail: '' };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return isDiskFull(error)
    ? { code: 'disk-full', detail: error instanceof Error ? error.message : detail }
    : { code: 'internal', detail };
}
