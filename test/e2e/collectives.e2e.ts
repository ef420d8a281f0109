import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, dumpFiles, sameProgram, simulate, times } from '../support/dump-builder.ts';
import { buildIncident, type IncidentSpec } from '../support/incidents/index.ts';
import { LARGE_EXAMPLE } from '../support/incidents/large-example.ts';
import { saveAsFolder, saveAsTarGz } from '../support/incidents/save.ts';
import { TWO_NODE_STALL } from '../support/two-node-stall.ts';
import { CollectivesPage } from './pages/collectives-page.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { HOSTILE_LINE, hostileBundle, scratchFolder } from './support/bundles.ts';
import { launchCase } from './support/cases.ts';
import { type LaunchOptions, type RunningApp, resize, setTheme } from './support/launch.ts';
import { compareShot } from './support/shots.ts';
import type {} from './support/window.ts';

/** Rank 11 of 16 calls something else; two dumps did not come. */
const MISMATCH: IncidentSpec = {
  ...TWO_NODE_STALL,
  loop: {
    steps: 120,
    stepMs: 410,
    buckets: [25_557_032, 18_874_368],
    logEvery: 10,
    evaluateEvery: 50,
    checkpointEvery: 40,
  },
  timeoutS: 600,
  fault: { kind: 'op-mismatch', rank: 11, step: 81 },
  ringEntries: 200,
  missing: { dumpsOfRanks: [6, 13] },
};

let scratch: string;
let app: RunningApp;
let mismatch: string;
let large: string;
beforeAll(async () => {
  scratch = scratchFolder();
  mismatch = join(scratch, 'vit-large.tar.gz');
  large = join(scratch, 'llama.tar.gz');
  await saveAsTarGz(buildIncident(MISMATCH), mismatch);
  await saveAsTarGz(buildIncident(LARGE_EXAMPLE), large);
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function openCase(path: string, options: LaunchOptions = {}): Promise<CollectivesPage> {
  app = await launchCase(path, options);
  return new CollectivesPage(app.page, app.electron);
}
const expectShot = async (name: string): Promise<void> => {
  const { difference, tolerance } = await compareShot(app, name);
  expect(difference, name).toBeLessThan(tolerance);
};

describe('one group', () => {
  it('puts its calls in the order of time, says where no order is known, and goes back to their numbers', async () => {
    const view = await openCase(mismatch);
    await view.open();
    const numbers = await view.labels();
    await view.alignBy('time');
    await app.page.getByText(/times of \d+ ranks, each set at its first/).waitFor();
    const times = (await view.entered()).filter((time) => time !== '').map((time) => time.replace('≈ ', ''));
    expect(times.length).toBeGreaterThan(5);
    expect(times).toEqual([...times].sort());
    expect((await view.entered()).some((time) => time.startsWith('≈ '))).toBe(true);
    await view.alignBy('sequence');
    await expect.poll(() => view.labels()).toEqual(numbers);
    expect(app.errors).toEqual([]);
  });

  it('opens at the call in which ranks part, with both calls side by side', async () => {
    const view = await openCase(mismatch);
    await view.open();
    const heads = await view.heads();
    expect(heads[0]).toBe('A, 12 ranks|wait|0–5, 7–10, 12, 15');
    expect(heads.some((head) => /^\w\|rank 11\|/.test(head))).toBe(true);
    const row = await view.focusRow();
    expect(row[1]).toMatch(/^all_reduce .*waiting$/);
    expect(row.at(-1)).toMatch(/^_all_gather_base .*waiting$/);
    expect(await view.focusInSight()).toBe(true);
    const detail = await view.detail();
    expect(detail[0]).toBe('op|all_reduce|_all_gather_base|≠ differs');
    expect(detail.filter((line) => line.endsWith('≠ first'))).toHaveLength(1);
    expect(detail.find((line) => line.startsWith('entered'))).toMatch(/undecided|later|earlier/);
    expect((await view.copied()).split('\n').find((line) => line.startsWith(`${row[0]}\t`))).toMatch(
      /all_reduce.*\t.*_all_gather_base/,
    );
    expect(app.errors).toEqual([]);
  });

  it('works by the keyboard alone: move, split, merge, open the record, come back', async () => {
    const view = await openCase(mismatch);
    await view.open();
    await view.detail();
    await view.focusTable();
    await app.page.keyboard.press('[');
    await app.page.keyboard.press('[');
    expect(await view.spoken()).toMatch(/Set A: ranks 0–5.*call \d+: all_reduce .*waiting/);
    await app.page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await view.heads()).length).toBeGreaterThan(10);
    await app.page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await view.heads())[0]).toMatch(/^A, 12 ranks/);
    await view.focusTable();
    await app.page.keyboard.press('Enter');
    const evidence = new EvidencePage(app.page);
    await evidence.shown();
    await expect.poll(() => evidence.content()).toMatch(/nccl:all_reduce/);
    expect(await evidence.place()).toMatch(/^record /);
    await app.page.keyboard.press('Alt+ArrowLeft');
    await view.shown();
    expect((await view.heads())[0]).toMatch(/^A, 12 ranks/);
  });

  it('shows all calls or only what differs, and the same as a picture', async () => {
    const view = await openCase(mismatch);
    await view.open();
    const around = (await view.labels()).length;
    await view.choose('show', 'only differences');
    await expect.poll(async () => (await view.labels()).length).toBeLessThan(around);
    await view.choose('show', 'all calls');
    await expect.poll(() => view.focusInSight()).toBe(true);
    await view.focusTable();
    await app.page.keyboard.press('Home');
    await expect.poll(() => view.labels()).toContain('52');
    await app.page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => view.focusInSight()).toBe(true);
    await app.page.keyboard.press('v');
    await app.page.waitForSelector('.matrix canvas');
    await app.page.locator('.matrix-box').focus();
    await app.page.keyboard.press('ArrowDown');
    await expect
      .poll(() => app.page.locator('.matrix-foot strong').innerText())
      .toMatch(/^rank 1, call #\d+: waiting$/);
    await app.page.keyboard.press('Enter');
    await view.shown();
    expect(await view.focusInSight()).toBe(true);
  });
});

describe('the whole job', () => {
  it('tells who waits for whom, opens a group, and is reached from the overview', async () => {
    const view = await openCase(large);
    await view.open();
    const chain = await view.chain();
    expect(chain[0]).toMatch(/default_pg52 of 64 waitfor rank 43/);
    expect((await view.heads()).some((head) => /\|rank 43\|/.test(head))).toBe(true);
    expect(await view.focusRow()).toContain('never enqueued');
    const steps = await view.steps();
    expect(steps[0]).toMatch(/^rank 43\s+never enqueues default_pg #426/);
    expect(steps.at(-1)).toMatch(/^torchrun\s+ends the attempt/);
    await view.openChain(2);
    expect(await view.heads()).toHaveLength(2);
    await app.page.keyboard.press('Control+1');
    await new OverviewPage(app.page).shown();
    await app.page.getByRole('button', { name: 'Open in Collectives' }).click();
    await view.detail();
    expect((await view.focusRow())[0]).toBe('426');
    expect(app.errors).toEqual([]);
  });
});

describe('states', () => {
  it('says what to collect where nothing tells of calls', async () => {
    const view = await openCase(hostileBundle(scratchFolder()));
    await view.open();
    const text = await app.page.locator('.collectives-state').innerText();
    expect(text).toMatch(/0 recorder dumps in this bundle/);
    expect(text).toMatch(/Show the gaps/);
  });

  it('marks what only log lines tell', async () => {
    const incident = buildIncident({
      ...MISMATCH,
      missing: { dumpsOfRanks: Array.from({ length: 16 }, (_, rank) => rank) },
    });
    const folder = join(scratch, 'no-dumps');
    await saveAsFolder(incident, folder);
    const view = await openCase(folder);
    await view.open();
    expect((await view.banners()).join()).toMatch(/weaker than a dump/);
    expect((await view.heads()).join()).toMatch(/from log lines/);
    await view.detail();
    await view.focusTable();
    await app.page.keyboard.press('Enter');
    expect((await new EvidencePage(app.page).selectedLine()).text).toMatch(/last enqueued|SeqNum=/);
  });

  it('lists the calls of one dump, and names no other rank late', async () => {
    const job = sameProgram(4, times(6, call('all_reduce', 64)));
    job.programs[2]?.splice(4, Number.POSITIVE_INFINITY, 'stall');
    const view = await openCase(write('one', dumpFiles(simulate(job), {}, [1, 2, 3])));
    await view.open();
    expect((await view.banners()).join()).toMatch(/One rank's dump only/);
    expect(await app.page.locator('.collectives').innerText()).not.toMatch(/never enqueued/);
  });

  it('says that versions differ', async () => {
    const run = simulate(sameProgram(4, times(6, call('all_reduce', 64))));
    const older = dumpFiles(run, { version: '2.4' });
    const view = await openCase(
      write(
        'versions',
        dumpFiles(run).map((file, rank) => (rank === 3 ? (older[3] ?? file) : file)),
      ),
    );
    await view.open();
    expect((await view.banners()).join()).toMatch(
      /Versions differ across ranks: format 2\.9.* on 3 ranks; format 2\.4.* on 1 rank/,
    );
  });

  it('draws hostile names of groups and calls inertly', async () => {
    const name = `${HOSTILE_LINE}\u202egpj`;
    const groups = { [name]: { desc: `${name} tp`, ranks: [0, 1] }, __proto__: { desc: 'constructor', ranks: [2, 3] } };
    const step = call(`<b>bold</b>\u202e${HOSTILE_LINE}`, 8, { group: name, dtype: HOSTILE_LINE });
    const job = sameProgram(4, [...times(5, step), ...times(3, call('all_reduce', 8))], { groups });
    job.programs[1]?.splice(3, Number.POSITIVE_INFINITY, 'stall');
    const view = await openCase(write('hostile-names', dumpFiles(simulate(job))));
    await view.open();
    const drawn = app.page.locator('.collectives');
    expect(await drawn.locator('img, script, b, a').count()).toBe(0);
    const text = await drawn.innerText();
    expect(text).not.toContain('\u202e');
    expect(text).toContain('<b>bold</b>\\u202e');
    expect(await app.page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(app.errors).toEqual([]);
  });
});

describe('pictures', () => {
  it('one group and the whole job, dark and light', async () => {
    const view = await openCase(mismatch, { width: 1440, height: 900, theme: 'dark' });
    await view.open();
    await view.detail();
    await expectShot('collectives-dark');
    await app.close();
    const whole = await openCase(large, { width: 1440, height: 900, theme: 'dark' });
    await whole.open();
    await expectShot('collectives-job-dark');
    await setTheme(app.page, 'light');
    await resize(app.electron, app.page, 1024, 640);
    await expectShot('collectives-job-light-1024x640');
  });
});

function write(name: string, files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  for (const file of files) writeFileSync(join(folder, file.path), file.bytes);
  return folder;
}
