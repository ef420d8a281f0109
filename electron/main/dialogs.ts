import { basename } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import type { OpenBundleKind } from '#shared/rpc/window-channels.ts';

/** Asks for one bundle or several parts of one incident; null if the user closed the dialog. */
export async function chooseBundle(window: BrowserWindow, kind: OpenBundleKind): Promise<readonly string[] | null> {
  const answer = await dialog.showOpenDialog(window, kind === 'folder' ? FOLDER : FILES);
  return answer.canceled || answer.filePaths.length === 0 ? null : answer.filePaths;
}

/** A case that was named and cannot be opened: its reason is the engine's own, and nothing else is tried with the file. */
export function tellCannotOpen(file: string, reason: string): void {
  void dialog.showMessageBox({
    type: 'error',
    title: 'Firstfault',
    message: `${basename(file)} cannot be opened`,
    detail: `${file}\n\n${reason}`,
  });
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
