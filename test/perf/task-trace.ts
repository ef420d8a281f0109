/**
 * Tasks of the page's main thread by the processor time they took, as Chromium's own tracing has it. Tasks by the clock (`longtask`) count what
 * else the machine does: on a busy one most of them are not the page's.
 */
import { readFileSync, rmSync } from 'node:fs';
import type { ElectronApplication } from 'playwright-core';

export interface CpuTask {
  /** ms of processor time. */
  readonly ms: number;
  /** What `Probe.step` named last before it. */
  readonly step: string;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** µs of the thread's own time; absent where the platform has no such clock. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export const startTrace = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ contentTracing }) =>
    contentTracing.startRecording({ included_categories: ['toplevel', 'blink.user_timing', '__metadata'] }),
  );

/** Ends the recording: tasks of at least `leastMs`, longest first. */
export async function stopTrace(electron: ElectronApplication, leastMs: number): Promise<readonly CpuTask[]> {
  const [file, pid] = await electron.evaluate(
    async ({ contentTracing, BrowserWindow }) =>
      [
        await contentTracing.stopRecording(),
        BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
      ] as const,
  );
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8')) as { traceEvents: TraceEvent[] };
  rmSync(file, { force: true });
  const main = traceEvents.find(
    (event) => event.pid === pid && event.name === 'thread_name' && event.args?.name === 'CrRendererMain',
  )?.tid;
  const own = traceEvents.filter((event) => event.pid === pid && event.tid === main).sort((a, b) => a.ts - b.ts);
  let step = 'start';
  const tasks: CpuTask[] = [];
  for (const { name, ph, tdur = 0 } of own) {
    if (name.startsWith('step: ')) step = name.slice(6);
    else if (ph === 'X' && name.endsWith('RunTask') && tdur >= leastMs * 1000) tasks.push({ ms: tdur / 1000, step });
  }
  return tasks.sort((a, b) => b.ms - a.ms);
}
