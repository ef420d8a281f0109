/** How long the window takes from an event to the frame that shows its result, how busy its main thread was, and which tasks were long. */
import type { CDPSession, Page } from 'playwright-core';

export interface Result {
  readonly step: string;
  readonly budgetMs: number;
  readonly ms: readonly number[];
  /** Processor time of the page's main thread, which does not depend on what else runs on the machine. */
  readonly cpu?: readonly number[];
}

export const quantile = (ms: readonly number[], share: number): number =>
  [...ms].sort((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? Number.NaN;

export class Probe {
  readonly page: Page;
  readonly results: Result[] = [];
  readonly #cdp: CDPSession;
  readonly #repeat: number;
  #busyFrom = 0;

  private constructor(page: Page, cdp: CDPSession, repeat: number) {
    this.page = page;
    this.#cdp = cdp;
    this.#repeat = repeat;
  }

  /** Notes the stamp of each key, press and input in the page, and long tasks with the step they fell into. */
  static async start(page: Page, repeat: number): Promise<Probe> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.evaluate(() => {
      const state = { at: 0, step: 'start', tasks: [] as { step: string; ms: number }[] };
      Object.assign(window, { budgets: state });
      for (const kind of ['keydown', 'pointerdown', 'pointermove', 'input'])
        window.addEventListener(kind, (event) => (state.at = event.timeStamp), true);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) state.tasks.push({ step: state.step, ms: entry.duration });
      }).observe({ type: 'longtask', buffered: false });
    });
    return new Probe(page, cdp, repeat);
  }

  async step(name: string): Promise<void> {
    await this.page.evaluate((step) => {
      (window as unknown as { budgets: { step: string } }).budgets.step = step;
      performance.mark(`step: ${step}`);
    }, name);
  }

  /** Value of one of the page's own counters: seconds of tasks, scripts, layout; bytes of the heap. */
  async metric(...names: readonly string[]): Promise<number> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics');
    return metrics.filter(({ name }) => names.includes(name)).reduce((sum, { value }) => sum + value, 0);
  }

  /** Frees what can be freed, then the bytes of the JavaScript heap in use. */
  async heapBytes(): Promise<number> {
    await this.#cdp.send('HeapProfiler.collectGarbage');
    return this.metric('JSHeapUsedSize');
  }

  /**
   * ms from the event that `act` causes until `selector` is there and painted. `changed`: its text must be another one than before;
   * `attribute`: that attribute of it must be another one.
   */
  async timeTo(
    selector: string,
    act: () => Promise<void>,
    { changed = false, attribute = '' }: { readonly changed?: boolean; readonly attribute?: string } = {},
  ): Promise<number> {
    // Starts before the event: the look must be there when the page changes.
    const from = await this.page.evaluate(
      ([wanted, what]) => {
        const read = (): string | null => {
          const found = document.querySelector(wanted);
          return what === '' ? (found?.textContent ?? null) : (found?.getAttribute(what) ?? null);
        };
        Object.assign(window, { budgetsBefore: read() });
        return performance.now();
      },
      [selector, attribute] as const,
    );
    this.#busyFrom = await this.busyMs();
    const answer = this.page.evaluate(
      ([wanted, what, mustChange, since]) =>
        new Promise<number>((resolve, reject) => {
          const { budgets: state, budgetsBefore: before } = window as unknown as {
            budgets: { at: number };
            budgetsBefore: string | null;
          };
          const look = (): void => {
            const found = document.querySelector(wanted);
            const now = what === '' ? (found?.textContent ?? null) : (found?.getAttribute(what) ?? null);
            if (state.at >= since && found !== null && (!mustChange || now !== before))
              requestAnimationFrame(() => resolve(performance.now() - state.at));
            else if (performance.now() - since > 15_000) reject(new Error(`never: ${wanted}`));
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
      [selector, attribute, changed || attribute !== '', from] as const,
    );
    // Without this a failure of `act` leaves a rejection that nobody waits for.
    answer.catch(() => undefined);
    await act();
    return answer;
  }

  busyMs(): Promise<number> {
    return this.metric('TaskDuration').then((seconds) => seconds * 1000);
  }

  async measure(step: string, budgetMs: number, one: (i: number) => Promise<number>, n = this.#repeat): Promise<void> {
    const ms: number[] = [];
    const cpu: number[] = [];
    for (let i = 0; i < n; i++) {
      this.#busyFrom = await this.busyMs();
      ms.push(await one(i));
      cpu.push((await this.busyMs()) - this.#busyFrom);
    }
    this.add({ step, budgetMs, ms, cpu });
  }

  add(result: Result): void {
    this.results.push(result);
    console.error(`${result.step}: ${result.ms.map((value) => value.toFixed(value < 10 ? 1 : 0)).join(' ')}`);
  }

  /** Durations of the page's own marks of that name since the last call. */
  frames(name: string): Promise<number[]> {
    return this.page.evaluate((mark) => {
      const found = performance.getEntriesByName(mark).map((entry) => entry.duration);
      performance.clearMeasures(mark);
      return found;
    }, name);
  }

  /** Runs `act` under the page's profiler; the functions with most time of their own, ms. */
  async profile(act: () => Promise<void>): Promise<readonly string[]> {
    await this.#cdp.send('Profiler.enable');
    await this.#cdp.send('Profiler.setSamplingInterval', { interval: 200 });
    await this.#cdp.send('Profiler.start');
    await act();
    const { profile } = await this.#cdp.send('Profiler.stop');
    const own = new Map<number, number>();
    for (const [i, id] of (profile.samples ?? []).entries())
      own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas?.[i] ?? 0) / 1000);
    const sums = new Map<string, number>();
    for (const { id, callFrame } of profile.nodes) {
      const name = `${callFrame.functionName || '(anonymous)'} ${callFrame.url.split('/').at(-1)}:${callFrame.lineNumber + 1}`;
      sums.set(name, (sums.get(name) ?? 0) + (own.get(id) ?? 0));
    }
    return [...sums]
      .filter(([name]) => !/^\((?:idle|program|root)\)/.test(name))
      .sort(([, a], [, b]) => b - a)
      .slice(0, 30)
      .map(([name, ms]) => `${ms.toFixed(1).padStart(8)} ms  ${name}`);
  }

  async print(): Promise<void> {
    for (const { step, budgetMs, ms, cpu } of this.results) {
      const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)];
      const mark = ms.length === 0 ? 'NOT MEASURED' : p95 > budgetMs ? 'MISS' : 'ok';
      const busy =
        cpu === undefined
          ? ''
          : `  processor p50 ${quantile(cpu, 0.5).toFixed(0)} p95 ${quantile(cpu, 0.95).toFixed(0)} ms`;
      console.log(
        `${step.padEnd(44)} p50 ${p50.toFixed(1).padStart(7)}  p95 ${p95.toFixed(1).padStart(7)}  budget ${budgetMs} ms  ${mark.padEnd(4)}  n ${ms.length}${busy}`,
      );
    }
    const tasks = await this.page.evaluate(
      () => (window as unknown as { budgets: { tasks: { step: string; ms: number }[] } }).budgets.tasks,
    );
    const sum = tasks.reduce((total, { ms }) => total + ms, 0);
    console.log(`tasks over 50 ms: ${tasks.length}, together ${sum.toFixed(0)} ms`);
    for (const { step, ms } of tasks.sort((a, b) => b.ms - a.ms).slice(0, 40))
      console.log(`  ${ms.toFixed(0).padStart(5)} ms  ${step}`);
  }
}
