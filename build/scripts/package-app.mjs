/**
 * `npm run package`: Forge makes the app folder. `npm run dist`: electron-builder makes a tar.gz of that folder.
 *
 * With `test: true` both are made of the Electron of the tests, for the smoke test, into folders of their own.
 */
import fs from 'node:fs';
import path from 'node:path';
import { capture, run } from './lib/child.mjs';
import { inRoot, ROOT, RUNTIME } from './lib/paths.mjs';
import { UserError } from './lib/say.mjs';
import { ensureTestRuntime, sevenZip, TEST_DIST } from './test-runtime.mjs';

const manifest = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
/** electron-builder's default compression of this much data takes over ten minutes; the lightest takes half a minute. */
const COMPRESSION_LEVEL = '1';

/** Forge takes Electron from a zip named after the installed package, whatever is inside. */
async function makeTestZip() {
  await ensureTestRuntime();
  const name = `electron-v${manifest.devDependencies.electron}-linux-x64.zip`;
  const zip = path.join(RUNTIME, 'zip', name);
  if (fs.existsSync(zip)) return;
  fs.mkdirSync(path.dirname(zip), { recursive: true });
  const scratch = `${zip}.tmp-${process.pid}`;
  const leftOut = ['-x!resources/app', '-x!resources/native'];
  await capture(sevenZip(), ['a', '-bd', '-tzip', '-mx=0', scratch, '.', ...leftOut], { cwd: TEST_DIST });
  fs.renameSync(scratch, zip);
}

/** @param {{ test: boolean }} options @returns {string} where the packaged app is, or will be */
function packagedFolder({ test }) {
  const platform = process.platform;
  return inRoot(...(test ? ['out', 'test'] : ['out']), `Firstfault-${platform}-${process.arch}`);
}

/** @param {{ test: boolean }} options @returns {Promise<string>} the folder with the packaged app */
export async function packageApp({ test }) {
  if (test) await makeTestZip();
  const folder = packagedFolder({ test });
  fs.rmSync(folder, { recursive: true, force: true });
  const forge = inRoot('node_modules', '@electron-forge', 'cli', 'dist', 'electron-forge.js');
  const env = { ...process.env, ...(test ? { FIRSTFAULT_TEST_PACKAGE: '1' } : {}) };
  const { code } = await run(process.execPath, [forge, 'package'], { cwd: ROOT, env });
  if (code !== 0 || !fs.existsSync(folder)) {
    throw new UserError(`Electron Forge could not package the app (status ${code}); the reason stands above.`);
  }
  return folder;
}

/** @param {{ test: boolean }} options @returns {Promise<string>} the tar.gz */
export async function makeArchive({ test }) {
  if (process.platform !== 'linux') throw new UserError('"npm run dist" makes archives for Linux only, so far.');
  const prepackaged = await packageApp({ test });
  const output = inRoot('dist', ...(test ? ['test'] : []));
  const builder = inRoot('node_modules', 'electron-builder', 'cli.js');
  const args = ['--linux', 'dir', 'tar.gz', '--prepackaged', prepackaged, '--publish', 'never'];
  const config = ['--config', inRoot('build', 'electron-builder.yml'), `-c.directories.output=${output}`];
  const env = {
    ...process.env,
    ELECTRON_BUILDER_7ZIP_PATH: sevenZip(),
    ELECTRON_BUILDER_COMPRESSION_LEVEL: COMPRESSION_LEVEL,
  };
  const { code } = await run(process.execPath, [builder, ...args, ...config], { cwd: ROOT, env });
  const archive = path.join(output, `firstfault-${manifest.version}-linux-${process.arch}.tar.gz`);
  if (code !== 0 || !fs.existsSync(archive)) {
    throw new UserError(`electron-builder could not make the archive (status ${code}); the reason stands above.`);
  }
  return archive;
}
