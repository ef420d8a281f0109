/** The window's few direct requests to main. Each is checked: the sender must be our page, the argument must fit. */
import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import type { CaseId } from '#shared/model/ids.ts';
import { MAX_REPLY } from '#shared/rpc/areas/export.ts';
import {
  type AppInfo,
  type Diagnostics,
  type Opened,
  SAVE_FORMS,
  type SaveAnswer,
  type SettingsRead,
  type SettingsSaved,
} from '#shared/rpc/bridge.ts';
import { caseIdSchema, filePathsSchema } from '#shared/rpc/params.ts';
import {
  OPEN_BUNDLE_KINDS,
  type OpenBundleKind,
  WINDOW_CHANNELS,
  WINDOW_CONTROLS,
} from '#shared/rpc/window-channels.ts';
import { isAppPage } from './assets.ts';
import type { SaveRequest } from './report-export.ts';

export interface IpcActions {
  chooseBundle(window: BrowserWindow, kind: OpenBundleKind): Promise<readonly string[] | null>;
  importPaths(paths: readonly string[]): Promise<Opened | null>;
  connectEngine(window: BrowserWindow): void;
  appInfo(window: BrowserWindow): Promise<AppInfo>;
  openWindow(caseId: CaseId | null): void;
  saveSettings(window: BrowserWindow, json: string): Promise<SettingsSaved>;
  loadSettings(window: BrowserWindow): Promise<SettingsRead>;
  saveReport(window: BrowserWindow, request: SaveRequest): Promise<SaveAnswer>;
  diagnostics(): Diagnostics;
}

const kindSchema = z.enum(OPEN_BUNDLE_KINDS);
const controlSchema = z.enum(WINDOW_CONTROLS);
const settingsSchema = z.string().max(256 * 1024);
const saveSchema = z.strictObject({
  caseId: caseIdSchema,
  form: z.enum(SAVE_FORMS),
  text: z.string().max(MAX_REPLY).nullable(),
});

export function handleWindowRequests(actions: IpcActions): void {
  ipcMain.handle(WINDOW_CHANNELS.appInfo, (event) => actions.appInfo(senderWindow(event)));
  ipcMain.handle(WINDOW_CHANNELS.saveSettings, (event, json: unknown) =>
    actions.saveSettings(senderWindow(event), settingsSchema.parse(json)),
  );
  ipcMain.handle(WINDOW_CHANNELS.loadSettings, (event) => actions.loadSettings(senderWindow(event)));
  ipcMain.handle(WINDOW_CHANNELS.saveReport, (event, request: unknown) =>
    actions.saveReport(senderWindow(event), saveSchema.parse(request)),
  );
  ipcMain.handle(WINDOW_CHANNELS.diagnostics, (event) => {
    senderWindow(event);
    return actions.diagnostics();
  });
  listen(WINDOW_CHANNELS.openWindow, (event, caseId) => {
    senderWindow(event);
    actions.openWindow(caseIdSchema.nullable().parse(caseId));
  });
  ipcMain.handle(WINDOW_CHANNELS.openBundle, async (event, kind: unknown) => {
    const paths = await actions.chooseBundle(senderWindow(event), kindSchema.parse(kind));
    return paths === null ? null : actions.importPaths(paths);
  });
  ipcMain.handle(WINDOW_CHANNELS.importPaths, (event, paths: unknown) => {
    senderWindow(event);
    return actions.importPaths(filePathsSchema.parse(paths));
  });
  listen(WINDOW_CHANNELS.portWanted, (event) => actions.connectEngine(senderWindow(event)));
  listen(WINDOW_CHANNELS.windowControl, (event, action) => {
    const window = senderWindow(event);
    switch (controlSchema.parse(action)) {
      case 'minimize':
        return window.minimize();
      case 'toggle-maximize':
        return window.isMaximized() ? window.unmaximize() : window.maximize();
      case 'close':
        return window.close();
    }
  });
}

/** `handle` may throw for a message that does not fit: it is passed over with a line in the log, and nothing else happens. */
function listen(channel: string, handle: (event: IpcMainEvent, argument: unknown) => void): void {
  ipcMain.on(channel, (event, argument: unknown) => {
    try {
      handle(event, argument);
    } catch (error) {
      process.stderr.write(
        `firstfault: ${channel} refused: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    }
  });
}

/** Throws unless the message comes from the main frame of one of our windows while it shows our page. */
function senderWindow(event: IpcMainEvent | IpcMainInvokeEvent): BrowserWindow {
  const window = BrowserWindow.fromWebContents(event.sender);
  const frame = event.senderFrame;
  if (!window || !frame || frame !== event.sender.mainFrame || !isAppPage(frame.url)) {
    throw new Error('the sender is not the page of one of our windows');
  }
  return window;
}
