/** Places the build reads from and writes to. All generated places are listed in .gitignore. */
import fs from 'node:fs';
import path from 'node:path';

/** The folder of package.json. */
export const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

/** @param {...string} parts @returns {string} absolute path below the project folder */
export const inRoot = (...parts) => path.join(ROOT, ...parts);

/** Bundles: `build/*.cjs` and `renderer/`. */
export const BUNDLES = inRoot('.vite');
/** The Electron that tests use, and SQLite built for it. */
export const RUNTIME = inRoot('.electron');

/**
 * npm starts scripts in the project folder; paths on the command line mean the folder the user was in.
 * @returns {string}
 */
export function userFolder() {
  const folder = process.env['INIT_CWD'];
  return process.env['npm_lifecycle_event'] && folder && fs.existsSync(folder) ? folder : process.cwd();
}
