/**
 * Reviewed pictures of the screens, kept small. A test compares what it sees with them in blocks, with tolerance: fonts are
 * bundled, but how their edges are drawn differs from machine to machine.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RunningApp } from './launch.ts';

const FOLDER = resolve(import.meta.dirname, '..', 'shots');
const WIDTH = 480;
/** Mean difference of a channel (0 to 255) in the worst of 16 × 10 blocks. Chosen: a moved section gives 20 and more, other edges below 4. */
const TOLERANCE = 9;

export interface ShotResult {
  /** Worst block; 0 if the picture was just made. */
  readonly difference: number;
  readonly tolerance: number;
}

/** With `UPDATE_SHOTS=1` the picture is written, to be looked at; else compared. A missing one is a failure. */
export async function compareShot(app: RunningApp, name: string, width = WIDTH): Promise<ShotResult> {
  await app.page.mouse.move(2, 2);
  await app.page.evaluate(() => document.fonts.ready.then(() => undefined));
  const seen = await stillPicture(app);
  const file = join(FOLDER, `${name}.png`);
  keepFull(name, seen);
  if (process.env['UPDATE_SHOTS'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(await shrink(app, seen, width), 'base64'));
    return { difference: 0, tolerance: TOLERANCE };
  }
  if (!existsSync(file)) throw new Error(`no reviewed picture ${file}; make it with UPDATE_SHOTS=1 and look at it`);
  return {
    difference: await worstBlock(app, seen, readFileSync(file).toString('base64'), width),
    tolerance: TOLERANCE,
  };
}

/** Pictures are taken so far apart, and so many at the most: what moves by itself is compared as it is then. */
const LOOK_EVERY_MS = 150;
const MAX_LOOKS = 20;

/** Canvases draw after their answers came: the page is still when nothing loads and two pictures in a row are the same. */
async function stillPicture(app: RunningApp): Promise<string> {
  let before = '';
  for (let look = 0; look < MAX_LOOKS; look++) {
    const loads = await app.page.evaluate(() => document.querySelector('.skeleton, .refreshing') !== null);
    const seen = (await app.page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
    if (!loads && seen === before) break;
    before = seen;
    await app.page.waitForTimeout(LOOK_EVERY_MS);
  }
  return before;
}

/** `FULL_SHOTS=FOLDER` also keeps each picture as the window drew it: a small one hides what is poor. */
function keepFull(name: string, png: string): void {
  const folder = process.env['FULL_SHOTS'];
  if (folder === undefined) return;
  const file = resolve(folder, `${name}.png`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(png, 'base64'));
}

/** Electron has the decoder that Node lacks. */
function shrink(app: RunningApp, png: string, width: number): Promise<string> {
  return app.electron.evaluate(
    ({ nativeImage }, [image, width]) =>
      nativeImage
        .createFromBuffer(Buffer.from(image, 'base64'))
        .resize({ width, quality: 'best' })
        .toPNG()
        .toString('base64'),
    [png, width] as const,
  );
}

function worstBlock(app: RunningApp, seen: string, kept: string, width: number): Promise<number> {
  return app.electron.evaluate(
    ({ nativeImage }, [a, b, width]) => {
      const one = nativeImage.createFromBuffer(Buffer.from(a, 'base64')).resize({ width, quality: 'best' });
      const two = nativeImage.createFromBuffer(Buffer.from(b, 'base64'));
      const size = one.getSize();
      if (size.width !== two.getSize().width || size.height !== two.getSize().height) return 255;
      const [x, y] = [one.toBitmap(), two.toBitmap()];
      const [columns, rows] = [16, 10];
      const sums = new Float64Array(columns * rows);
      const counts = new Float64Array(columns * rows);
      for (let i = 0; i < x.length; i++) {
        const pixel = i >> 2;
        const column = Math.floor(((pixel % size.width) / size.width) * columns);
        const row = Math.floor((Math.floor(pixel / size.width) / size.height) * rows);
        sums[row * columns + column] = (sums[row * columns + column] ?? 0) + Math.abs((x[i] ?? 0) - (y[i] ?? 0));
        counts[row * columns + column] = (counts[row * columns + column] ?? 0) + 1;
      }
      return Math.max(...sums.map((sum, i) => sum / (counts[i] ?? 1)));
    },
    [seen, kept, width] as const,
  );
}
