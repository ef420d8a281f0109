/** `npm run demo`: the bundled example, analysed in the terminal, then shown in the window where there is a display. */
import path from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { run } from './lib/child.mjs';
import { BUNDLES, inRoot } from './lib/paths.mjs';
import { say } from './lib/say.mjs';
import { hasDisplay, openWindow } from './window.mjs';

const EXAMPLE = inRoot('build', 'resources', 'example', 'small');

/** @returns {Promise<number>} exit status */
export async function demo() {
  await ensureBuild('terminal');
  const { code } = await run(process.execPath, [path.join(BUNDLES, 'build', 'cli.cjs'), 'analyze', EXAMPLE]);
  if (code !== 0) return code;
  if (!hasDisplay()) {
    say('no display here, so no window; on a desktop "npm run demo" opens the case, and "npm start" the program.');
    return 0;
  }
  return openWindow([`--open=${EXAMPLE}`]);
}
