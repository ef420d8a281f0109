/** Entry of the desktop app: reads command line and environment, wires the parts together, and holds nothing else. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { app, type BrowserWindow, dialog, MessageChannelMain, session, utilityProcess } from 'electron';
import type { JobId } from '#shared/model/ids.ts';
import type { AppInfo } from '#shared/rpc/bridge.ts';
import { WINDOW_CHANNELS } from '#shared/rpc/window-channels.ts';
import { registerAppScheme, serveApp } from './app-protocol.ts';
import { chooseBundle } from './dialogs.ts';
import { createEngineLink, type EngineChild, type EngineLink } from './engine-link.ts';
import { caseFromFlag, parseFlags } from './flags.ts';
import { handleWindowRequests } from './ipc.ts';
import { installMenu } from './menu.ts';
import { forbidNetwork } from './network-guard.ts';
import { runSmoke } from './smoke.ts';
import { openWindow } from './window.ts';

const flags = parseFlags(process.argv.slice(1), (path) => resolve(process.cwd(), path));
const home = homeFolder();
app.setPath('userData', join(home, 'window'));
// Root has no sandbox to give: then only `--no-sandbox` starts at all, and asking for both ends the process.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
registerAppScheme();
forbidNetwork();

let mainWindow: BrowserWindow | null = null;
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
  engine = startEngine();
  handleWindowRequests({
    chooseBundle,
    importPaths,
    connectEngine,
    appInfo,
  });
  installMenu(() => mainWindow);
  showWindow();
  app.on('second-instance', (_event, argv, workingFolder) => onSecondInstance(argv, workingFolder));
  app.on('activate', () => {
    if (!mainWindow) showWindow();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('will-quit', () => engine?.stop());
}

function showWindow(): void {
  const window = openWindow({ preload: join(app.getAppPath(), '.vite', 'build', 'preload.cjs'), stateFolder: home });
  mainWindow = window;
  window.on('closed', () => {
    mainWindow = null;
  });
  window.webContents.on('render-process-gone', () => {
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
      mainWindow?.webContents.send(WINDOW_CHANNELS.engineState, state);
      if (state === 'running' && mainWindow) connectEngine(mainWindow);
    },
  });
}

/** A window's channel reaches every method of the contract except the privileged ones: the engine checks by port. */
function connectEngine(window: BrowserWindow): void {
  const { port1, port2 } = new MessageChannelMain();
  engine?.connectWindow(port1);
  window.webContents.postMessage(WINDOW_CHANNELS.port, null, [port2]);
}

async function importPaths(paths: readonly string[]): Promise<{ readonly jobId: JobId } | null> {
  if (paths.length === 0) return null;
  const answer = await engine?.request('bundle.import', { paths, keep: true });
  return answer?.ok ? answer.value : null;
}

let bundlesToOpen = flags.openBundles;

/** Asked once the page listens; only then do the bundles of the command line start, so that it misses nothing. */
async function appInfo(): Promise<AppInfo> {
  const { platform } = process;
  const job = importPaths(bundlesToOpen);
  bundlesToOpen = [];
  return {
    version: app.getVersion(),
    platform: platform === 'darwin' || platform === 'linux' || platform === 'win32' ? platform : 'other',
    openCase: await wantedCase(flags.openCase),
    openJob: (await job)?.jobId ?? null,
    exampleAvailable: existsSync(exampleFolder()),
  };
}

/** The id of the case that `--case=` names; a case file outside the library is opened where it stands. */
async function wantedCase(value: string | null): Promise<string | null> {
  if (value === null) return null;
  const found = caseFromFlag(value, join(home, 'cases'), (path) => resolve(process.cwd(), path), kindOf);
  if (found === null || 'id' in found) return found?.id ?? null;
  const answer = await engine?.request('case.adopt', { caseFile: found.file });
  return answer?.ok ? answer.value.caseId : null;
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

/** A second start hands its bundles to the running one. */
function onSecondInstance(argv: readonly string[], workingFolder: string): void {
  const asked = parseFlags(argv.slice(1), (path) => resolve(workingFolder, path));
  if (!mainWindow) showWindow();
  if (mainWindow?.isMinimized()) mainWindow.restore();
  mainWindow?.focus();
  void importPaths(asked.openBundles);
}

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
