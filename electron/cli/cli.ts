/** Entry of the terminal program: command line, signals, exit status. */
import { Command, CommanderError, Option } from 'commander';
import { systemReason } from '#engine/bundle/system-reason.ts';
import { runIfImportWorker } from '#engine/jobs/import-worker.ts';
import { runIfSearchWorker } from '#engine/search/search-worker.ts';
import { BLOCK_CODECS } from '#engine/store/block-codec.ts';
import type { CaseContents } from '#engine/store/case-writer.ts';
import { type AnalyzeOptions, analyze, type Terminal } from './commands/analyze.ts';
import { splitExportValues } from './commands/export-tables.ts';
import { dataFolder } from './data-folder.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import { VERSION } from './version.ts';

async function main(): Promise<void> {
  const interrupted = onInterrupt();
  ignoreClosedPipes();
  let status: ExitStatus;
  try {
    status = await runCommand(process.argv.slice(2), interrupted);
  } catch (error) {
    process.stderr.write(`firstfault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    status = EXIT.internal;
  }
  // Not process.exit: a pipe may still take what was written.
  process.exitCode = status;
}

async function runCommand(args: readonly string[], interrupted: Promise<void>): Promise<ExitStatus> {
  let status: ExitStatus = EXIT.usage;
  const program = new Command('firstfault')
    .description(
      'Names the first failed or stalled rank of a distributed PyTorch job, with evidence, or says that it cannot be told.',
    )
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)');
  program
    .command('analyze')
    .description('analyse a bundle and print the verdict')
    .argument('<bundle...>', 'folder, archive or single file; several are one incident sent in parts')
    .option('--json', 'print the report as JSON', false)
    .option('--out <file>', 'write the report to a file as well: .json, .md or .html')
    .option('--case <file>', 'keep the case file there, to be opened in the window later')
    .option(
      '--reply <file>',
      'write the reply to the sender as plain text: what is missing, why, and how to get it; - prints it',
    )
    .option('--export <form>', 'with a folder: write the case as tables for query engines, --export parquet DIR')
    .addOption(new Option('--export-folder <dir>').hideHelp())
    .option('--redact', 'replace names, addresses, paths and secrets in what --out, --reply and --json write', false)
    .option('--password <text>', 'password of encrypted zips; also taken from FIRSTFAULT_PASSWORD')
    .option('--quiet', 'no progress', false)
    .option('--explain', 'print how the recorder dumps were compared, and the review of settings', false)
    .exitOverride()
    .action(
      async (
        bundles: string[],
        given: {
          json: boolean;
          out?: string;
          case?: string;
          reply?: string;
          export?: string;
          exportFolder?: string;
          redact: boolean;
          password?: string;
          quiet: boolean;
          explain: boolean;
        },
      ) => {
        const options: AnalyzeOptions = {
          bundles,
          json: given.json,
          out: given.out,
          caseFile: given.case,
          reply: given.reply,
          tables: given.export === undefined ? undefined : { form: given.export, folder: given.exportFolder },
          redact: given.redact,
          quiet: given.quiet,
          explain: given.explain,
        };
        status = await analyze(options, terminal(interrupted, given.password, options));
      },
    );
  try {
    await program.parseAsync(splitExportValues(args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    status = error.exitCode === 0 ? EXIT.analysed : EXIT.usage;
  }
  return status;
}

/** What of a case that is not kept must be written for the sake of the other options. Redaction learns names from the files themselves. */
function contentsFor({ redact, tables }: AnalyzeOptions): CaseContents {
  if (redact) return 'everything';
  return tables === undefined ? 'report' : 'records';
}

function terminal(interrupted: Promise<void>, given: string | undefined, options: AnalyzeOptions): Terminal {
  const { env, platform, stdout, stderr } = process;
  const password = given ?? env['FIRSTFAULT_PASSWORD'];
  const codec = BLOCK_CODECS.find((name) => name === env['FIRSTFAULT_BLOCK_CODEC']);
  return {
    stdout,
    stderr,
    env,
    platform,
    interrupted,
    engineOptions: {
      home: dataFolder(env, platform),
      version: VERSION,
      workerEntry: new URL(import.meta.url),
      temporaryContents: contentsFor(options),
      // Only the bar has room for it.
      withoutSoFar: options.quiet || !stderr.isTTY,
      ...(codec === undefined ? {} : { codec }),
      ...(password === undefined ? {} : { password }),
      log: (line) => stderr.write(`firstfault: ${line}\n`),
    },
  };
}

/** Resolves at the first signal; a second one ends the program at once. */
function onInterrupt(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(EXIT.cancelled);
        resolve();
      });
    }
  });
}

/** `analyze … | head`: the reader went away, which is no error of ours. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout)
        process.stderr.write(`firstfault: standard output cannot be written: ${systemReason(error)}\n`);
      process.exit(EXIT.internal);
    });
  }
}

if (!runIfImportWorker() && !runIfSearchWorker()) void main();
