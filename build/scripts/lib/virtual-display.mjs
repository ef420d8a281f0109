/** Windows for tests open on a display of their own, never on the user's. */
import { sandboxArguments } from '../window.mjs';

/** Room for the largest window a test opens (2560 × 1440), 24 bit. */
const SCREEN = '-screen 0 2560x1440x24 -nolisten tcp';

/**
 * The command line that runs a program on a new virtual display; elsewhere than on Linux the program itself.
 * @param {string} program @param {readonly string[]} args @returns {[string, string[]]}
 */
export function onVirtualDisplay(program, args) {
  if (process.platform !== 'linux') return [program, [...args]];
  return ['xvfb-run', ['-a', '-s', SCREEN, program, ...args]];
}

/** Switches for an Electron under test: no GPU there, and no sandbox for root. @returns {string[]} */
export function testElectronArguments() {
  return [...sandboxArguments(), '--disable-gpu'];
}
