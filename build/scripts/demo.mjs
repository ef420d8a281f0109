/** `npm run demo`: the bundled example, analysed in the terminal, then shown in the window where there is a display. */
import fs from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { run } from './lib/child.mjs';
import { BUNDLES, inRoot } from './lib/paths.mjs';
import { say } from './lib/say.mjs';
import { hasDisplay, openWindow } from './window.mjs';

const EXAMPLE = inRoot('build', 'resources', 'example', 'small');
/** The case the terminal makes and the window shows; made anew each time, and not one of the user's own. */
const CASE = inRoot('out', 'demo', 'example.db');

/** @returns {Promise<number>} exit status */
export async function demo() {
  await ensureBuild('terminal');
  fs.mkdirSync(path.dirname(CASE), { recursive: true });
  const program = path.join(BUNDLES, 'build', 'cli.cjs');
  const { code } = await run(process.execPath, [program, 'analyze', EXAMPLE, '--case', CASE]);
  if (code !== 0) return code;
  if (!hasDisplay()) {
    say('no display here, so no window; on a desktop "npm run demo" opens the case, and "npm start" the program.');
    return 0;
  }
  return openWindow([`--case=${CASE}`]);
}
