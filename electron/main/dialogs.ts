import { type BrowserWindow, dialog } from 'electron';
import type { OpenBundleKind } from '#shared/rpc/window-channels.ts';

/** Asks for one bundle or several parts of one incident; null if the user closed the dialog. */
export async function chooseBundle(window: BrowserWindow, kind: OpenBundleKind): Promise<readonly string[] | null> {
  const answer = await dialog.showOpenDialog(window, kind === 'folder' ? FOLDER : FILES);
  return answer.canceled || answer.filePaths.length === 0 ? null : answer.filePaths;
}

const FOLDER: Electron.OpenDialogOptions = {
  title: 'Open a bundle folder',
  buttonLabel: 'Open',
  properties: ['openDirectory', 'multiSelections'],
};

/** Content decides what a file is, so every file may be chosen. */
const FILES: Electron.OpenDialogOptions = {
  title: 'Open a bundle',
  buttonLabel: 'Open',
  properties: ['openFile', 'multiSelections'],
  filters: [
    { name: 'All files', extensions: ['*'] },
    { name: 'Archives', extensions: ['tar', 'gz', 'tgz', 'zip'] },
  ],
};
