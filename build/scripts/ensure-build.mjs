/**
 * Builds what is about to be started, if its sources changed since the last time.
 *
 *   ensureBuild('terminal')   cli, engine                       → .vite/build/*.cjs
 *   ensureBuild('window')     main, preload, engine, renderer   → .vite/build/*.cjs, .vite/renderer/
 *
 * "Changed" is a stamp over path, size and modification time of every source file of a target; reading it takes some
 * milliseconds. Building happens in a process of its own, so that the program that is started afterwards in this one
 * finds it clean. Nothing is ever written to standard output.
 *
 * Safe with other runs at the same time: built into a folder of this process, put in place file by file by rename.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from './lib/child.mjs';
import { withLock } from './lib/lock.mjs';
import { BUNDLES, inRoot, ROOT } from './lib/paths.mjs';
import { elapsed, sayToPerson, UserError } from './lib/say.mjs';

/**
 * @typedef {'main' | 'preload' | 'engine' | 'cli' | 'renderer'} Target
 * @typedef {'terminal' | 'window' | 'all'} Group
 */

/** @type {Readonly<Record<Group, readonly Target[]>>} */
const GROUPS = {
  terminal: ['cli', 'engine'],
  window: ['main', 'preload', 'engine', 'renderer'],
  all: ['cli', 'engine', 'main', 'preload', 'renderer'],
};

/** Changes in these concern every target. */
const COMMON_SOURCES = ['shared', 'build/vite', 'package.json', 'package-lock.json'];

/** @type {Readonly<Record<Target, { entry: string, sources: readonly string[], output: string }>>} */
const TARGETS = {
  main: { entry: 'electron/main/main.ts', sources: ['electron/main'], output: 'build/main.cjs' },
  preload: { entry: 'electron/preload/preload.ts', sources: ['electron/preload'], output: 'build/preload.cjs' },
  engine: { entry: 'electron/engine/engine-process.ts', sources: ['electron/engine'], output: 'build/engine.cjs' },
  cli: { entry: 'electron/cli/cli.ts', sources: ['electron/cli', 'electron/engine'], output: 'build/cli.cjs' },
  renderer: { entry: 'renderer/main.tsx', sources: ['renderer'], output: 'renderer/index.html' },
};

/** @param {string} relative @param {string[]} into appends `path size mtime` lines, depth first, sorted by name */
function describe(relative, into) {
  const absolute = inRoot(relative);
  const stat = fs.statSync(absolute, { throwIfNoEntry: false });
  if (stat === undefined) {
    into.push(`${relative} absent`);
  } else if (stat.isDirectory()) {
    for (const name of fs.readdirSync(absolute).sort()) describe(`${relative}/${name}`, into);
  } else if (!relative.endsWith('.md')) {
    into.push(`${relative} ${stat.size} ${stat.mtimeMs}`);
  }
}

/** @param {Target} target @returns {string} */
function stampOf(target) {
  /** @type {string[]} */
  const lines = [];
  for (const source of [...COMMON_SOURCES, ...TARGETS[target].sources]) describe(source, lines);
  return crypto.createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** @param {Target} target */
const stampFile = (target) => path.join(BUNDLES, 'stamps', target);

/** @param {Target} target */
function isFresh(target) {
  if (!fs.existsSync(path.join(BUNDLES, TARGETS[target].output))) return false;
  try {
    return fs.readFileSync(stampFile(target), 'utf8') === stampOf(target);
  } catch {
    return false;
  }
}

/**
 * Moves all files of `from` over `to`, each by one rename; `last` after all others because it names them.
 * Files in `to` that the new build does not have are removed at the end.
 * @param {string} from @param {string} to @param {string} last
 */
function putInPlace(from, to, last) {
  const names = fs.readdirSync(from, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.statSync(path.join(from, name)).isFile());
  files.sort((a, b) => Number(a === last) - Number(b === last) || (a < b ? -1 : 1));
  for (const name of files) {
    fs.mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    fs.renameSync(path.join(from, name), path.join(to, name));
  }
  return new Set(files);
}

/** @param {string} folder @param {ReadonlySet<string>} keep */
function removeOthers(folder, keep) {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (!keep.has(name) && fs.statSync(file, { throwIfNoEntry: false })?.isFile()) fs.rmSync(file, { force: true });
  }
}

/** @param {Target} target */
async function buildTarget(target) {
  const { entry } = TARGETS[target];
  if (!fs.existsSync(inRoot(entry))) throw new UserError(`cannot build "${target}": ${entry} does not exist.`);
  // Read before building: a file saved meanwhile makes the stamp differ, and the next start builds again.
  const stamp = stampOf(target);
  const scratch = path.join(BUNDLES, `tmp-${process.pid}-${target}`);
  try {
    const { build } = await import('vite');
    await build({
      configFile: inRoot('build', 'vite', `${target}.config.ts`),
      logLevel: 'error',
      build: { outDir: scratch, emptyOutDir: true },
    });
    if (target === 'renderer') {
      const folder = path.join(BUNDLES, 'renderer');
      removeOthers(folder, putInPlace(scratch, folder, 'index.html'));
    } else {
      putInPlace(scratch, path.join(BUNDLES, 'build'), `${target}.cjs`);
    }
    fs.mkdirSync(path.dirname(stampFile(target)), { recursive: true });
    fs.writeFileSync(stampFile(target), stamp);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the building process does. @param {Group} group */
async function buildStale(group) {
  await withLock(path.join(BUNDLES, 'lock'), async () => {
    await Promise.all(GROUPS[group].filter((target) => !isFresh(target)).map(buildTarget));
  });
}

/** @param {Group} group */
export async function ensureBuild(group) {
  if (GROUPS[group].every(isFresh)) return;
  const start = performance.now();
  sayToPerson('building the program (first start or changed sources) …');
  const self = import.meta.filename;
  const { code } = await run(process.execPath, [self, group], {
    cwd: ROOT,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (code > 128) process.exit(code);
  if (code !== 0) throw new UserError('the program could not be built; the reason stands above.');
  sayToPerson(`built in ${elapsed(start)}`);
}

if (process.argv[1] === import.meta.filename) {
  try {
    await buildStale(/** @type {Group} */ (process.argv[2] ?? 'all'));
  } catch (error) {
    process.stderr.write(
      `${error instanceof UserError ? error.message : (error instanceof Error && error.stack) || error}\n`,
    );
    process.exitCode = 1;
  }
}
