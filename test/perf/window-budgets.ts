/**
 * How quickly does the window answer on a case of 512 ranks? Drives the built app and prints p50 and p95 of each interaction beside its
 * budget, and every task over 50 ms with the step it fell into.
 *
 *   node test/perf/window-budgets.ts [--home DIR] [--bundle DIR] [--repeat 9]
 *
 * `--home` keeps the imported case for the next run; `--bundle` takes that instead of generating one (which takes minutes). Starts itself
 * again on a display of its own. Times run from the event's own stamp to the frame after the one that shows the result.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { onVirtualDisplay } from '../../build/scripts/lib/virtual-display.mjs';
import { windowTestEnvironment } from '../../build/scripts/test-steps.mjs';
import { launch } from '../e2e/support/launch.ts';
import { buildIncident } from '../support/incidents/index.ts';
import { saveAsFolder } from '../support/incidents/save.ts';

const { values } = parseArgs({
  options: { home: { type: 'string' }, bundle: { type: 'string' }, repeat: { type: 'string', default: '9' } },
});
const REPEAT = Number(values.repeat);

if (process.env['FIRSTFAULT_TEST_ELECTRON'] === undefined) {
  const self = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const [program, args] = onVirtualDisplay(process.execPath, self);
  const { status } = spawnSync(program, args, { stdio: 'inherit', env: await windowTestEnvironment() });
  process.exit(status ?? 1);
}

/** 64 nodes of 8, tensor 8 × pipeline 4 × data 16; one rank stalls. About a million recorder entries. */
async function madeBundle(): Promise<string> {
  if (values.bundle !== undefined) return values.bundle;
  const folder = join(mkdtempSync(join(tmpdir(), 'firstfault-budgets-')), 'job-512');
  const incident = buildIncident({
    seed: 512,
    nodes: 64,
    ranksPerNode: 8,
    tensorParallel: 8,
    pipelineParallel: 4,
    backend: 'nccl',
    workload: 'pytorchjob',
    layout: 'kubectl',
    appLog: 'bracket',
    clocks: 'skewed',
    loop: {
      steps: 1200,
      stepMs: 410,
      buckets: [7_077_888, 2_362_368],
      logEvery: 5,
      evaluateEvery: 100,
      checkpointEvery: 200,
    },
    timeoutS: 600,
    fault: { kind: 'stall', rank: 203, step: 700, where: 'data' },
    ringEntries: 2000,
  });
  await saveAsFolder(incident, folder);
  return folder;
}

interface Result {
  readonly step: string;
  readonly budgetMs: number;
  readonly ms: readonly number[];
  readonly cpu?: readonly number[];
}
const results: Result[] = [];

const quantile = (ms: readonly number[], share: number): number =>
  [...ms].sort((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? Number.NaN;

function print(): void {
  for (const { step, budgetMs, ms, cpu } of results) {
    const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)];
    const mark = p95 > budgetMs ? 'MISS' : 'ok';
    console.log(
      `${step.padEnd(44)} p50 ${p50.toFixed(1).padStart(7)}  p95 ${p95.toFixed(1).padStart(7)}  budget ${budgetMs} ms  ${mark.padEnd(4)}  n ${ms.length}${cpu === undefined ? '' : `  processor p50 ${quantile(cpu, 0.5).toFixed(0)} p95 ${quantile(cpu, 0.95).toFixed(0)} ms`}`,
    );
  }
}

/** In the page: notes the stamp of the next key, click or input, and long tasks with the step they fell into. */
async function instrument(page: Page): Promise<void> {
  await page.evaluate(() => {
    const state = { at: 0, step: 'start', tasks: [] as { step: string; ms: number }[] };
    Object.assign(window, { budgets: state });
    for (const kind of ['keydown', 'pointerdown', 'input'])
      window.addEventListener(kind, (event) => (state.at = event.timeStamp), true);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) state.tasks.push({ step: state.step, ms: entry.duration });
    }).observe({ type: 'longtask', buffered: false });
  });
}

const inStep = (page: Page, step: string): Promise<void> =>
  page.evaluate((name) => {
    (window as unknown as { budgets: { step: string } }).budgets.step = name;
  }, step);

/** ms from the event that `act` causes until `selector` is there (or gone and there again) and painted. */
async function timeTo(page: Page, selector: string, act: () => Promise<void>, changed = false): Promise<number> {
  const before = await page.evaluateHandle(() => performance.now());
  const answer = page.evaluate(
    ([wanted, mustChange, from]) =>
      new Promise<number>((resolve, reject) => {
        const state = (window as unknown as { budgets: { at: number } }).budgets;
        const first = mustChange ? document.querySelector(wanted)?.textContent : undefined;
        const look = (): void => {
          const found = document.querySelector(wanted);
          const happened = state.at >= from;
          if (happened && found !== null && (!mustChange || found.textContent !== first))
            requestAnimationFrame(() => resolve(performance.now() - state.at));
          else if (performance.now() - from > 30_000) reject(new Error(`never: ${wanted}`));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    [selector, changed, await before.jsonValue()] as const,
  );
  busyFrom = await busyMs();
  await act();
  return answer;
}

/** Processor time of the page's main thread so far, ms: unlike the clock it does not depend on what else runs on the machine. */
let busyMs = async (): Promise<number> => 0;
let busyFrom = 0;

async function measure(step: string, budgetMs: number, one: (i: number) => Promise<number>, n = REPEAT): Promise<void> {
  const ms: number[] = [];
  const cpu: number[] = [];
  for (let i = 0; i < n; i++) {
    ms.push(await one(i));
    cpu.push((await busyMs()) - busyFrom);
  }
  console.error(`${step}: ${ms.map((value) => value.toFixed(0)).join(' ')}`);
  results.push({ step, budgetMs, ms, cpu });
}

const SCREENS = [
  ['overview', '.verdict-statement'],
  ['timeline', '.timeline-stage[data-loading="false"]'],
  ['collectives', '.sets-row .call-cell'],
  ['logs', '.log-row[data-level]'],
  ['ranks', '.case-shell-body > *'],
  ['clocks', '.clocks-main'],
  ['evidence', '.file-row'],
  ['report', '.case-shell-body > *'],
] as const;

async function screens(page: Page): Promise<void> {
  for (const round of ['first visit', 'again'] as const) {
    for (const [index, [name, selector]] of SCREENS.entries()) {
      const go = async (): Promise<number> => {
        await page.keyboard.press(index === 0 ? 'Control+7' : 'Control+1');
        await page.waitForSelector(index === 0 ? '.file-row' : '.verdict-statement');
        await page.waitForTimeout(250);
        await inStep(page, `switch to ${name}, ${round}`);
        return timeTo(page, `.rail-item:nth-child(${index + 1})[aria-current]`, () =>
          page.keyboard.press(`Control+${index + 1}`),
        ).then(() => timeSince(page, selector));
      };
      await measure(`switch to ${name}, ${round}`, round === 'again' ? 200 : 400, go, round === 'again' ? REPEAT : 1);
      await page.waitForTimeout(400);
    }
  }
}

/** ms from the last event until `selector` is there and painted. */
const timeSince = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve, reject) => {
        const state = (window as unknown as { budgets: { at: number } }).budgets;
        const from = performance.now();
        const look = (): void => {
          if (document.querySelector(wanted) !== null)
            requestAnimationFrame(() => resolve(performance.now() - state.at));
          else if (performance.now() - from > 30_000) reject(new Error(`never: ${wanted}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    selector,
  );

const frames = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const found = performance.getEntriesByName('timeline-frame').map((entry) => entry.duration);
    performance.clearMeasures('timeline-frame');
    return found;
  });

async function timeline(page: Page): Promise<void> {
  const READY = '.timeline-stage[data-loading="false"]';
  await page.keyboard.press('Control+2');
  await page.waitForSelector(READY);
  const stage = page.locator('.timeline-stage');
  const box = await stage.boundingBox();
  if (box === null) throw new Error('no lanes');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const script = async (): Promise<number> =>
    (await cdp.send('Performance.getMetrics')).metrics
      .filter(({ name }) => ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].includes(name))
      .reduce((sum, { value }) => sum + value * 1000, 0);
  await inStep(page, 'cursor move');
  await page.waitForTimeout(500);
  await measure('cursor move, script and layout of a frame', 16, async (i) => {
    const from = await script();
    for (let k = 0; k < 10; k++) await page.mouse.move(box.x + 250 + i * 60 + k * 5, box.y + 60 + i * 20);
    await page.waitForTimeout(60);
    return ((await script()) - from) / 10;
  });
  await stage.focus();
  await frames(page);
  for (const [name, keys] of [
    ['zoom', 'wwwwssss'],
    ['pan', 'wwddaadd'],
  ] as const) {
    await inStep(page, name);
    const exact: number[] = [];
    for (const key of keys) {
      exact.push(
        await timeTo(page, '.timeline-stage', () => page.keyboard.press(key)).then(() => timeSince(page, READY)),
      );
      await page.waitForTimeout(120);
    }
    results.push({ step: `${name}, frame script`, budgetMs: 16, ms: await frames(page) });
    results.push({ step: `${name}, exact picture`, budgetMs: 150, ms: exact });
  }
  await page.keyboard.press('0');
  await page.waitForTimeout(300);
  await frames(page);
  await inStep(page, 'lane scroll');
  await page.mouse.move(box.x + 500, box.y + 200);
  for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 60);
  await page.waitForTimeout(500);
  results.push({ step: 'lane scroll, frame script', budgetMs: 16, ms: await frames(page) });
  await stage.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('.');
  if ((await page.locator('.inspector').count()) === 0) await page.keyboard.press('i');
  await page.waitForSelector('.inspector');
  await inStep(page, 'select, inspector');
  await measure('select record, inspector filled', 100, (i) =>
    timeTo(page, '.inspector', () => page.keyboard.press(i % 2 === 0 ? ',' : '.'), true),
  );
  await page.keyboard.press('i');
  await inStep(page, 'raw and corrected');
  await measure('raw and corrected, timeline', 300, async () => {
    const first = await timeTo(page, '.context-bar', () => page.keyboard.press('t'), true);
    return Math.max(first, await timeSince(page, READY));
  });
}

async function logs(page: Page): Promise<void> {
  await page.keyboard.press('Control+4');
  await page.waitForSelector('.log-row[data-level]');
  await page.getByText('all text searched').waitFor();
  await inStep(page, 'log query');
  const words = ['timeout', 'rank 203', 'INFO', 'loss', 'error', 'step 650', 'socket', 'Watchdog', 'checkpoint'];
  await measure('log query, first rows (120 ms pause included)', 300, async (i) => {
    const ms = await timeTo(page, '.log-row .log-hit', () =>
      page.getByLabel('Search logs').fill(words[i % words.length] ?? ''),
    );
    await page.getByLabel('Search logs').fill('zzzzqqqq');
    await page.waitForFunction(() => document.querySelector('.log-hit') === null);
    return ms;
  });
  await page.getByLabel('Search logs').fill('');
}

async function collectives(page: Page): Promise<void> {
  await page.keyboard.press('Control+3');
  await page.waitForSelector('.chain-row');
  await inStep(page, 'group diff');
  await measure('group diff open', 400, async () => {
    const ms = await timeTo(page, '.call-detail', () => page.locator('.chain-row').first().click());
    await page.keyboard.press('Alt+ArrowLeft');
    await page.waitForSelector('.chain-row');
    return ms;
  });
}

async function open(page: Page): Promise<void> {
  await inStep(page, 'open case');
  await measure('open case, Overview', 1000, async () => {
    await page.keyboard.press('Control+Shift+O');
    await page.waitForSelector('.case-open');
    return timeTo(page, '.verdict-statement', () => page.locator('.case-open').first().click());
  });
}

const home = values.home ?? mkdtempSync(join(tmpdir(), 'firstfault-home-'));
const kept = existsSync(home) && readdirSync(home).some((name) => name.toLowerCase().includes('case'));
const app = await launch({ home, width: 1600, height: 900, args: kept ? [] : [`--open=${await madeBundle()}`] });
try {
  if (!kept) await app.page.waitForSelector('.verdict-statement', { timeout: 600_000 });
  await app.page.waitForTimeout(1500);
  await app.page.keyboard.press('Control+Shift+O');
  await app.page.waitForSelector('.case-open');
  await instrument(app.page);
  const cdp = await app.page.context().newCDPSession(app.page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  busyMs = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const steps: readonly [string, (page: Page) => Promise<void>][] = [
    ['open', open],
    ['screens', screens],
    ['timeline', timeline],
    ['logs', logs],
    ['collectives', collectives],
  ];
  for (const [name, step] of steps) {
    try {
      await step(app.page);
    } catch (error) {
      console.log(`${name}: ${String(error)}`);
    }
  }
  print();
  const tasks = await app.page.evaluate(
    () => (window as unknown as { budgets: { tasks: { step: string; ms: number }[] } }).budgets.tasks,
  );
  console.log(`tasks over 50 ms: ${tasks.length}`);
  for (const { step, ms } of tasks.sort((a, b) => b.ms - a.ms).slice(0, 40))
    console.log(`  ${ms.toFixed(0).padStart(5)} ms  ${step}`);
  for (const error of app.errors) console.log(`console: ${error}`);
} finally {
  await app.close();
}
