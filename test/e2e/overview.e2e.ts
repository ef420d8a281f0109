/** From the verdict onwards: evidence in the view that fits it, into the report, and the analyst's own view. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TWO_NODE_STALL } from '../support/two-node-stall.ts';
import { CollectivesPage } from './pages/collectives-page.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { LogsPage } from './pages/logs-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { ReportPage } from './pages/report-page.ts';
import { scratchFolder } from './support/bundles.ts';
import { launchCase, saveIncident } from './support/cases.ts';
import type { RunningApp } from './support/launch.ts';

let scratch: string;
let stalled: string;
let app: RunningApp;
let overview: OverviewPage;

beforeAll(async () => {
  scratch = scratchFolder();
  stalled = await saveIncident(
    {
      ...TWO_NODE_STALL,
      ranksPerNode: 4,
      fault: { kind: 'stall', rank: 5, step: 41, where: 'data' },
    },
    join(scratch, 'stall'),
  );
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function openOverview(): Promise<void> {
  app = await launchCase(stalled);
  overview = new OverviewPage(app.page);
  await app.page.getByRole('img', { name: /^Log lines over the whole case/ }).waitFor();
}

const range = () => app.page.locator('.context-bar').innerText();

/** Place of the first item whose place in its source is of that kind. */
async function indexOf(kind: RegExp): Promise<number> {
  const index = (await overview.places('Because')).findIndex((place) => kind.test(place));
  expect(index).toBeGreaterThanOrEqual(0);
  return index;
}

describe('evidence of the verdict', () => {
  it('opens a log line among all lines, with half a minute around it, and its bytes with Ctrl', async () => {
    await openOverview();
    const index = await indexOf(/^line/);
    const before = await range();
    const number = ((await overview.places('Because'))[index] ?? '').replace(/\D/g, '');
    await overview.openEvidence('Because', index);
    const logs = new LogsPage(app.page);
    await expect.poll(() => logs.selected()).toMatch(/Watchdog caught collective operation timeout/);
    expect(await range()).not.toBe(before);
    await app.page.keyboard.press('Alt+ArrowLeft');
    await overview.shown();
    await overview.openBytes('Because', index);
    expect(await new EvidencePage(app.page).selectedLine()).toMatchObject({ number: Number(number), inSight: true });
    expect(app.errors).toEqual([]);
  });

  it('opens a record of a dump at its call among all ranks', async () => {
    await openOverview();
    await overview.openEvidence('Because', await indexOf(/^record/));
    const collectives = new CollectivesPage(app.page, app.electron);
    await collectives.shown();
    await expect.poll(() => collectives.detail()).toEqual(expect.arrayContaining([expect.stringMatching(/^op\|/)]));
    expect(app.errors).toEqual([]);
  });
});

describe('the verdict of a stall', () => {
  it('stands between the last that its rank did and the first wait for it, and leads there', async () => {
    await openOverview();
    const after = app.page.locator('.fact', { hasText: 'Stalled after' });
    const before = app.page.locator('.fact', { hasText: 'and before' });
    await expect
      .poll(() => after.innerText())
      .toMatch(
        /corrected, 14 Mar 2026\s+\d\d:\d\d:\d\d\.\d{3} (±[\d.]+ m?s|reference clock)\s[\s\S]*#84[\s\S]*clock of /,
      );
    await expect
      .poll(() => before.innerText())
      .toMatch(
        /\d\d:\d\d:\d\d\.\d{3} [\s\S]*rank \d+ waits in \S+ #\d+[\s\S]*clock of [\s\S]*or up to [\d.]+ m?s later/,
      );
    await app.page.getByRole('button', { name: 'Open at the moment' }).click();
    await app.page.waitForSelector('.timeline-stage[data-loading="false"]');
    await app.page.keyboard.press('Alt+ArrowLeft');
    await overview.shown();
    await app.page.keyboard.press('t');
    await expect.poll(() => after.innerText()).toMatch(/Stalled after, raw[\s\S]* raw/);
    expect(app.errors).toEqual([]);
  });
});

describe('the actions under the verdict', () => {
  it('add the evidence to the report, in one step that can be undone', async () => {
    await openOverview();
    await app.page.getByRole('button', { name: 'Add to report' }).click();
    const added = app.page.getByRole('button', { name: 'In the report, open it' });
    await added.click();
    const report = new ReportPage(app.page);
    await report.bring('Starred');
    await expect.poll(() => report.paper()).toMatch(/★ .*record \d+/);
    await app.page.keyboard.press('Control+1');
    await overview.shown();
    await app.page.keyboard.press('Control+z');
    await app.page.getByRole('button', { name: 'Add to report' }).waitFor();
    expect(app.errors).toEqual([]);
  });

  it("keep the analyst's own status and reason beside the verdict, in the case and in the report", async () => {
    await openOverview();
    await app.page.getByRole('button', { name: 'I disagree…' }).click();
    await app.page.getByRole('radio', { name: 'Hypothesis' }).check();
    await app.page.getByRole('textbox', { name: 'Because' }).fill('The node was drained a minute before.');
    await app.page.keyboard.press('Control+Enter');
    await app.page.getByRole('button', { name: 'You hold it to be hypothesis…' }).waitFor();
    expect(await overview.status()).toBe('Established');
    expect(await app.page.getByRole('region', { name: 'Notes' }).innerText()).toMatch(
      /The node was drained a minute before\.\s+the verdict, held to be hypothesis/,
    );
    const report = new ReportPage(app.page);
    await report.open();
    await expect
      .poll(() => report.paper())
      .toMatch(/The analyst disagrees: hypothesis\s+The node was drained a minute before\. \(written /);
    await app.page.keyboard.press('Control+1');
    await overview.shown();
    await app.page.getByRole('button', { name: 'You hold it to be hypothesis…' }).click();
    await app.page.getByRole('radio', { name: 'Ruled out' }).check();
    await app.page.keyboard.press('Tab');
    await app.page.getByRole('button', { name: 'Save my view' }).click();
    await app.page.getByRole('button', { name: 'You hold it to be ruled out…' }).waitFor();
    await app.page.keyboard.press('Control+z');
    await app.page.getByRole('button', { name: 'You hold it to be hypothesis…' }).waitFor();
    await app.page.keyboard.press('Control+z');
    await app.page.getByRole('button', { name: 'I disagree…' }).waitFor();
    expect(app.errors).toEqual([]);
  });
});
