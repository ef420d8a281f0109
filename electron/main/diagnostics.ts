import { arch, release, totalmem, type } from 'node:os';
import { app } from 'electron';
import type { Diagnostics } from '#shared/rpc/bridge.ts';

const MAX_PROBLEMS = 20;
const problems: string[] = [];

/** Notes a fault of this process: what kind, never text of a bundle. */
export function noteProblem(text: string): void {
  problems.push(`${new Date().toISOString()} ${text.slice(0, 200)}`);
  if (problems.length > MAX_PROBLEMS) problems.shift();
}

export function diagnostics(dataFolder: string): Diagnostics {
  const { electron = '', chrome = '', node = '', v8 = '' } = process.versions;
  return {
    versions: [
      { name: 'Firstfault', version: app.getVersion() },
      { name: 'Electron', version: electron },
      { name: 'Chromium', version: chrome },
      { name: 'Node', version: node },
      { name: 'V8', version: v8 },
    ],
    system: `${type()} ${release()} ${arch()}`,
    memoryBytes: totalmem(),
    locale: app.getLocale(),
    dataFolder,
    problems: [...problems],
  };
}
