/** Entry of the desktop app: reads command line and environment, wires the parts together, and holds nothing else. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { app, type BrowserWindow, dialog, MessageChannelMain, Notification, session, utilityProcess } from 'electron';
import type { CaseId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import type { AppInfo, Opened } from '#shared/rpc/bridge.ts';
import { WINDOW_CHANNELS } from '#shared/rpc/window-channels.ts';
import { registerAppScheme, serveApp } from './app-protocol.ts';
import { diagnostics, noteProblem } from './diagnostics.ts';
import { chooseBundle, tellCannotOpen } from './dialogs.ts';
import { createEngineLink, type EngineChild, type EngineLink } from './engine-link.ts';
import { caseFromFlag, isCaseFileName, parseFlags, pathArguments } from './flags.ts';
import { createInterruptedJobs } from './interrupted-jobs.ts';
import { handleWindowRequests } from './ipc.ts';
import { createJobSignals } from './job-signals.ts';
import { installMenu } from './menu.ts';
import { forbidNetwork } from './network-guard.ts';
import { saveReport } from './report-export.ts';
import { loadSettings, saveSettings } from './settings-file.ts';
import { runSmoke } from './smoke.ts';
import { openWindow } from './window.ts';
import { type FirstView, NOTHING_FIRST, Windows } from './windows.ts';

const flags = parseFlags(process.argv.slice(1), (path) => resolve(process.cwd(), path));
const home = homeFolder();
app.setPath('userData', join(home, 'window'));
// Root has no sandbox to give: then only `--no-sandbox` starts at all, and asking for both ends the process.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
registerAppScheme();
forbidNetwork();

const windows = new Windows();
/** Files that macOS hands over before the app is ready. */
let filesBeforeStart: string[] = [];
let engine: EngineLink<Electron.MessagePortMain> | null = null;

if (flags.smokeAnalyze !== null) void app.whenReady().then(() => smoke(flags.smokeAnalyze ?? ''));
else if (app.requestSingleInstanceLock()) void app.whenReady().then(start);
else app.quit();

/** Everything the app keeps: cases, and the window's own state. A smoke test keeps nothing of the user's. */
function homeFolder(): string {
  const chosen = process.env['FIRSTFAULT_HOME'];
  if (chosen) return resolve(chosen);
  if (flags.smokeAnalyze !== null) return mkdtempSync(join(tmpdir(), 'firstfault-smoke-'));
  return app.getPath('userData');
}

function start(): void {
  serveApp(session.defaultSession, join(app.getAppPath(), '.vite', 'renderer'));
  const started = startEngine();
  engine = started;
  handleWindowRequests({
    chooseBundle,
    importPaths,
    connectEngine,
    appInfo,
    openWindow: (caseId) => showWindow({ openCase: caseId, bundles: [] }),
    saveSettings,
    loadSettings,
    saveReport: (window, request) => saveReport(window, request, started),
    diagnostics: () => diagnostics(home),
  });
  installMenu(
    () => windows.front(),
    () => showWindow(NOTHING_FIRST),
  );
  const given = app.isPackaged ? pathArguments(process.argv.slice(1), (path) => resolve(process.cwd(), path)) : [];
  showWindow({ openCase: flags.openCase, bundles: [...flags.openBundles, ...given, ...filesBeforeStart] });
  filesBeforeStart = [];
  app.on('second-instance', (_event, argv, workingFolder) => onSecondInstance(argv, workingFolder));
  app.on('activate', () => {
    if (windows.all().length === 0) showWindow(NOTHING_FIRST);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('will-quit', () => engine?.stop());
}

function showWindow(first: FirstView): void {
  const preload = join(app.getAppPath(), '.vite', 'build', 'preload.cjs');
  const window = openWindow({ preload, stateFolder: home, beside: windows.front() });
  windows.add(window, first);
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    noteProblem(`window: ${reason}`);
    if (!window.isDestroyed()) window.reload();
  });
}

function startEngine(): EngineLink<Electron.MessagePortMain> {
  return createEngineLink<Electron.MessagePortMain>({
    now: () => performance.now(),
    start: (): EngineChild<Electron.MessagePortMain> =>
      utilityProcess.fork(join(app.getAppPath(), '.vite', 'build', 'engine.cjs'), [`--home=${home}`], {
        serviceName: 'Firstfault engine',
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    onState: (state) => {
      if (state !== 'running') noteProblem(`engine: ${state}`);
      windows.send(WINDOW_CHANNELS.engineState, state);
      if (state !== 'running') return;
      for (const window of windows.all()) connectEngine(window);
      void takeUpImports();
    },
    onTopic: (topic, value) => {
      // The engine is typed by the same contract: the value of this topic is a job's state.
      if (topic === 'job.changed') signalJob(value as JobState);
    },
  });
}

const jobSignals = createJobSignals();
const interruptedJobs = createInterruptedJobs();

/** The engine ended in the midst of imports: its successor goes on with them. */
async function takeUpImports(): Promise<void> {
  for (const { jobId, wasPaused } of interruptedJobs.take()) {
    const answer = await engine?.request('job.take-up', { jobId });
    if (answer?.ok && wasPaused) await engine?.request('job.pause', { jobId, paused: true });
  }
}

function signalJob(state: JobState): void {
  interruptedJobs.see(state);
  const { progress, notice } = jobSignals(state);
  for (const window of windows.all()) window.setProgressBar(progress);
  const watched = windows.all().some((window) => window.isFocused());
  if (notice === null || watched || !Notification.isSupported()) return;
  const shown = new Notification({ ...notice, silent: true });
  shown.on('click', () => windows.front()?.focus());
  shown.show();
}

/** A window's channel reaches every method of the contract except the privileged ones: the engine checks by port. */
function connectEngine(window: BrowserWindow): void {
  const { port1, port2 } = new MessageChannelMain();
  engine?.connectWindow(port1);
  window.webContents.postMessage(WINDOW_CHANNELS.port, null, [port2]);
}

/** Opens what a dialog, a drop or the system names: a case file as it is, everything else as one incident. */
async function importPaths(paths: readonly string[]): Promise<Opened | null> {
  const [first] = paths;
  if (first === undefined) return null;
  for (const path of paths) app.addRecentDocument(path);
  if (paths.length === 1 && isCaseFileName(first) && kindOf(first) === 'file') return adopt(first);
  const answer = await engine?.request('bundle.import', { paths, keep: true, ask: true });
  return answer?.ok ? answer.value : null;
}

/** As a bundle, a damaged case or one of another version would only be a file that nobody knows: why it does not open is told instead. */
async function adopt(file: string): Promise<{ readonly caseId: CaseId } | null> {
  const answer = await engine?.request('case.adopt', { caseFile: file });
  if (answer === undefined || answer.ok) return answer?.value ?? null;
  tellCannotOpen(file, answer.error.detail);
  return null;
}

/** Asked once the page listens; only then do the bundles of the command line start, so that it misses nothing. */
async function appInfo(window: BrowserWindow): Promise<AppInfo> {
  const { platform } = process;
  const first = windows.takeFirst(window);
  const opened = await importPaths(first.bundles);
  return {
    version: app.getVersion(),
    platform: platform === 'darwin' || platform === 'linux' || platform === 'win32' ? platform : 'other',
    openCase: opened !== null && 'caseId' in opened ? opened.caseId : await wantedCase(first.openCase),
    openJob: opened !== null && 'jobId' in opened ? opened.jobId : null,
    exampleAvailable: existsSync(exampleFolder()),
  };
}

/** The id of the case that `--case=` names; a case file outside the library is opened where it stands. */
async function wantedCase(value: string | null): Promise<string | null> {
  if (value === null) return null;
  const found = caseFromFlag(value, join(home, 'cases'), (path) => resolve(process.cwd(), path), kindOf);
  if (found === null || 'id' in found) return found?.id ?? null;
  return (await adopt(found.file))?.caseId ?? null;
}

function kindOf(path: string): 'file' | 'folder' | 'none' {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : 'none';
}

function exampleFolder(): string {
  return app.isPackaged
    ? join(process.resourcesPath, 'example')
    : join(app.getAppPath(), 'build', 'resources', 'example');
}

/** A second start hands what it was to open to the running one. */
function onSecondInstance(argv: readonly string[], workingFolder: string): void {
  const inFolder = (path: string): string => resolve(workingFolder, path);
  const asked = parseFlags(argv.slice(1), inFolder);
  const given = app.isPackaged ? pathArguments(argv.slice(1), inFolder) : [];
  if (asked.openCase !== null) showWindow({ openCase: asked.openCase, bundles: [] });
  void openFromOutside([...asked.openBundles, ...given]);
}

/** Opens in the window in front, or in a new one if there is none. Without paths the window only comes to the front. */
async function openFromOutside(paths: readonly string[]): Promise<void> {
  const window = windows.front();
  if (window === null) {
    showWindow({ openCase: null, bundles: paths });
    return;
  }
  const opened = await importPaths(paths);
  if (opened !== null) windows.show(WINDOW_CHANNELS.opened, window, opened);
  else {
    if (window.isMinimized()) window.restore();
    window.focus();
  }
}

app.on('open-file', (event, path) => {
  event.preventDefault();
  if (engine === null) filesBeforeStart.push(path);
  else void openFromOutside([path]);
});

/** What the window needs of the package besides the engine. */
function missingFiles(): readonly string[] {
  return [join('.vite', 'renderer', 'index.html'), join('.vite', 'build', 'preload.cjs')].filter(
    (name) => !existsSync(join(app.getAppPath(), name)),
  );
}

async function smoke(path: string): Promise<void> {
  const tested = startEngine();
  const { line, exitCode } = await runSmoke(tested, path, missingFiles());
  tested.stop();
  if (!process.env['FIRSTFAULT_HOME']) rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  process.stdout.write(`${line}\n`, () => app.exit(exitCode));
}

process.on('uncaughtException', (error) => {
  process.stderr.write(`firstfault: ${error.stack ?? error.message}\n`);
  if (flags.smokeAnalyze === null && app.isReady()) dialog.showErrorBox('Firstfault stopped', error.message);
  app.exit(1);
});
