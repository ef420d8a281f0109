/** Starts the app on the real engine with faults that a test can change while the window is open. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeAppFolder } from './app-folder.ts';
import { type LaunchOptions, launch, type RunningApp } from './launch.ts';

export interface Fault {
  readonly delayMs?: number;
  readonly error?: { readonly code: string; readonly detail: string };
  /** In place of the answer. */
  readonly value?: unknown;
  /** Values written into the answer. */
  readonly set?: readonly (readonly [readonly (string | number)[], unknown])[];
  /** The process ends instead of answering. */
  readonly exit?: true;
}

/** By method. */
export type Faults = Readonly<Record<string, Fault>>;

export interface FaultyApp extends RunningApp {
  /** From now on; {} = none. */
  readonly fault: (faults: Faults) => void;
}

export async function launchFaulty(options: LaunchOptions = {}): Promise<FaultyApp> {
  const file = join(mkdtempSync(join(tmpdir(), 'firstfault-faults-')), 'faults.json');
  const fault = (faults: Faults): void => writeFileSync(file, JSON.stringify(faults));
  fault({});
  process.env['FIRSTFAULT_FAULTS'] = file;
  process.env['FIRSTFAULT_REAL_ENGINE'] = resolve(
    import.meta.dirname,
    '..',
    '..',
    '..',
    '.vite',
    'build',
    'engine.cjs',
  );
  const appFolder = makeAppFolder({ engine: join(import.meta.dirname, 'fault-engine.cjs') });
  return { ...(await launch({ ...options, appFolder })), fault };
}
