/** `analyze BUNDLE…`: import, verdict, exit status. The same handlers as the window's, over the same kind of port. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemReason } from '#engine/bundle/system-reason.ts';
import { createEngine, type Engine, type EngineOptions } from '#engine/engine.ts';
import { isCaseFile } from '#engine/store/case-reader.ts';
import { isCaseInUse } from '#engine/store/case-writer.ts';
import type { JobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import { replyToSender } from '#shared/report/reply/index.ts';
import type { Report } from '#shared/report/schema.ts';
import { type Client, createClient } from '#shared/rpc/client.ts';
import { createPortPair } from '#shared/rpc/port-pair.ts';
import { EXIT, type ExitStatus, exitStatusOf } from '../exit-status.ts';
import { printExplanation } from '../print/explanation.ts';
import { createPaint, showsUnicode, wantsColour } from '../print/paint.ts';
import { clampWidth } from '../print/print-context.ts';
import { printReport } from '../print/print-report.ts';
import { printSettings } from '../print/settings.ts';
import { visibleText } from '../print/visible-text.ts';
import { barDisplay, type ProgressDisplay, plainDisplay, silentDisplay } from '../progress/progress-display.ts';
import { exportProblem, exportTables, type TableExport } from './export-tables.ts';
import { OUTPUT_FORMS, type OutputForm, outputForm, reportJson, writeReport, writeText } from './output-file.ts';
import { type RedactedTexts, redactedTexts } from './redacted-output.ts';

export interface AnalyzeOptions {
  readonly bundles: readonly string[];
  readonly json: boolean;
  readonly out: string | undefined;
  readonly caseFile: string | undefined;
  /** Write the reply to the sender there, as plain text; `-` prints it instead of the report. */
  readonly reply: string | undefined;
  /** Write the case as tables for query engines. */
  readonly tables: TableExport | undefined;
  /** Names, addresses, paths and secrets are replaced in everything that is written; nothing is written if a part could not be scanned. */
  readonly redact: boolean;
  readonly quiet: boolean;
  /** Print how the dumps were compared, and the review of settings; the JSON form always has both. */
  readonly explain: boolean;
}

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Resolves when the user asks to stop. */
  readonly interrupted: Promise<void>;
  readonly engineOptions: EngineOptions;
}

export async function analyze(options: AnalyzeOptions, terminal: Terminal): Promise<ExitStatus> {
  const problem = usageProblem(options);
  // Names that the user typed may hold line feeds; what is said of them is one line.
  if (problem !== undefined) return say(terminal, visibleText(problem), EXIT.usage);
  const engine = createEngine(terminal.engineOptions);
  const [ours, theirs] = createPortPair();
  engine.servePrivileged(theirs);
  const client = createClient(ours);
  try {
    return await importAndPrint(options, terminal, client);
  } finally {
    client.close();
    await engine.close();
  }
}

/** What is wrong with the command line, in one line; undefined if nothing is. */
function usageProblem({ bundles, out, caseFile, reply, json, tables, redact }: AnalyzeOptions): string | undefined {
  const inputs = new Set(bundles.map((path) => resolve(path)));
  if (out !== undefined) {
    if (outputForm(out) === undefined)
      return `--out ${out}: the file must end in ${OUTPUT_FORMS.map((form) => `.${form}`).join(', ')}`;
    const wrong = badTarget('--out', out, inputs);
    if (wrong !== undefined) return wrong;
  }
  if (reply === '-' && json) return '--reply - and --json both print to standard output; give --reply a file';
  if (reply !== undefined && reply !== '-') {
    const wrong = badTarget('--reply', reply, inputs);
    if (wrong !== undefined) return wrong;
    const other = [out, caseFile].find((file) => file !== undefined && resolve(file) === resolve(reply));
    if (other !== undefined) return `--reply ${reply}: another option writes the same file`;
  }
  if (tables !== undefined) {
    const wrong = exportProblem(tables);
    if (wrong !== undefined) return wrong;
    if (redact) return '--export writes names as they are: it cannot be combined with --redact';
  }
  if (caseFile === undefined) return undefined;
  const wrong = badTarget('--case', caseFile, inputs);
  if (wrong !== undefined) return wrong;
  if (out !== undefined && resolve(out) === resolve(caseFile)) return '--out and --case name the same file';
  if (existsSync(caseFile) && !isCaseFile(caseFile))
    return `--case ${caseFile}: exists and is not a case file; nothing was changed`;
  if (isCaseInUse(caseFile)) return `--case ${caseFile}: another import is writing it`;
  return undefined;
}

function badTarget(option: string, file: string, inputs: ReadonlySet<string>): string | undefined {
  const target = resolve(file);
  if (inputs.has(target)) return `${option} ${file}: is the bundle itself`;
  if (!existsSync(dirname(target))) return `${option} ${file}: there is no folder ${dirname(target)}`;
  if (existsSync(target) && !statSync(target).isFile()) return `${option} ${file}: is not a file`;
  try {
    accessSync(dirname(target), constants.W_OK);
  } catch {
    return `${option} ${file}: the folder ${dirname(target)} cannot be written to`;
  }
  return undefined;
}

function say({ stderr }: Terminal, text: string, status: ExitStatus): ExitStatus {
  for (const line of text.split('\n')) stderr.write(`${visibleText(line)}\n`);
  return status;
}

async function importAndPrint(options: AnalyzeOptions, terminal: Terminal, client: Client): Promise<ExitStatus> {
  const display = chooseDisplay(options, terminal);
  const last = await runImport(options, { client, display, interrupted: terminal.interrupted });
  display.end();
  switch (last.kind) {
    case 'done': {
      const opened = await client.request('case.open', { caseId: last.caseId });
      if (!opened.ok) return say(terminal, `analyze: ${opened.error.code}: ${opened.error.detail}`, EXIT.internal);
      const { report } = opened.value;
      if (options.tables?.folder !== undefined) {
        const exported = await exportTables(last.caseId, options.tables.folder, client);
        if (!exported.ok) return say(terminal, exported.error, EXIT.internal);
        if (!options.quiet) say(terminal, exported.value, EXIT.analysed);
      }
      if (!options.redact) return deliver(report, options, terminal);
      const redacted = await redactedTexts(last.caseId, options, client);
      if (!redacted.ok) return say(terminal, redacted.error, EXIT.internal);
      return deliver(report, options, terminal, redacted.value);
    }
    case 'failed':
      return say(terminal, failureText(last, options), exitStatusOf(last.code));
    case 'cancelled':
      return say(terminal, 'analyze: cancelled; nothing was kept', EXIT.cancelled);
    default:
      return say(terminal, 'analyze: the import ended without a result', EXIT.internal);
  }
}

function chooseDisplay({ quiet }: AnalyzeOptions, { stderr, env, platform }: Terminal): ProgressDisplay {
  if (quiet) return silentDisplay;
  if (stderr.isTTY && env['TERM'] !== 'dumb') return barDisplay(stderr, showsUnicode(env, platform));
  return plainDisplay(stderr, () => performance.now());
}

interface ImportRun {
  readonly client: Client;
  readonly display: ProgressDisplay;
  readonly interrupted: Promise<void>;
}

/** Runs the import to its last state. An interrupt cancels it, and the last state is then `cancelled`. */
function runImport(
  { bundles, caseFile }: AnalyzeOptions,
  { client, display, interrupted }: ImportRun,
): Promise<JobState> {
  return new Promise((settle) => {
    let jobId: JobId | undefined;
    let cancelled = false;
    const cancel = () => {
      cancelled = true;
      if (jobId !== undefined) void client.request('job.cancel', { jobId });
    };
    client.subscribe('job.changed', (state) => {
      if (jobId !== undefined && state.jobId !== jobId) return;
      if (state.kind === 'queued' || state.kind === 'running') display.show(state);
      else settle(state);
    });
    void interrupted.then(cancel);
    const params = { paths: bundles, keep: false, ...(caseFile === undefined ? {} : { caseFile }) };
    void client.request('bundle.import', params).then((answer) => {
      if (!answer.ok) {
        settle({
          kind: 'failed',
          jobId: '' as JobId,
          title: '',
          code: 'internal',
          detail: `${answer.error.code}: ${answer.error.detail}`,
        });
        return;
      }
      jobId = answer.value.jobId;
      if (cancelled) cancel();
    });
  });
}

function failureText(state: Extract<JobState, { kind: 'failed' }>, { bundles, caseFile }: AnalyzeOptions): string {
  const bundle = visibleText(bundles.join(' '));
  switch (state.code) {
    case 'path-missing':
      return `analyze: ${state.detail}`;
    case 'nothing-readable':
      return `analyze: nothing in ${bundle} could be read as evidence.\n${indent(state.detail)}\nExpected: logs, Pod YAML or JSON, events, Flight Recorder dumps, in a folder or an archive (tar, zip; gzip, zstd, xz, bzip2)`;
    case 'refused-for-safety':
      return `analyze: ${bundle} was refused for safety; nothing of it was run or unpacked.\n${indent(state.detail)}`;
    case 'disk-full':
      return `analyze: ${caseFile === undefined ? 'the folder for temporary files' : visibleText(caseFile)} cannot be written: the disk is full, or a limit is reached (${state.detail}); nothing was kept`;
    case 'interrupted':
    case 'internal':
      return `analyze: an error in this program, not in your bundle: ${state.detail.split('\n')[0] ?? ''}`;
  }
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');

function deliver(
  report: Report,
  { out, json, explain, reply }: AnalyzeOptions,
  terminal: Terminal,
  redacted: RedactedTexts = {},
): ExitStatus {
  const { stdout, env, platform } = terminal;
  const form: OutputForm | undefined = out === undefined ? undefined : outputForm(out);
  if (out !== undefined && form !== undefined) {
    try {
      if (redacted.out === undefined) writeReport(report, out, form);
      else writeText(redacted.out, out);
    } catch (error) {
      return say(terminal, `analyze: ${visibleText(out)} cannot be written: ${systemReason(error)}`, EXIT.internal);
    }
  }
  if (reply === '-') {
    stdout.write(redacted.reply ?? replyToSender(report));
    return EXIT.analysed;
  }
  if (reply !== undefined) {
    try {
      writeText(redacted.reply ?? replyToSender(report), reply);
    } catch (error) {
      return say(terminal, `analyze: ${visibleText(reply)} cannot be written: ${systemReason(error)}`, EXIT.internal);
    }
  }
  const context = {
    width: clampWidth(stdout.columns),
    paint: createPaint(wantsColour(stdout, env)),
    unicode: showsUnicode(env, platform),
  };
  const text = (): string =>
    explain
      ? [printReport(report, context), printExplanation(report, context), printSettings(report, context)]
          .filter((part) => part !== '')
          .join('\n')
      : printReport(report, context);
  stdout.write(json ? (redacted.json ?? reportJson(report)) : text());
  return EXIT.analysed;
}

export type { Engine };
