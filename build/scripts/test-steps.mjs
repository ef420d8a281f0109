/**
 * `npm test`, `npm run check`: runs the checks one after the other and counts what passed.
 *
 * Each step prints one line with its time; the output of a failed one follows it in full. The last line is always
 * `N passed, N failed`. A step that should run tests and finds none has failed, and so has a skipped test: nothing is left out
 * without being seen.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureSystemPackages } from './debian-packages.mjs';
import { electronForTests } from './electron-binary.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { capture, ProgramError } from './lib/child.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';
import { elapsed, UserError } from './lib/say.mjs';
import { onVirtualDisplay, testElectronArguments } from './lib/virtual-display.mjs';
import { canHaveTestRuntime } from './test-runtime.mjs';

/**
 * @typedef {{ passed: number, failed: number, detail: string, output: string }} Outcome `output` is shown when something failed
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Step
 */

/** @param {string} name @param {...string} more @returns {string} */
const tool = (name, ...more) => inRoot('node_modules', name, ...more);
const BIOME = tool('@biomejs/biome', 'bin', 'biome');
const TSC = tool('typescript', 'bin', 'tsc');
const VITEST = tool('vitest', 'vitest.mjs');

/** Groups of tests by folder; each must have run at least one. */
const TEST_GROUPS = { unit: ['unit'], golden: ['rules', 'incidents'], integration: ['integration'], host: ['host'] };

/** What a person needs to see of a failure. @param {unknown} error @returns {string} */
function textOf(error) {
  if (error instanceof ProgramError) return error.output;
  if (error instanceof UserError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** @param {readonly string[]} args for node @returns {Promise<Outcome>} one check: passed or failed as a whole */
async function single(args) {
  try {
    await capture(process.execPath, args, { cwd: ROOT });
    return { passed: 1, failed: 0, detail: '', output: '' };
  } catch (error) {
    return { passed: 0, failed: 1, detail: '', output: textOf(error) };
  }
}

/** @param {readonly Outcome[]} outcomes @returns {Outcome} */
function together(outcomes) {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    detail: '',
    output: outcomes.map(({ output }) => output).join(''),
  };
}

/** Node before 22.18 strips types only when asked; later ones still take the switch. */
export const STRIP_TYPES = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];

export const formatAndLint = () =>
  single([BIOME, 'check', '--config-path=build', '--error-on-warnings', '--max-diagnostics=200', '.']);
export const layers = () => single([...STRIP_TYPES, inRoot('build', 'checks', 'run.ts')]);

/** One TypeScript project per side; two compilers at a time. */
export async function types() {
  const projects = fs
    .readdirSync(inRoot('build', 'ts'))
    .filter((name) => name.endsWith('.json') && name !== 'base.json');
  /** @type {Outcome[]} */
  const outcomes = [];
  const next = async () => {
    for (let name = projects.pop(); name !== undefined; name = projects.pop()) {
      outcomes.push(await single([TSC, '-p', path.join('build', 'ts', name)]));
    }
  };
  await Promise.all([next(), next()]);
  return together(outcomes);
}

/**
 * What vitest's JSON reporter says, by folder below test/. A file that could not be loaded counts as one failure.
 * @param {any} report @returns {Map<string, { passed: number, failed: number, skipped: number }>}
 */
function countByFolder(report) {
  const counts = new Map();
  for (const file of report.testResults) {
    const folder = path.relative(inRoot('test'), file.name).split(path.sep)[0] ?? '';
    const count = counts.get(folder) ?? { passed: 0, failed: 0, skipped: 0 };
    counts.set(folder, count);
    if (file.assertionResults.length === 0) count.failed += 1;
    for (const { status } of file.assertionResults) {
      if (status === 'passed') count.passed += 1;
      else if (status === 'failed') count.failed += 1;
      else count.skipped += 1;
    }
  }
  return counts;
}

/**
 * @param {any} report null if there is none @param {Readonly<Record<string, readonly string[]>>} groups
 * @param {string | null} failure output of a run that ended badly @returns {Outcome}
 */
export function outcomeOf(report, groups, failure) {
  const counts = report === null ? new Map() : countByFolder(report);
  let passed = 0;
  let failed = 0;
  const parts = [];
  const notes = [];
  for (const [group, folders] of Object.entries(groups)) {
    const of = folders.map((folder) => counts.get(folder) ?? { passed: 0, failed: 0, skipped: 0 });
    const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
      of.reduce((total, count) => total + count[key], 0);
    const ran = sum('passed') + sum('failed');
    if (ran === 0) notes.push(`${group}: no test ran\n`);
    if (sum('skipped') > 0) notes.push(`${group}: ${sum('skipped')} skipped, which counts as failed\n`);
    passed += sum('passed');
    failed += sum('failed') + sum('skipped') + (ran === 0 ? 1 : 0);
    parts.push(`${group} ${ran}`);
  }
  if (failure !== null && failed === 0) failed = 1;
  return { passed, failed, detail: parts.join(', '), output: `${failure ?? ''}${notes.join('')}` };
}

/**
 * @param {[string, readonly string[]]} command vitest with its configuration
 * @param {Readonly<Record<string, readonly string[]>>} groups @param {NodeJS.ProcessEnv} [env] @returns {Promise<Outcome>}
 */
async function runVitest([program, args], groups, env = process.env) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'firstfault-test-'));
  const file = path.join(scratch, 'report.json');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  if (!process.stdout.isTTY) reporters.push('--no-color');
  let failure = null;
  try {
    await capture(program, [...args, ...reporters], { cwd: ROOT, env });
  } catch (error) {
    failure = `${textOf(error)}\n`;
  }
  try {
    return outcomeOf(fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null, groups, failure);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

export async function tests() {
  await ensureBuild('terminal');
  return runVitest([process.execPath, [VITEST, 'run', '--config', 'build/vitest.config.ts']], TEST_GROUPS);
}

/** How window tests find what they start; `build/README.md` describes it. @returns {Promise<NodeJS.ProcessEnv>} */
export async function windowTestEnvironment() {
  await ensureSystemPackages(['window', 'virtual-display']);
  await ensureBuild('window');
  const { executable, environment } = await electronForTests();
  return {
    ...process.env,
    ...environment,
    FIRSTFAULT_TEST_ELECTRON: executable,
    FIRSTFAULT_TEST_ELECTRON_ARGS: testElectronArguments(executable).join(' '),
  };
}

/** @param {readonly string[]} [more] arguments for vitest, such as a file */
export async function windowTests(more = []) {
  const env = await windowTestEnvironment();
  const args = [VITEST, 'run', '--config', 'build/vitest.e2e.config.ts', ...more];
  return runVitest(onVirtualDisplay(process.execPath, args), { window: ['e2e'] }, env);
}

async function packageStep() {
  const self = inRoot('build', 'scripts', 'package-smoke.mjs');
  return single([self]);
}

/** @type {readonly Step[]} */
const QUICK = [
  { name: 'format and lint', run: formatAndLint },
  { name: 'layers', run: layers },
  { name: 'types', run: types },
  { name: 'tests', run: tests },
];

/** @type {readonly Step[]} */
const FULL = [
  ...QUICK,
  { name: 'window tests', run: () => windowTests() },
  { name: 'package smoke', run: packageStep },
];

/** @param {Step} step @returns {Promise<Outcome>} */
async function runStep({ name, run }) {
  const start = performance.now();
  if (process.stdout.isTTY) process.stdout.write(`${name} …\r`);
  let outcome;
  try {
    outcome = await run();
  } catch (error) {
    outcome = { passed: 0, failed: 1, detail: '', output: `${textOf(error)}\n` };
  }
  const { passed, failed, detail, output } = outcome;
  const counted = detail === '' ? '' : ` (${detail})`;
  const result = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} FAILED`;
  process.stdout.write(`${name.padEnd(18)} ${elapsed(start).padStart(8)}   ${result}${counted}\n`);
  if (failed > 0) process.stdout.write(`${output.trimEnd()}\n\n`);
  return outcome;
}

/** @param {'quick' | 'full'} which @returns {Promise<number>} exit status */
export async function runSteps(which) {
  const start = performance.now();
  const outcomes = [];
  for (const step of which === 'full' ? FULL : QUICK) outcomes.push(await runStep(step));
  if (which === 'full' && !canHaveTestRuntime())
    process.stdout.write('package smoke: on Linux x64 only, not run here\n');
  const { passed, failed } = together(outcomes);
  process.stdout.write(`\nall of it took ${elapsed(start)}\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
