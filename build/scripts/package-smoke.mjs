/**
 * Proves that what is packaged works: makes the archive (of the Electron of the tests), unpacks it somewhere else, looks at
 * its fuses and contents, starts it, and lets it analyse the example inside it.
 *
 * A release has no inspector to drive it by, so the package drives itself (`--smoke-analyze`) and prints one line of JSON.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureSystemPackages } from './debian-packages.mjs';
import { capture } from './lib/child.mjs';
import { ROOT } from './lib/paths.mjs';
import { elapsed, say, UserError } from './lib/say.mjs';
import { onVirtualDisplay, testElectronArguments } from './lib/virtual-display.mjs';
import { makeArchive } from './package-app.mjs';

const START_TIMEOUT_MS = 120_000;

/** @param {boolean} holds @param {string} otherwise */
function expect(holds, otherwise) {
  if (!holds) throw new UserError(`package smoke: ${otherwise}`);
}

/** @param {string} executable */
async function checkFuses(executable) {
  const { FuseState, FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses');
  const wire = await getCurrentFuseWire(executable);
  /** @type {readonly (keyof typeof FuseV1Options)[]} */
  const off = [
    'RunAsNode',
    'EnableNodeOptionsEnvironmentVariable',
    'EnableNodeCliInspectArguments',
    'GrantFileProtocolExtraPrivileges',
  ];
  /** @type {readonly (keyof typeof FuseV1Options)[]} */
  const on = ['EnableCookieEncryption', 'OnlyLoadAppFromAsar', 'EnableEmbeddedAsarIntegrityValidation'];
  for (const name of off) expect(wire[FuseV1Options[name]] === FuseState.DISABLE, `fuse ${name} is not off`);
  for (const name of on) expect(wire[FuseV1Options[name]] === FuseState.ENABLE, `fuse ${name} is not on`);
}

/** @param {string} app */
function checkContents(app) {
  const resources = fs.readdirSync(path.join(app, 'resources')).sort();
  expect(resources.join(' ') === 'LICENSE app.asar example native', `unexpected resources: ${resources.join(' ')}`);
  const asar = fs.readFileSync(path.join(app, 'resources', 'app.asar'));
  expect(!asar.includes(ROOT), 'the app names the folder it was built in');
}

/**
 * @param {string} app folder with the executable @param {string} bundle @param {string} home scratch folder for all it writes
 * @returns {Promise<{ result: Record<string, unknown>, output: string }>}
 */
async function analyzeInPackage(app, bundle, home) {
  const executable = path.join(app, 'firstfault');
  const [program, args] = onVirtualDisplay(executable, [
    ...testElectronArguments(executable),
    `--smoke-analyze=${bundle}`,
  ]);
  const env = {
    ...process.env,
    FIRSTFAULT_HOME: path.join(home, 'data'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    // Node-API of the Electron of the tests is below what the program asks of a file it found by itself.
    FIRSTFAULT_SQLITE_BINDING: path.join(app, 'resources', 'native', 'better_sqlite3.node'),
  };
  const output = await capture(program, args, { env, cwd: home, timeout: START_TIMEOUT_MS, killSignal: 'SIGKILL' });
  const line = output.split('\n').find((candidate) => candidate.startsWith('{"smoke"'));
  if (line === undefined) throw new UserError(`package smoke: no result in its output:\n${output.slice(-2000)}`);
  return { result: JSON.parse(line), output };
}

/** Above what threads are started for: 4 MB of a compressed file, 4 MB of text, a dozen dumps. */
const LOG_BYTES = 48 * 1024 * 1024;
const DUMPS = ['gpu_error_1st', 'lock_gil_1st'];

/**
 * A compressed tar of recorder dumps and one large log whose numbers hardly pack.
 * @param {string} folder scratch
 */
async function makeLargeBundle(folder) {
  const source = path.join(folder, 'large');
  fs.mkdirSync(source);
  for (const name of DUMPS)
    fs.cpSync(path.join(ROOT, 'test', 'fixtures', 'dumps', name), path.join(source, name), { recursive: true });
  const log = fs.openSync(path.join(source, 'rank-0.log'), 'w');
  let state = 1;
  for (let bytes = 0; bytes < LOG_BYTES; ) {
    let piece = '';
    while (piece.length < 1_000_000) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      piece += `2026-03-14T09:00:00.000000000Z [rank0]: INFO loader: item ${state} of ${Math.imul(state, 77) >>> 0}\n`;
    }
    bytes += fs.writeSync(log, piece);
  }
  fs.closeSync(log);
  const bundle = path.join(folder, 'large.tar.gz');
  await capture('tar', ['-czf', bundle, '-C', folder, 'large']);
  return bundle;
}

/** @param {string} output of the packaged app */
function threadsOf(output) {
  const dumps = Number(/import: (\d+) recorder dumps decoded in threads/.exec(output)?.[1] ?? 0);
  const found = /import: (\d+) bytes unpacked and (\d+) blocks packed in threads/.exec(output);
  return { dumps, unpackedBytes: Number(found?.[1] ?? 0), blocks: Number(found?.[2] ?? 0) };
}

/** Decoding, decompressing and packing threads run inside the package, too. @param {string} app @param {string} scratch */
async function checkThreads(app, scratch) {
  const bundle = await makeLargeBundle(scratch);
  const { result, output } = await analyzeInPackage(app, bundle, scratch);
  expect(result['smoke'] === 'ok', `the large bundle: ${JSON.stringify(result)}`);
  const threads = threadsOf(output);
  const areBusy = threads.dumps > 0 && threads.unpackedBytes > LOG_BYTES && threads.blocks > 100;
  expect(areBusy, `its threads did too little: ${JSON.stringify(threads)}`);
  say(`threads in the package: ${JSON.stringify(threads)}`);
}

/** Throws when anything is not as it should be. */
export async function packageSmoke() {
  await ensureSystemPackages(['window', 'virtual-display']);
  const archive = await makeArchive({ test: true });
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'firstfault-package-'));
  try {
    await capture('tar', ['-xzf', archive, '-C', scratch]);
    const [folder = ''] = fs.readdirSync(scratch);
    const app = path.join(scratch, folder);
    checkContents(app);
    await checkFuses(path.join(app, 'firstfault'));
    const example = path.join(app, 'resources', 'example');
    const truth = JSON.parse(fs.readFileSync(path.join(example, 'small.expected.json'), 'utf8'));
    const start = performance.now();
    const { result } = await analyzeInPackage(app, path.join(example, 'small'), scratch);
    const got = JSON.stringify([result['smoke'], result['outcome'], result['firstRanks']]);
    const wanted = JSON.stringify(['ok', truth.outcome, truth.firstRanks]);
    expect(got === wanted, `it answered ${got}, expected ${wanted}`);
    say(`the package starts and is right about the example: ${JSON.stringify(result)} (${elapsed(start)})`);
    await checkThreads(app, scratch);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    await packageSmoke();
  } catch (error) {
    process.stderr.write(
      `${error instanceof UserError ? error.message : (error instanceof Error && error.stack) || error}\n`,
    );
    process.exitCode = 1;
  }
}
