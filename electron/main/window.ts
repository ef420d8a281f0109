import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import { APP_PAGE } from './assets.ts';
import { type Bounds, besides, MIN_HEIGHT, MIN_WIDTH, parseWindowState, placeWindow } from './window-bounds.ts';

/** First paint in the theme's `surface-0`, so that no white frame flashes; the page's own tokens take over. */
const BACKGROUND = { dark: '#0d0f12', light: '#ffffff' } as const;
const TITLE_BAR_HEIGHT = 40;
const SAVE_DELAY_MS = 400;

export interface WindowOptions {
  readonly preload: string;
  /** Keeps the place of the window that was moved last. */
  readonly stateFolder: string;
  /** The window in front: a further one opens beside it. */
  readonly beside: BrowserWindow | null;
}

/** Opens a window where the last one was; it shows itself when its first frame is ready. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const stateFile = join(options.stateFolder, 'window.json');
  const state = parseWindowState(readText(stateFile));
  const window = new BrowserWindow({
    ...placeWindow(options.beside ? besides(options.beside.getNormalBounds()) : state.bounds, workAreas()),
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    title: 'Firstfault',
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    ...frameOptions(),
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      enableWebSQL: false,
      disableDialogs: true,
    },
  });
  if (state.maximized && !options.beside) window.maximize();
  window.once('ready-to-show', () => window.show());
  keepPlace(window, stateFile);
  void window.loadURL(APP_PAGE);
  return window;
}

function frameOptions(): Electron.BrowserWindowConstructorOptions {
  if (process.platform === 'darwin') {
    return { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 14, y: (TITLE_BAR_HEIGHT - 14) / 2 } };
  }
  return { frame: false };
}

function workAreas(): [Bounds, ...Bounds[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}

function keepPlace(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed()) return;
    writeText(file, JSON.stringify({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }));
  };
  const saveSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_DELAY_MS);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('close', save);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Losing the window's place is no reason to bother anyone: a folder that cannot be written is passed over. */
function writeText(file: string, text: string): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(`${file}.tmp`, text);
    renameSync(`${file}.tmp`, file);
  } catch {
    // Passed over, see above.
  }
}
