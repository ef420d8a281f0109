/** Settings as a file: where it is, the user says in a dialog; what it means, only the page knows. */
import { readFile, stat } from 'node:fs/promises';
import { type BrowserWindow, dialog } from 'electron';
import type { SettingsRead, SettingsSaved } from '#shared/rpc/bridge.ts';
import { writeAtomically } from './write-atomically.ts';

/** Hundreds of times what the settings are. */
const MAX_BYTES = 256 * 1024;
const FILTERS = [{ name: 'Firstfault settings', extensions: ['json'] }];

export async function saveSettings(window: BrowserWindow, json: string): Promise<SettingsSaved> {
  const answer = await dialog.showSaveDialog(window, {
    title: 'Export settings',
    defaultPath: 'firstfault-settings.json',
    filters: FILTERS,
  });
  if (answer.canceled || answer.filePath === '') return 'closed';
  return writeAtomically(answer.filePath, Buffer.from(json, 'utf8')).then(
    () => 'saved',
    () => 'failed',
  );
}

export async function loadSettings(window: BrowserWindow): Promise<SettingsRead> {
  const answer = await dialog.showOpenDialog(window, {
    title: 'Import settings',
    properties: ['openFile'],
    filters: FILTERS,
  });
  const [path] = answer.filePaths;
  if (answer.canceled || path === undefined) return { state: 'closed' };
  try {
    // A device has no size and no end.
    const found = await stat(path);
    if (!found.isFile() || found.size > MAX_BYTES) return { state: 'failed' };
    return { state: 'read', text: await readFile(path, 'utf8') };
  } catch {
    return { state: 'failed' };
  }
}
