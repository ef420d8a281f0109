/** `npm start`: builds what changed, finds an Electron and opens the window. */
import { ensureSystemPackages } from './debian-packages.mjs';
import { electronForWindow } from './electron-binary.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { run } from './lib/child.mjs';
import { ROOT, userFolder } from './lib/paths.mjs';
import { UserError } from './lib/say.mjs';
import { sandboxArguments, sandboxObstacle } from './sandbox.mjs';

/** macOS and Windows always have one; on Linux it may be X11 or Wayland. @returns {boolean} */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/**
 * Opens the window and waits until it is closed.
 * @param {readonly string[]} args for the app @returns {Promise<number>} its exit status
 */
export async function openWindow(args) {
  if (!hasDisplay()) {
    throw new UserError(
      'there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set); "npm run analyze" works without one.',
    );
  }
  await ensureSystemPackages(['window']);
  await ensureBuild('window');
  const { executable, environment } = await electronForWindow();
  const obstacle = sandboxObstacle(executable);
  if (obstacle !== null) throw new UserError(obstacle);
  const { code } = await run(executable, [...sandboxArguments(), ROOT, ...args], {
    cwd: userFolder(),
    env: { ...process.env, ...environment },
  });
  return code;
}
