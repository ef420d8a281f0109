import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import { WINDOW_CHANNELS, type WindowCommand } from '#shared/rpc/window-channels.ts';

/**
 * The application menu. On macOS it is the visible one and owns its keys. Elsewhere the window has no frame: the page
 * handles the keys itself, and the menu only serves editing in text fields.
 */
export function installMenu(currentWindow: () => BrowserWindow | null, newWindow: () => void): void {
  const mac = process.platform === 'darwin';
  const command = (label: string, accelerator: string, name: WindowCommand): MenuItemConstructorOptions => ({
    label,
    accelerator,
    registerAccelerator: mac,
    click: () => currentWindow()?.webContents.send(WINDOW_CHANNELS.command, name),
  });
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [
      command('Open bundle…', 'CmdOrCtrl+O', 'open-bundle'),
      command('Open folder…', 'CmdOrCtrl+Shift+O', 'open-folder'),
      { label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', registerAccelerator: mac, click: newWindow },
      ...(mac ? [{ role: 'recentDocuments' as const, submenu: [{ role: 'clearRecentDocuments' as const }] }] : []),
      { type: 'separator' },
      command('Close case', 'CmdOrCtrl+W', 'close-case'),
      ...(mac ? [] : [{ type: 'separator' as const }, { role: 'quit' as const }]),
    ],
  };
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    file,
    { role: 'editMenu' },
    { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'zoom' }, { role: 'togglefullscreen' }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
