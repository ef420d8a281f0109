/** The open windows: one case each. All of them hear of the engine; what is opened from outside goes to the one in front. */
import type { BrowserWindow } from 'electron';
import type { Opened } from '#shared/rpc/bridge.ts';

/** What a window shows first, asked for by its page once. */
export interface FirstView {
  /** As on the command line: an id, a folder or a file. */
  readonly openCase: string | null;
  readonly bundles: readonly string[];
}

export const NOTHING_FIRST: FirstView = { openCase: null, bundles: [] };

export class Windows {
  readonly #windows = new Map<BrowserWindow, FirstView>();

  add(window: BrowserWindow, first: FirstView): void {
    this.#windows.set(window, first);
    window.on('closed', () => this.#windows.delete(window));
  }

  all(): readonly BrowserWindow[] {
    return [...this.#windows.keys()].filter((window) => !window.isDestroyed());
  }

  /** The window in front, else the newest; null = none is open. */
  front(): BrowserWindow | null {
    const open = this.all();
    return open.find((window) => window.isFocused()) ?? open.at(-1) ?? null;
  }

  /** What the window is to show; a page that is loaded again gets its case again, but no import twice. */
  takeFirst(window: BrowserWindow): FirstView {
    const first = this.#windows.get(window) ?? NOTHING_FIRST;
    this.#windows.set(window, { ...first, bundles: [] });
    return first;
  }

  send(channel: string, value: unknown): void {
    for (const window of this.all()) window.webContents.send(channel, value);
  }

  /** Brings a window to the front and tells its page. */
  show(channel: string, window: BrowserWindow, opened: Opened): void {
    if (window.isMinimized()) window.restore();
    window.focus();
    window.webContents.send(channel, opened);
  }
}
