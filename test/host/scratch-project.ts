/** A project of its own in the temporary folder: our build scripts and packages, and a few lines of source. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ScratchProject {
  readonly folder: string;
  write(path: string, text: string): void;
  /** Starts `node …nodeArguments build/scripts/launch.cjs …args`. */
  start(args: readonly string[], options?: StartOptions): ChildProcess;
  /** Starts `npm …args`. */
  startNpm(args: readonly string[]): ChildProcess;
  run(args: readonly string[], options?: StartOptions): Promise<Ended>;
  remove(): void;
}

export interface StartOptions {
  readonly nodeArguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a user's shell gives, without what npm and the test runner added. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = /^(npm_|INIT_CWD$|VITEST|FIRSTFAULT_|NODE_OPTIONS$|NODE_ENV$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

export function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((settle, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => settle({ code, signal, stdout, stderr }));
  });
}

export function createScratchProject({ packages }: { readonly packages: 'installed' | 'missing' }): ScratchProject {
  const folder = mkdtempSync(join(tmpdir(), 'firstfault-host-'));
  for (const part of ['build/scripts', 'build/vite', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  if (packages === 'installed') symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const project: ScratchProject = {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    start(args, { nodeArguments = [], environment = {} } = {}) {
      const options: SpawnOptions = {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...plainEnvironment(), ...environment },
      };
      return spawn(process.execPath, [...nodeArguments, join(folder, 'build/scripts/launch.cjs'), ...args], options);
    },
    startNpm: (args) => spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: plainEnvironment() }),
    run: (args, options) => ended(project.start(args, options)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  return project;
}
