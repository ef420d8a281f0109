/** What preload puts on the window as `firstfault`: everything the renderer may ever ask for. */
import type { Result } from '../lib/result.ts';
import type { CaseId, JobId } from '../model/ids.ts';
import { EXPORT_FORMS } from './areas/export.ts';
import type { MethodName, Methods, RpcError, RpcErrorCode, TopicName, Topics } from './contract.ts';
import type { EngineState } from './window-channels.ts';

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'linux' | 'win32' | 'other';
  /** A case to open at once (`npm run demo`, `npm start -- --case …`), else null. */
  readonly openCase: string | null;
  /** The import that the command line asked for (`--open=BUNDLE`), started when the window first asks, else null. */
  readonly openJob: JobId | null;
  readonly exampleAvailable: boolean;
}

/** What became of a path that was opened: an import that runs, or a case file that was taken as it is. */
export type Opened = { readonly jobId: JobId } | { readonly caseId: CaseId };

/** What a fault report needs of the machine; nothing of any bundle. */
export interface Diagnostics {
  readonly versions: readonly { readonly name: string; readonly version: string }[];
  readonly system: string;
  readonly memoryBytes: number;
  readonly locale: string;
  readonly dataFolder: string;
  /** Faults of the main process in this run, newest last. */
  readonly problems: readonly string[];
}

export const SAVE_FORMS = [...EXPORT_FORMS, 'package'] as const;
export type SaveForm = (typeof SAVE_FORMS)[number];

/** What became of an export: the file's name (never its folder), or why there is none. */
export type SaveAnswer =
  | { readonly state: 'saved'; readonly name: string; readonly redacted: boolean; readonly detail: string }
  /** The user closed the dialog. */
  | { readonly state: 'closed' }
  | { readonly state: 'failed'; readonly code: RpcErrorCode; readonly detail: string };

/** `closed`: the user closed the dialog. */
export type SettingsSaved = 'saved' | 'closed' | 'failed';

/** `failed`: it cannot be read, or is far too large for settings. */
export type SettingsRead =
  | { readonly state: 'read'; readonly text: string }
  | { readonly state: 'closed' }
  | { readonly state: 'failed' };

export interface Bridge {
  request<M extends MethodName>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Result<Methods[M]['result'], RpcError>>;
  /** Returns the function that ends the subscription. */
  subscribe<T extends TopicName>(topic: T, listener: (value: Topics[T]) => void): () => void;
  /** Shows the system's dialog for archives or folders; null if the user closed it. The window learns the job, never the path. */
  openBundle(kind: 'file' | 'folder'): Promise<Opened | null>;
  /** `File` objects dropped on the window; their paths are resolved in preload and go to main only. */
  importDropped(files: readonly object[]): Promise<Opened | null>;
  /** Something was opened for this window from outside: a second start, or a file of the system's file manager. */
  onOpened(listener: (opened: Opened) => void): () => void;
  /** Another window; with a case, that case is in it. */
  openWindow(caseId: CaseId | null): void;
  /** Asks where to write, and writes. */
  saveSettings(json: string): Promise<SettingsSaved>;
  /** The text of a settings file that the user chose. */
  loadSettings(): Promise<SettingsRead>;
  /** Asks where to write one form of a case's report, as chosen on its Report screen, and writes it. `text`: the reply as it was edited. */
  saveReport(caseId: CaseId, form: SaveForm, text: string | null): Promise<SaveAnswer>;
  diagnostics(): Promise<Diagnostics>;
  appInfo(): Promise<AppInfo>;
  windowControl(action: 'minimize' | 'toggle-maximize' | 'close'): void;
  /** Menu and keyboard commands that main handles first. */
  onCommand(listener: (command: 'open-bundle' | 'open-folder' | 'close-case') => void): () => void;
  /** Tells that the engine process ended (`restarting`, `stopped`) and that its successor answers (`running`). */
  onEngineState(listener: (state: EngineState) => void): () => void;
}
