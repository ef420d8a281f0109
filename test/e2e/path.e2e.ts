import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { EvidencePage } from './pages/evidence-page.ts';
import { ImportPage } from './pages/import-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { EXAMPLE, scratchFolder, tarOf } from './support/bundles.ts';
import { launch, type RunningApp } from './support/launch.ts';
import type {} from './support/window.ts';

let scratch: string;
let app: RunningApp;
beforeAll(() => {
  scratch = scratchFolder();
});
afterEach(() => app.close());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('from a bundle to its evidence', () => {
  it('drops an archive, reads the verdict, opens a line, comes back, closes and reopens', async () => {
    app = await launch({ width: 1024, height: 640 });
    const { page } = app;
    const cases = new CasesPage(page, app.electron);
    const overview = new OverviewPage(page);
    const evidence = new EvidencePage(page);
    expect(await cases.isFirstRun()).toBe(true);

    await cases.drop(tarOf(EXAMPLE, scratch, 'incident.tar.gz'));
    await overview.shown();
    expect(await overview.chip()).toBe('Rank 1');
    expect(await overview.status()).toMatch(/Established|Supported/);
    expect(await overview.section('Other findings')).toMatch(/Ruled out\s+rank 2\s+torchrun/);

    await overview.scrollTo(80);
    await overview.openBytes('Because', 0);
    const line = await evidence.selectedLine();
    expect(line.inSight).toBe(true);
    expect(line.text).toMatch(/\[rank1\]/);
    expect(await evidence.place()).toMatch(new RegExp(`^line ${line.number} of `));

    await page.keyboard.press('Alt+ArrowLeft');
    await overview.shown();
    await expect.poll(() => overview.scrollTop()).toBe(80);

    await page.keyboard.press('Control+W');
    const rows = await cases.rows();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/rank 1/);
    const start = performance.now();
    await cases.open(/./);
    await overview.shown();
    expect(performance.now() - start).toBeLessThan(1000);
    expect(app.errors).toEqual([]);
  });

  it('reopens a kept case in a new start within a second of its click', async () => {
    const home = scratchFolder();
    app = await launch({ home });
    await new CasesPage(app.page, app.electron).openExample();
    await new OverviewPage(app.page).shown();
    await app.close();

    app = await launch({ home });
    const cases = new CasesPage(app.page, app.electron);
    expect((await cases.rows())[0]).toMatch(/example/);
    const start = performance.now();
    await cases.open(/./);
    await new OverviewPage(app.page).shown();
    expect(performance.now() - start).toBeLessThan(1000);
    const id = await app.page.evaluate(() =>
      window.firstfault.request('case.list', {}).then((answer) => (answer.ok ? answer.value.cases[0]?.caseId : '')),
    );
    await app.close();

    app = await launch({ home, args: [`--case=${id}`] });
    await new OverviewPage(app.page).shown();
    expect(await new OverviewPage(app.page).chip()).toBe('Rank 1');
    rmSync(home, { recursive: true, force: true });
  });

  it('opens a folder by the dialog, and does nothing when the user closes it', async () => {
    app = await launch();
    const cases = new CasesPage(app.page, app.electron);
    expect(await cases.isFirstRun()).toBe(true);
    await cases.answerDialog(null);
    await cases.openByKey();
    await app.page.waitForTimeout(200);
    expect(await cases.isFirstRun()).toBe(true);
    await cases.answerDialog([EXAMPLE]);
    await cases.openByKey();
    await new OverviewPage(app.page).shown();
  });

  it('imports what the command line names, and a second start hands its bundle over', async () => {
    app = await launch({ args: [`--open=${EXAMPLE}`] });
    await new OverviewPage(app.page).shown();
    await app.electron.evaluate(
      ({ app: main }, path) => main.emit('second-instance', {}, ['electron', `--open=${path}`], '/'),
      EXAMPLE,
    );
    // The same folder: known, and asked about.
    await new ImportPage(app.page).press('Import again');
    await expect
      .poll(
        () =>
          app.page.evaluate(() =>
            window.firstfault.request('case.list', {}).then((answer) => (answer.ok ? answer.value.cases.length : 0)),
          ),
        // A whole import, on whatever machine runs the tests: not a measure of time.
        { timeout: 15_000 },
      )
      .toBe(2);
    await new OverviewPage(app.page).shown();
  });
});
