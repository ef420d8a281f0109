/**
 * Which Electron starts the window: the one that ships if this computer has it or can get it, else the one of the tests.
 *
 * The npm package `electron` downloads nothing when it is installed; its own `install.js` fetches the binary on demand.
 */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { capture } from './lib/child.mjs';
import { inRoot } from './lib/paths.mjs';
import { say, UserError } from './lib/say.mjs';
import { canHaveTestRuntime, ensureTestRuntime } from './test-runtime.mjs';

const PACKAGE = inRoot('node_modules', 'electron');
const RELEASE_HOST = 'github.com';
/** A host that does not answer by then counts as out of reach. Chosen: ten times an ordinary connection. */
const CONNECT_TIMEOUT_MS = 3000;
/** Settings under which the download does not go to the release host directly, so that asking that host says nothing. */
const DETOURS = [
  'ELECTRON_MIRROR',
  'npm_config_electron_mirror',
  'HTTPS_PROXY',
  'https_proxy',
  'ELECTRON_GET_USE_PROXY',
];

/** @returns {string | null} the downloaded binary */
function downloadedElectron() {
  const pathFile = path.join(PACKAGE, 'path.txt');
  if (!fs.existsSync(pathFile)) return null;
  const executable = path.join(PACKAGE, 'dist', fs.readFileSync(pathFile, 'utf8'));
  return fs.existsSync(executable) ? executable : null;
}

/** @param {string} host @returns {Promise<boolean>} */
function answers(host) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: 443, timeout: CONNECT_TIMEOUT_MS });
    const settle = (/** @type {boolean} */ reachable) => {
      socket.destroy();
      resolve(reachable);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}

async function downloadElectron() {
  const direct = !DETOURS.some((name) => process.env[name]);
  if (direct && !(await answers(RELEASE_HOST))) return null;
  say('downloading Electron (once, about 120 MB) …');
  try {
    await capture(process.execPath, [path.join(PACKAGE, 'install.js')]);
  } catch {
    return null;
  }
  return downloadedElectron();
}

/**
 * @typedef {{ executable: string, environment: Readonly<Record<string, string>> }} Start an Electron that can start the app,
 *   and what its environment must hold besides
 */

/**
 * @returns {Promise<Start>}
 * @throws {UserError} when there is none
 */
export async function electronForWindow() {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    return {
      executable: path.join(override, process.platform === 'win32' ? 'electron.exe' : 'electron'),
      environment: {},
    };
  }
  const ordinary = downloadedElectron() ?? (await downloadElectron());
  if (ordinary !== null) return { executable: ordinary, environment: {} };
  if (!canHaveTestRuntime()) {
    throw new UserError(
      'Electron could not be downloaded; check the network, or set ELECTRON_MIRROR to a mirror of its releases.',
    );
  }
  say('Electron itself could not be downloaded; using the older Electron that the tests run in.');
  return testElectron();
}

/** @returns {Promise<Start>} */
async function testElectron() {
  const { executable, sqliteBinding } = await ensureTestRuntime();
  return { executable, environment: { FIRSTFAULT_SQLITE_BINDING: sqliteBinding } };
}

/** Always the same one on Linux x64, whatever has been downloaded; the ordinary one elsewhere. @returns {Promise<Start>} */
export function electronForTests() {
  return canHaveTestRuntime() ? testElectron() : electronForWindow();
}
