/** Windows for tests open on a display of their own, never on the user's. */
import { testSandboxArguments } from '../sandbox.mjs';

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

/** Switches for an Electron under test; there is no GPU. @param {string} executable @returns {string[]} */
export function testElectronArguments(executable) {
  return [...testSandboxArguments(executable), '--disable-gpu'];
}
