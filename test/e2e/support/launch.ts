/** Starts the built app in the Electron of the tests, with a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { makeAppFolder } from './app-folder.ts';

export interface LaunchOptions {
  /** Data folder; a new one if not given. It is removed on close only then. */
  readonly home?: string;
  readonly args?: readonly string[];
  /** Made by `makeAppFolder`, removed on close; the product as it is if not given. */
  readonly appFolder?: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'light' | 'high-contrast';
}

export interface RunningApp {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly home: string;
  /** Errors the page wrote to its console, exceptions included. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Only hangs are meant: a busy machine takes ten times as long to start and to import as an idle one. */
const PATIENCE_MS = 120_000;

export async function launch(options: LaunchOptions = {}): Promise<RunningApp> {
  const executablePath = process.env['FIRSTFAULT_TEST_ELECTRON'];
  if (!executablePath) throw new Error('window tests are started by "npm run e2e"');
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'firstfault-window-'));
  const folder = options.appFolder ?? makeAppFolder();
  const switches = (process.env['FIRSTFAULT_TEST_ELECTRON_ARGS'] ?? '').split(' ').filter((arg) => arg !== '');
  const electron = await _electron.launch({
    executablePath,
    args: [...switches, folder, ...(options.args ?? [])],
    env: { ...definedEnv(), FIRSTFAULT_HOME: home },
    timeout: PATIENCE_MS,
  });
  const page = await electron.firstWindow({ timeout: PATIENCE_MS });
  page.setDefaultTimeout(PATIENCE_MS / 2);
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.waitForSelector('.title-bar');
  await resize(electron, page, options.width ?? 1440, options.height ?? 900);
  if (options.theme) await setTheme(page, options.theme);
  return {
    electron,
    page,
    home,
    errors,
    close: async () => {
      await electron.close();
      rmSync(folder, { recursive: true, force: true });
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The size of the page itself; a frameless window has no other. */
export async function resize(electron: ElectronApplication, page: Page, width: number, height: number): Promise<void> {
  await electron.evaluate(
    ({ BrowserWindow }, size) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setBounds({ x: 0, y: 0, width: size.width, height: size.height });
    },
    { width, height },
  );
  await page.waitForFunction((size) => window.innerWidth === size.width && window.innerHeight === size.height, {
    width,
    height,
  });
}

/** As the user does it, without the menu: the preference is stored and the page reads it on its next start. */
export async function setTheme(page: Page, theme: 'dark' | 'light' | 'high-contrast'): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox').fill(`theme ${theme.replace('-', ' ')}`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`[data-theme="${theme}"]`);
  await page.waitForSelector('.palette', { state: 'detached' });
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
