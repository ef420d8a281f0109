/** Settings as a file: where it is, the user says in a dialog; what it means, only the page knows. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { type BrowserWindow, dialog } from 'electron';

const MAX_BYTES = 256 * 1024;
const FILTERS = [{ name: 'Firstfault settings', extensions: ['json'] }];

export async function saveSettings(window: BrowserWindow, json: string): Promise<boolean> {
  const answer = await dialog.showSaveDialog(window, {
    title: 'Export settings',
    defaultPath: 'firstfault-settings.json',
    filters: FILTERS,
  });
  if (answer.canceled || answer.filePath === '') return false;
  try {
    await writeFile(answer.filePath, json);
    return true;
  } catch {
    return false;
  }
}

export async function loadSettings(window: BrowserWindow): Promise<string | null> {
  const answer = await dialog.showOpenDialog(window, {
    title: 'Import settings',
    properties: ['openFile'],
    filters: FILTERS,
  });
  const [path] = answer.filePaths;
  if (answer.canceled || path === undefined) return null;
  try {
    return (await stat(path)).size > MAX_BYTES ? null : await readFile(path, 'utf8');
  } catch {
    return null;
  }
}
