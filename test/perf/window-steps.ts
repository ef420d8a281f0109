/** What a user does, timed: one function for each part of the window. */
import type { Probe } from './window-probe.ts';

const TIMELINE = '.timeline-stage[data-loading="false"]';

const SCREENS = [
  ['overview', '.verdict-statement'],
  ['timeline', TIMELINE],
  ['collectives', '.sets-row .call-cell, .chain-row'],
  ['logs', '.log-row[data-level]'],
  ['ranks', '.ranks-map[data-moment]'],
  ['clocks', '.clocks-main'],
  ['evidence', '.file-row'],
  ['report', '.report .paper'],
] as const;

export async function openCase(probe: Probe): Promise<void> {
  const { page } = probe;
  await probe.step('open case');
  await probe.measure('open case, Overview', 1000, async () => {
    await page.keyboard.press('Control+Shift+O');
    await page.waitForSelector('.case-open');
    return probe.timeTo('.verdict-statement', () => page.locator('.case-open').first().click());
  });
}

/** Each screen from another one, which stands still before. */
export async function screens(probe: Probe, names: readonly string[] = SCREENS.map(([name]) => name)): Promise<void> {
  const { page } = probe;
  for (const round of ['first visit', 'again'] as const) {
    for (const [index, [name, ready]] of SCREENS.entries()) {
      if (!names.includes(name)) continue;
      const go = async (): Promise<number> => {
        await page.keyboard.press(index === 0 ? 'Control+7' : 'Control+1');
        await page.waitForSelector(index === 0 ? '.file-row' : '.verdict-statement');
        await page.waitForTimeout(400);
        await probe.step(`switch to ${name}, ${round}`);
        return probe.timeTo(ready, () => page.keyboard.press(`Control+${index + 1}`));
      };
      const first = round === 'first visit';
      await probe.measure(`switch to ${name}, ${round}`, first ? 400 : 200, go, first ? 1 : undefined);
      await page.waitForTimeout(400);
    }
  }
}

async function stageBox(probe: Probe) {
  await probe.page.keyboard.press('Control+2');
  await probe.page.waitForSelector(TIMELINE);
  const box = await probe.page.locator('.timeline-stage').boundingBox();
  if (box === null) throw new Error('no lanes');
  return box;
}

const scriptMs = (probe: Probe): Promise<number> =>
  probe.metric('ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration').then((seconds) => seconds * 1000);

export async function timelineGestures(probe: Probe): Promise<void> {
  const { page } = probe;
  const box = await stageBox(probe);
  await probe.step('cursor move');
  await page.waitForTimeout(500);
  await probe.measure('cursor move, script and layout of a frame', 16, async (i) => {
    const from = await scriptMs(probe);
    for (let k = 0; k < 10; k++) await page.mouse.move(box.x + 250 + i * 60 + k * 5, box.y + 60 + i * 20);
    await page.waitForTimeout(60);
    return ((await scriptMs(probe)) - from) / 10;
  });
  await page.locator('.timeline-stage').focus();
  await probe.frames('timeline-frame');
  for (const [name, keys] of [
    ['zoom', 'wwwwssss'],
    ['pan', 'wwddaadd'],
  ] as const) {
    await probe.step(name);
    const exact: number[] = [];
    for (const key of keys) {
      const first = await probe.timeTo('.timeline-stage', () => page.keyboard.press(key));
      exact.push(Math.max(first, await sinceEvent(probe, TIMELINE)));
      await page.waitForTimeout(120);
    }
    probe.add({ step: `${name}, frame script`, budgetMs: 16, ms: await probe.frames('timeline-frame') });
    probe.add({ step: `${name}, exact picture`, budgetMs: 150, ms: exact });
  }
  await page.keyboard.press('0');
  await page.waitForTimeout(300);
}

/** ms from the last event until `selector` is there and painted. */
const sinceEvent = (probe: Probe, selector: string): Promise<number> =>
  probe.page.evaluate(
    (wanted) =>
      new Promise<number>((resolve, reject) => {
        const state = (window as unknown as { budgets: { at: number } }).budgets;
        const from = performance.now();
        const look = (): void => {
          if (document.querySelector(wanted) !== null)
            requestAnimationFrame(() => resolve(performance.now() - state.at));
          else if (performance.now() - from > 15_000) reject(new Error(`never: ${wanted}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    selector,
  );

/** Lanes fit the screen as pixels; at full height they scroll. A frame = its drawing and React's part before it. */
export async function laneScroll(probe: Probe): Promise<void> {
  const { page } = probe;
  const box = await stageBox(probe);
  await height(probe, 'Full, with labels');
  await page.waitForSelector('.timeline-stage[data-tier="full"]');
  await page.waitForSelector(TIMELINE);
  await page.waitForTimeout(400);
  await probe.step('lane scroll');
  await page.mouse.move(box.x + 500, box.y + 200);
  await probe.frames('timeline-frame');
  const from = await scriptMs(probe);
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, 90);
    await page.waitForTimeout(10);
  }
  await page.waitForTimeout(600);
  const drawn = await probe.frames('timeline-frame');
  probe.add({ step: 'lane scroll, drawing of a frame', budgetMs: 16, ms: drawn });
  const all = ((await scriptMs(probe)) - from) / Math.max(1, drawn.length);
  probe.add({ step: 'lane scroll, script and layout of a frame', budgetMs: 16, ms: [all] });
  await page.mouse.wheel(0, -9000);
  await page.waitForTimeout(300);
  await height(probe, 'As fits');
  await page.waitForTimeout(300);
}

async function height(probe: Probe, words: string): Promise<void> {
  await probe.page.locator('.timeline-head-button:not(.metrics-menu)').click();
  await probe.page.getByRole('menuitemradio', { name: words }).click();
  await probe.page.waitForSelector('[role="menu"]', { state: 'detached' });
}

/** Back along the records of the rank that the verdict names: there are two thousand. */
export async function selection(probe: Probe): Promise<void> {
  const { page } = probe;
  await page.keyboard.press('Control+G');
  await page.getByRole('combobox', { name: 'Go to' }).fill('rank 203');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.inspector');
  await stageBox(probe);
  await page.locator('.timeline-stage').focus();
  await page.keyboard.press(',');
  await page.waitForTimeout(500);
  await probe.step('select, inspector');
  await probe.measure('select record, inspector filled', 100, () =>
    probe.timeTo('.inspector', () => page.keyboard.press(','), { changed: true }),
  );
  await page.keyboard.press('i');
  await page.waitForSelector('.inspector', { state: 'detached' });
}

export async function basis(probe: Probe): Promise<void> {
  const { page } = probe;
  await stageBox(probe);
  await page.locator('.timeline-stage').focus();
  await probe.step('raw and corrected');
  await probe.measure('raw and corrected, timeline', 300, async () => {
    const first = await probe.timeTo('.context-bar', () => page.keyboard.press('t'), { changed: true });
    const exact = Math.max(first, await sinceEvent(probe, TIMELINE));
    await page.waitForTimeout(200);
    return exact;
  });
  // An odd number of turns leaves raw times, where other steps expect corrected ones.
  if ((await page.locator('.context-part[data-basis="raw"]').count()) > 0) await page.keyboard.press('t');
}

/** The map follows the pointer on the curve of waiting: from the move to the frame with the ranks of that moment. */
export async function recolour(probe: Probe): Promise<void> {
  const { page } = probe;
  await page.keyboard.press('Control+5');
  await page.waitForSelector('.ranks-map[data-moment]');
  const box = await page.locator('.ranks-curve').boundingBox();
  if (box === null) throw new Error('no curve');
  await page.waitForTimeout(300);
  await probe.step('recolour');
  const at = (i: number): number => box.x + 120 + ((i * 137) % Math.max(1, box.width - 160));
  await page.mouse.move(at(0), box.y + 20);
  await page.waitForTimeout(200);
  await probe.measure(
    'Ranks recolour on the pointer, to the frame',
    50,
    async (i) => {
      const ms = await probe.timeTo('.ranks-map', () => page.mouse.move(at(i + 1), box.y + 20), {
        attribute: 'data-moment',
      });
      await page.waitForTimeout(60);
      return ms;
    },
    15,
  );
  await probe.frames('ranks-frame');
  await probe.measure('Ranks recolour, script and layout of a frame', 16, async (i) => {
    await probe.frames('ranks-frame');
    const from = await scriptMs(probe);
    for (let k = 0; k < 30; k++) {
      await page.mouse.move(at(i) + k * 6, box.y + 20);
      await page.waitForTimeout(16);
    }
    await page.waitForTimeout(60);
    const spent = (await scriptMs(probe)) - from;
    const drawn = await probe.frames('ranks-frame');
    return spent / Math.max(1, drawn.length);
  });
  await page.mouse.move(2, 2);
}

const WORDS = ['timeout', 'rank 203', 'INFO', 'loss', 'error', 'collective', 'socket', 'Watchdog', 'checkpoint'];

export async function logs(probe: Probe): Promise<void> {
  const { page } = probe;
  await page.keyboard.press('Control+4');
  await page.waitForSelector('.log-row[data-level]');
  await page.getByText('all text searched').waitFor();
  await probe.step('log query');
  await probe.measure('log query, first rows', 300, async (i) => {
    const ms = await probe.timeTo('.log-row .log-hit', () =>
      page.getByLabel('Search logs').fill(WORDS[i % WORDS.length] ?? ''),
    );
    await page.getByText('all text searched').waitFor();
    await page.getByLabel('Search logs').fill('zzzzqqqq');
    await page.waitForFunction(() => document.querySelector('.log-hit') === null);
    await page.waitForTimeout(150);
    return ms;
  });
  await page.getByLabel('Search logs').fill('');
}

export async function collectives(probe: Probe): Promise<void> {
  const { page } = probe;
  await page.keyboard.press('Control+3');
  await page.waitForSelector('.chain-row');
  await probe.step('group diff');
  await probe.measure('group diff open', 400, async () => {
    const ms = await probe.timeTo('.call-detail', () => page.locator('.chain-row').first().click());
    await page.keyboard.press('Alt+ArrowLeft');
    await page.waitForSelector('.chain-row');
    return ms;
  });
}

/** Pans and zooms for a while: what the page holds on to must not grow with it. `rounds` of 40 gestures each. */
export async function memory(probe: Probe, rounds = 6): Promise<void> {
  const { page } = probe;
  await stageBox(probe);
  await page.locator('.timeline-stage').focus();
  await probe.step('panning for memory');
  await page.keyboard.press('0');
  const heaps: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const key of 'wwddddaaaassddaawwwddddddaaaaaassswwddaass') {
      await page.keyboard.press(key);
      await page.waitForTimeout(25);
    }
    await page.keyboard.press('0');
    await page.waitForSelector(TIMELINE);
    await page.waitForTimeout(200);
    heaps.push((await probe.heapBytes()) / 1e6);
  }
  const [first = 0] = heaps.slice(1);
  const last = heaps.at(-1) ?? 0;
  console.log(
    `heap after each ${40} gestures, MB: ${heaps.map((mb) => mb.toFixed(1)).join(' ')}; from the second to the last ${(last - first).toFixed(1)} MB`,
  );
}
