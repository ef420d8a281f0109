/** Files against time, files of a node, and a line of a file in a small window with large text. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildIncident } from '../support/incidents/index.ts';
import { saveAsFolder } from '../support/incidents/save.ts';
import { TWO_NODE_STALL } from '../support/two-node-stall.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { scratchFolder } from './support/bundles.ts';
import { launchCase } from './support/cases.ts';
import type { RunningApp } from './support/launch.ts';

let scratch: string;
let bundle: string;
let nodes: readonly string[];
let app: RunningApp;

/** The log of the second Pod is lost, and the dump of rank 0. */
beforeAll(async () => {
  scratch = scratchFolder();
  const incident = buildIncident(TWO_NODE_STALL);
  nodes = Object.keys(incident.truth.nodeOffsetsMs);
  const logs = [...incident.files.keys()].filter((path) => path.endsWith('.log')).sort();
  const files = new Map(incident.files);
  for (const path of incident.files.keys()) if (path === logs[1] || /nccl_trace_rank_0$/.test(path)) files.delete(path);
  expect(files.size).toBe(incident.files.size - 2);
  bundle = join(scratch, 'stall');
  await saveAsFolder({ ...incident, files }, bundle);
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function openEvidence(options = {}): Promise<EvidencePage> {
  app = await launchCase(bundle, options);
  await app.page.keyboard.press('Control+7');
  const evidence = new EvidencePage(app.page);
  await evidence.shown();
  return evidence;
}

describe('coverage', () => {
  it('tells by keyboard which Pod has no log and which rank no dump, and opens what is there', async () => {
    const evidence = await openEvidence();
    await app.page.getByRole('radio', { name: 'List' }).focus();
    await app.page.keyboard.press('ArrowRight');
    await expect
      .poll(() => evidence.coverage())
      .toEqual(expect.arrayContaining([expect.stringMatching(/no log file/)]));
    const rows = await evidence.coverage();
    expect(rows.filter((row) => /missing/.test(row)).map((row) => row.replace(/\s+/g, ' '))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Log of .+ no log file missing$/),
        expect.stringMatching(/^Dump of ranks? (0|.*\b0\b)/),
      ]),
    );
    expect(await app.page.locator('.evidence-summary').innerText()).toMatch(/1 Pod without a log, \d+ dumps? missing/);
    const bar = app.page.locator('.coverage-row[data-kind="file"] .coverage-fill').first();
    expect((await bar.boundingBox())?.width).toBeGreaterThan(100);
    const grid = app.page.getByRole('grid', { name: 'Coverage over time' });
    await grid.focus();
    await app.page.keyboard.press('ArrowDown');
    await app.page.keyboard.press('Enter');
    await expect.poll(() => evidence.place()).toMatch(/lines|records|bytes/);
  });

  it('lists the files of one node', async () => {
    const evidence = await openEvidence();
    const all = await evidence.paths();
    await app.page.getByRole('button', { name: /^node/ }).click();
    await app.page.getByRole('menuitemradio', { name: nodes[1] ?? '' }).click();
    await expect.poll(async () => (await evidence.paths()).length).toBeLessThan(all.length);
    const paths = await evidence.paths();
    const ranks = paths.flatMap((path) => /rank_(\d+)$/.exec(path)?.[1] ?? []).map(Number);
    expect(ranks.length).toBeGreaterThan(0);
    expect(ranks.every((rank) => rank >= 8)).toBe(true);
  });
});

describe('at 1024 × 640 with text twice as large', () => {
  it('a line that evidence names is in sight, with its whole text beside it', async () => {
    app = await launchCase(bundle, { width: 1024, height: 640 });
    for (let step = 0; step < 5; step += 1) await app.page.keyboard.press('Control+=');
    const overview = new OverviewPage(app.page);
    const index = (await overview.places('Because')).findIndex((place) => /^line/.test(place));
    expect(index).toBeGreaterThanOrEqual(0);
    await overview.openBytes('Because', index);
    const evidence = new EvidencePage(app.page);
    const line = await evidence.selectedLine();
    expect(line.text.length).toBeGreaterThan(140);
    await app.page.waitForSelector('.raw-piece');
    await expect.poll(async () => (await evidence.selectedLine()).inSight).toBe(true);
    // Back and forth: it comes back with its line.
    await app.page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await evidence.selectedLine()).number).toBe(line.number + 1);
    expect((await evidence.selectedLine()).inSight).toBe(true);
    await app.page.getByRole('button', { name: 'Close file' }).click();
    await evidence.shown();
    expect(await app.page.locator('.file-row').first().isVisible()).toBe(true);
  });
});
