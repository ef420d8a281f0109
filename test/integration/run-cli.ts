/** The real terminal program in a process of its own, from its sources. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../../electron/cli/cli.ts', import.meta.url));

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Data folder and folder for temporary files. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called once the process runs; for signals. */
  readonly onStart?: (child: ChildProcess) => void;
}

export function runCli(args: readonly string[], { folder, env = {}, onStart }: CliOptions): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [ENTRY, ...args], {
      env: {
        PATH: process.env['PATH'],
        FIRSTFAULT_HOME: folder,
        TMPDIR: folder,
        TEMP: folder,
        TMP: folder,
        LANG: 'C.UTF-8',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    // Decoded by the stream: a letter may lie across two chunks.
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    onStart?.(child);
  });
}
