/** The npm scripts by name. Each is loaded only when asked for, so that `analyze` starts quickly. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild } from './ensure-build.mjs';
import { run as runProgram } from './lib/child.mjs';
import { BUNDLES, inRoot, ROOT, userFolder } from './lib/paths.mjs';
import { say, UserError } from './lib/say.mjs';

const BIOME = '@biomejs/biome/bin/biome';
/** The same signal again within this time is the same key press. A person needs longer for a second one. Chosen, not measured. */
const SAME_SIGNAL_MS = 300;

/** @typedef {(args: readonly string[]) => Promise<number | undefined>} Command returns the exit status; undefined leaves it alone */

/**
 * Runs the terminal program inside this process: no second Node to start, and signals reach it directly.
 * @param {readonly string[]} args
 */
async function analyze(args) {
  await ensureBuild('terminal');
  process.chdir(userFolder());
  foldRepeatedSignals();
  const program = path.join(BUNDLES, 'build', 'cli.cjs');
  process.argv = [process.execPath, program, 'analyze', ...args];
  await import(pathToFileURL(program).href);
  return undefined;
}

/**
 * In a terminal one Ctrl+C arrives twice: once for the whole process group, once more from npm. The program must see one,
 * because it takes a second one as "end at once".
 */
function foldRepeatedSignals() {
  /** @type {(...args: any[]) => boolean} */
  const emit = process.emit;
  let lastMs = Number.NEGATIVE_INFINITY;
  /** @param {any[]} args */
  const emitOnce = (...args) => {
    if (args[0] === 'SIGINT' || args[0] === 'SIGTERM') {
      const sinceMs = performance.now() - lastMs;
      lastMs = performance.now();
      if (sinceMs < SAME_SIGNAL_MS) return true;
    }
    return emit.apply(process, args);
  };
  Object.assign(process, { emit: emitOnce });
}

/** @param {string} tool path below node_modules @param {readonly string[]} args */
async function runTool(tool, args) {
  return (await runProgram(process.execPath, [inRoot('node_modules', tool), ...args], { cwd: ROOT })).code;
}

/** @param {string} script from the project folder @param {readonly string[]} [args] @param {readonly string[]} [flags] of Node */
async function runTypeScript(script, args = [], flags = []) {
  const { STRIP_TYPES } = await steps();
  return (await runProgram(process.execPath, [...STRIP_TYPES, ...flags, inRoot(script), ...args], { cwd: ROOT })).code;
}

/** @param {import('./test-steps.mjs').Outcome} outcome */
function report({ passed, failed, output }) {
  if (output !== '') process.stdout.write(`${output.trimEnd()}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

const steps = () => import('./test-steps.mjs');

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = {
  analyze,
  start: async (args) => (await import('./window.mjs')).openWindow(args),
  demo: async () => (await import('./demo.mjs')).demo(),
  build: async () => {
    await ensureBuild('all');
    return 0;
  },
  test: async () => (await steps()).runSteps('full'),
  check: async () => (await steps()).runSteps('quick'),
  'check:full': async () => (await steps()).runSteps('full'),
  'test:unit': async (args) => {
    await ensureBuild('terminal');
    return runTool('vitest/vitest.mjs', ['run', '--config', 'build/vitest.config.ts', ...args]);
  },
  e2e: async (args) => report(await (await steps()).windowTests(args)),
  format: (args) => runTool(BIOME, ['check', '--write', '--config-path=build', ...(args.length > 0 ? args : ['.'])]),
  lint: async () => report(await (await steps()).formatAndLint()),
  layers: async () => report(await (await steps()).layers()),
  typecheck: async () => report(await (await steps()).types()),
  package: async () => {
    say(`packaged into ${await (await import('./package-app.mjs')).packageApp({ test: false })}`);
    return 0;
  },
  'package:smoke': async () => {
    await (await import('./package-smoke.mjs')).packageSmoke();
    return 0;
  },
  dist: async () => {
    say(`made ${await (await import('./package-app.mjs')).makeArchive({ test: false })}`);
    return 0;
  },
  examples: () => runTypeScript('build/scripts/make-examples.ts'),
  bench: async (args) => {
    await ensureBuild('terminal');
    return runTypeScript('test/perf/import-bench.ts', args);
  },
  'bench:recorder': (args) => runTypeScript('test/perf/recorder-bench.ts', args),
  'bench:search': async (args) => {
    await ensureBuild('terminal');
    return runTypeScript('test/perf/search-bench.ts', args);
  },
  'bench:window': async (args) => {
    await ensureBuild('all');
    return runTypeScript('test/perf/window-budgets.ts', args);
  },
  'bench:leak': (args) => runTypeScript('test/perf/import-leak.ts', args),
  'bench:clocks': (args) => runTypeScript('test/perf/clocks.ts', args, ['--expose-gc']),
  'report-schema': () => runTypeScript('build/scripts/make-report-schema.ts'),
  'line-scanner': () => runTypeScript('build/scripts/make-line-scanner.ts'),
  'test-runtime': async () => {
    say(`the Electron of the tests: ${(await (await import('./test-runtime.mjs')).ensureTestRuntime()).executable}`);
    return 0;
  },
};

/** @param {readonly string[]} argv command name, then its arguments */
export async function run(argv) {
  const [name = '', ...args] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (command === undefined) {
      throw new UserError(`unknown command "${name}"; there are: ${Object.keys(COMMANDS).join(', ')}.`);
    }
    const status = await command(args);
    if (status !== undefined) process.exitCode = status;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
