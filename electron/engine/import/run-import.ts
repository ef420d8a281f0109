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
import { checkCancelled } from '../bundle/byte-source.ts';
import type { BundleLimits } from '../bundle/limits.ts';
import { type Bundle, openBundle } from '../bundle/open-bundle.ts';
import type { DecodePool } from '../decode/decode-pool.ts';
import type { BlockCodec } from '../store/block-codec.ts';
import { type CaseContents, CaseWriter } from '../store/case-writer.ts';
import { isDiskFull } from '../store/sqlite.ts';
import type { ImportControl } from './import-control.ts';
import type { DetectFormat } from './import-entry.ts';
import { ImportJournal } from './import-journal.ts';
import type { ImportListener } from './import-progress.ts';
import { Reading } from './reading.ts';
import { ChangedError, TakenUp } from './taken-up.ts';

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
      readonly stopped?: Report['bundle']['stopped'];
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
  /** Note what is finished beside the case file, and go on with what an interrupted import of the same bundle noted there. */
  readonly canGoOn?: boolean;
  /** No provisional finding is wanted. */
  readonly withoutSoFar?: boolean;
  /** Somebody is there to be asked for a password. */
  readonly mayAsk?: boolean;
}

export interface ImportHooks {
  /** With the rest of a control: it can be paused, and stopped so that what was read is kept. */
  readonly cancel: CancelSignal | ImportControl;
  readonly listener: ImportListener;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Told at the end what threads did beside this one, for the local log. */
  readonly onBeside?: (done: { readonly unpackedBytes: number; readonly blocks: number }) => void;
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
  try {
    return await runOnce(request, hooks, parts);
  } catch (error) {
    if (!(error instanceof ChangedError)) return err(importError(error));
    // The bundle is not what was read before: everything is read anew. Once is enough, since then nothing is taken up.
    try {
      return await runOnce(request, hooks, parts);
    } catch (second) {
      return err(importError(second));
    }
  }
}

/** Removes what it wrote if it fails. */
async function runOnce(
  request: ImportRequest,
  hooks: ImportHooks,
  parts: ImportParts,
): Promise<Result<Report, ImportError>> {
  hooks.listener.onPhase('inventory');
  let reading: Reading | undefined;
  let takenUp: TakenUp | undefined;
  const opened = await openBundle(request.paths, {
    ...(request.limits === undefined ? {} : { limits: request.limits }),
    ...(request.password === undefined ? {} : { password: request.password }),
    ...(request.mayAsk === true ? { askPassword: (wrong: boolean) => askPassword(hooks, wrong) } : {}),
    ...(request.canGoOn === true ? { units: { isStored: (key: string) => takenUp?.hasUnit(key) === true } } : {}),
    spoolFolder: dirname(request.caseFile),
    hooks: { cancel: hooks.cancel, onInputBytes: (bytes) => reading?.addInputBytes(bytes) },
  });
  if (!opened.ok) return opened;
  const kept = request.canGoOn === true ? openKept(request, opened.value) : undefined;
  takenUp = kept?.takenUp;
  const { codec, contents } = request;
  let writer: CaseWriter | undefined;
  try {
    writer = new CaseWriter(request.caseFile, {
      now: hooks.now,
      ...(codec === undefined ? {} : { codec }),
      ...(contents === undefined ? {} : { contents }),
      ...(kept?.interrupted === undefined ? {} : { interrupted: kept.interrupted }),
    });
    reading = new Reading({ request, hooks, parts, journal: kept?.journal, takenUp });
    const report = await reading.run(opened.value, writer);
    if (report.ok) writer.finish();
    else writer.discard();
    hooks.onBeside?.({ unpackedBytes: opened.value.unpackedBeside, blocks: writer.packedBeside });
    kept?.journal.remove();
    return report;
  } catch (error) {
    writer?.discard();
    kept?.journal.remove();
    throw error;
  }
}

async function askPassword({ listener, cancel }: ImportHooks, wrong: boolean): Promise<string | null> {
  const password = (await listener.askPassword?.(wrong)) ?? null;
  checkCancelled(cancel);
  return password;
}

/** What an interrupted import left, or an empty journal. */
function openKept(request: ImportRequest, bundle: Bundle) {
  const files = { journal: journalOf(request.caseFile), temporary: `${request.caseFile}.importing` };
  const header = {
    tool: `${request.tool.name} ${request.tool.version}`,
    stamps: bundle.inputStamps,
    limits: JSON.stringify(request.limits ?? {}),
  };
  return (
    TakenUp.open(files, header) ?? {
      journal: ImportJournal.create(files.journal, header),
      takenUp: undefined,
      interrupted: undefined,
    }
  );
}

/** Beside the case file while it is written. */
export const journalOf = (caseFile: string): string => `${caseFile}.journal`;

function importError(error: unknown): ImportError {
  if (error instanceof Error && error.name === 'CancelledError') return { code: 'cancelled', detail: '' };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return isDiskFull(error)
    ? { code: 'disk-full', detail: error instanceof Error ? error.message : detail }
    : { code: 'internal', detail };
}
