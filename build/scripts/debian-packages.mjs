/**
 * System libraries and tools that Electron, its tests and the build of SQLite need on Linux, and how to get them.
 *
 * As root with `apt-get` they are installed quietly; otherwise one line names them. What is there is found by looking for
 * the library or program itself, not for a package, so that other distributions are never asked for Debian packages they
 * do not need. Newer Debian and Ubuntu name some packages `…t64`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { capture } from './lib/child.mjs';
import { withLock } from './lib/lock.mjs';
import { RUNTIME } from './lib/paths.mjs';
import { say, UserError } from './lib/say.mjs';

/** @typedef {'window' | 'virtual-display' | 'compiler'} Need */
/** @typedef {{ library?: string, program?: string, packages: readonly string[] }} Item `packages`: the first one known to apt is taken */

/** @type {Readonly<Record<Need, readonly Item[]>>} */
const ITEMS = {
  window: [
    { library: 'libgtk-3.so.0', packages: ['libgtk-3-0t64', 'libgtk-3-0'] },
    { library: 'libnss3.so', packages: ['libnss3'] },
    { library: 'libasound.so.2', packages: ['libasound2t64', 'libasound2'] },
    { library: 'libgbm.so.1', packages: ['libgbm1'] },
    { library: 'libXss.so.1', packages: ['libxss1'] },
    { library: 'libXtst.so.6', packages: ['libxtst6'] },
    { library: 'libatk-bridge-2.0.so.0', packages: ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'] },
    { library: 'libdrm.so.2', packages: ['libdrm2'] },
  ],
  'virtual-display': [
    { program: 'Xvfb', packages: ['xvfb'] },
    { program: 'xauth', packages: ['xauth'] },
  ],
  compiler: [
    { program: 'g++', packages: ['g++'] },
    { program: 'gcc', packages: ['gcc'] },
  ],
};

/** @param {string} program @returns {boolean} */
function isOnPath(program) {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => folder !== '' && fs.existsSync(path.join(folder, program)));
}

/** @returns {Promise<string>} the loader's list of libraries; empty where it cannot be read */
async function knownLibraries() {
  for (const program of ['/sbin/ldconfig', '/usr/sbin/ldconfig', 'ldconfig']) {
    try {
      return await capture(program, ['-p']);
    } catch {
      // The next place may have it.
    }
  }
  return '';
}

/** @param {readonly Need[]} needs @returns {Promise<Item[]>} */
async function missingItems(needs) {
  const libraries = await knownLibraries();
  const isThere = (/** @type {Item} */ item) =>
    item.program === undefined ? libraries === '' || libraries.includes(`\t${item.library} `) : isOnPath(item.program);
  return needs.flatMap((need) => ITEMS[need]).filter((item) => !isThere(item));
}

/** @param {Item} item @returns {Promise<string>} */
async function packageFor(item) {
  for (const name of item.packages) {
    try {
      const policy = await capture('apt-cache', ['policy', name]);
      if (/Candidate: (?!\(none\))/.test(policy)) return name;
    } catch {
      break;
    }
  }
  return item.packages.at(-1) ?? '';
}

/** @param {readonly Item[]} items */
const oldNames = (items) => items.map((item) => item.packages.at(-1)).join(' ');

/** @param {readonly Item[]} items */
async function install(items) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=300'];
  await capture('apt-get', [...options, 'update'], { env });
  const names = [...new Set(await Promise.all(items.map(packageFor)))];
  say(`installing with apt-get: ${names.join(' ')} …`);
  await capture('apt-get', [...options, 'install', '-y', '--no-install-recommends', ...names], { env });
}

/**
 * Makes sure that what `needs` names is there. Does nothing outside Linux. May take a minute.
 * @param {readonly Need[]} needs
 * @throws {UserError} naming the packages, when they can be installed only by the user
 */
export async function ensureSystemPackages(needs) {
  if (process.platform !== 'linux' || (await missingItems(needs)).length === 0) return;
  await withLock(path.join(RUNTIME, 'packages.lock'), async () => {
    const missing = await missingItems(needs);
    if (missing.length === 0) return;
    const byHand = `sudo apt-get install ${oldNames(missing)}`;
    if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
      throw new UserError(`this needs system packages that are not installed; on Debian or Ubuntu: ${byHand}`);
    }
    try {
      await install(missing);
    } catch (error) {
      const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);
      throw new UserError(`apt-get could not install what this needs (${reason}); try: ${byHand}`);
    }
    const still = await missingItems(needs);
    if (still.length > 0) throw new UserError(`still missing after installing with apt-get: ${oldNames(still)}`);
  });
}
