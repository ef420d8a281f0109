/**
 * One import from paths to a finished case file: read, store, analyse, report, finish. The same code runs in the terminal, in the
 * engine process and in tests; it knows no window, no job and no case folder.
 */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Result } from '#shared/lib/result.ts';
import { err, ok } from '#shared/lib/result.ts';
import type { AnalysisResult } from '#shared/model/finding.ts';
import type { IncidentInput } from '#shared/model/incident.ts';
import type { CancelSignal, JobFailure } from '#shared/model/job.ts';
import type { Report } from '#shared/report/schema.ts';
import type { CaseView } from '#shared/views/index.ts';
import type { BundleItem, ContainerIssueItem } from '../bundle/bundle-item.ts';
import type { BundleLimits } from '../bundle/limits.ts';
import { type Bundle, openBundle } from '../bundle/open-bundle.ts';
import type { BlockCodec } from '../store/block-codec.ts';
import { type CaseContents, CaseWriter } from '../store/case-writer.ts';
import { isDiskFull } from '../store/sqlite.ts';
import { BufferCollector } from './buffer-collector.ts';
import type { EntryRecord } from './entry-record.ts';
import { EventBudget } from './event-budget.ts';
import { type DetectFormat, importEntry, refusedEntry } from './import-entry.ts';
import type { ImportListener } from './import-progress.ts';
import { Pacer } from './pacer.ts';
import { settleIncident } from './settle-incident.ts';
import { storeEntry, storeIssues, storeOutputs } from './store-entry.ts';

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
  readonly cancel: CancelSignal;
  readonly listener: ImportListener;
  /** Monotonic ms. */
  readonly now: () => number;
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

class Reading {
  readonly #request: ImportRequest;
  readonly #hooks: ImportHooks;
  readonly #parts: ImportParts;
  readonly #records: EntryRecord[] = [];
  readonly #containerIssues: ContainerIssueItem[] = [];
  readonly #collector = new BufferCollector();
  readonly #budget = new EventBudget();
  #inputBytes = 0;
  /** Entries that only reading told of. */
  #unplaced = 0;
  #bundle: Bundle | undefined;

  constructor(request: ImportRequest, hooks: ImportHooks, parts: ImportParts) {
    this.#request = request;
    this.#hooks = hooks;
    this.#parts = parts;
  }

  addInputBytes(bytes: number): void {
    this.#inputBytes += bytes;
    this.#progress();
  }

  async run(bundle: Bundle, writer: CaseWriter): Promise<Result<Report, ImportError>> {
    const { cancel, listener, now } = this.#hooks;
    const pacer = new Pacer(cancel, now);
    this.#bundle = bundle;
    listener.onPhase('reading');
    this.#progress();
    for await (const item of bundle.items()) await this.#take(item, writer, pacer);
    // Headers and directories of archives are input, too.
    this.#inputBytes = bundle.inputBytes;
    this.#progress();
    this.#records.sort((a, b) => a.slot - b.slot);
    const failure = this.#failure();
    if (failure !== undefined) return err(failure);

    listener.onPhase('analysing');
    this.#budget.settle();
    for (const record of this.#records) {
      await pacer.turn();
      storeOutputs(writer, record);
    }
    await pacer.turn();
    const { input, settlements } = settleIncident(this.#records, this.#containerIssues);
    writer.settle(settlements);
    storeIssues(writer, input.issues, settlements);
    await pacer.turn();
    const result = this.#parts.analyse(input);
    await pacer.turn();
    const report = this.#parts.buildReport({
      input,
      result,
      bundle: {
        name: bundle.name,
        sha256: bundle.fileSha256() ?? this.#listHash(input),
        bytes: bundle.inputBytes,
        unpackedBytes: bundle.unpackedBytes(),
      },
      tool: this.#request.tool,
    });
    listener.onPhase('finishing');
    writer.report(JSON.stringify(report));
    for (const view of this.#parts.views ?? []) {
      await pacer.turn();
      const value = view.build({ input, result, report });
      if (value !== undefined) writer.addView(view.name, value);
    }
    writer.meta('tool', `${this.#request.tool.name} ${this.#request.tool.version}`);
    writer.meta('bundle', bundle.name);
    await pacer.turn();
    return ok(report);
  }

  async #take(item: BundleItem, writer: CaseWriter, pacer: Pacer): Promise<void> {
    if (item.kind === 'issue') {
      this.#containerIssues.push(item);
      return;
    }
    if (item.kind === 'unit-end' || item.kind === 'stored-unit') return;
    const { listener } = this.#hooks;
    const slot = item.place ?? (this.#bundle?.places ?? 0) + this.#unplaced++;
    let record: EntryRecord;
    if (item.kind === 'refused') record = refusedEntry(item, slot);
    else {
      const onKind = (kind: string) =>
        listener.onFile({ path: item.path, kind, bytes: item.declaredBytes ?? 0, status: 'reading', detail: '' });
      record = await importEntry(item, slot, {
        writer,
        pacer,
        detectFormat: this.#parts.detectFormat,
        collector: this.#collector,
        budget: this.#budget,
        onKind,
      });
    }
    this.#records.push(record);
    storeEntry(writer, record);
    listener.onFile({
      path: record.path,
      kind: record.kind,
      bytes: record.bytes,
      status: record.status,
      detail: record.detail,
    });
    this.#progress();
  }

  #progress(): void {
    this.#hooks.listener.onProgress({
      filesDone: this.#records.length,
      filesTotal: this.#bundle?.filesTotal ?? null,
      bytesDone: Math.round(Math.min(this.#inputBytes, this.#bundle?.inputBytes ?? this.#inputBytes)),
      bytesTotal: this.#bundle?.inputBytes ?? null,
    });
  }

  /** Why there is nothing to analyse; undefined as soon as one entry is of a known kind. */
  #failure(): ImportError | undefined {
    if (this.#records.some((record) => record.recognised)) return undefined;
    const stopped = this.#bundle?.stoppedBy();
    if (stopped !== undefined) return { code: 'refused-for-safety', detail: stopped };
    const refused = this.#records.filter((record) => record.status === 'refused');
    if (refused.length > 0 && refused.length === this.#records.length) {
      return { code: 'refused-for-safety', detail: listReasons(refused, this.#containerIssues) };
    }
    return { code: 'nothing-readable', detail: listReasons(this.#records, this.#containerIssues) };
  }

  /** For folders and several inputs: SHA-256 of the lines `sha256␠␠path\n` in path order; `-` for bytes that were not read. */
  #listHash(input: IncidentInput): string {
    const hash = createHash('sha256');
    for (const entry of input.entries) hash.update(`${entry.sha256 ?? '-'}  ${entry.path}\n`);
    return hash.digest('hex');
  }
}

const MAX_REASONS = 8;

/** One line a file: what was found in place of evidence. */
function listReasons(records: readonly EntryRecord[], issues: readonly ContainerIssueItem[]): string {
  const lines = [
    ...issues.map((issue) => `${issue.path}: ${issue.detail}`),
    ...records.map(
      (record) =>
        `${record.path}: ${record.kind.toLowerCase()}, ${record.status}${record.detail === '' ? '' : ` (${record.detail})`}`,
    ),
  ];
  if (lines.length === 0) return 'it holds no files';
  const more = lines.length - MAX_REASONS;
  return [...lines.slice(0, MAX_REASONS), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
