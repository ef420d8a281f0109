import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { CaseId, JobId } from '#shared/model/ids.ts';
import type {
  AppInfo,
  Bridge,
  Diagnostics,
  Opened,
  SaveAnswer,
  SettingsRead,
  SettingsSaved,
} from '#shared/rpc/bridge.ts';
import type { MethodName, Methods, TopicName, Topics } from '#shared/rpc/contract.ts';
import { AREAS, BASE_METHODS, isTopic } from '#shared/rpc/names.ts';
import {
  ENGINE_STATES,
  type EngineState,
  WINDOW_CHANNELS,
  WINDOW_COMMANDS,
  type WindowCommand,
} from '#shared/rpc/window-channels.ts';
import { createPortLink } from './port-link.ts';

const AREA_METHOD = /^([a-z]{1,20})\.[A-Za-z-]{1,40}$/;

/** The engine has the list of every method and refuses the rest; here a name must be a known one or belong to a known area. */
function isMethod(name: string): boolean {
  const area = AREA_METHOD.exec(name)?.[1];
  return Object.hasOwn(BASE_METHODS, name) || (area !== undefined && Object.hasOwn(AREAS, area));
}

const link = createPortLink({ isMethod, isTopic });

/** Asked for by the page's first word, not before: main only answers once the page itself is in the frame. */
let portAsked = false;
function askForPort(): void {
  if (portAsked) return;
  portAsked = true;
  ipcRenderer.send(WINDOW_CHANNELS.portWanted);
}

ipcRenderer.on(WINDOW_CHANNELS.port, (event) => {
  const port = event.ports[0];
  if (!port) return;
  link.attach({
    post: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.onmessage = (message) => listener(message.data);
    },
    close: () => port.close(),
  });
});

const bridge: Bridge = {
  request: <M extends MethodName>(method: M, params: Methods[M]['params']) => {
    askForPort();
    return link.request(method, params);
  },
  subscribe: <T extends TopicName>(topic: T, listener: (value: Topics[T]) => void) => {
    askForPort();
    return link.subscribe(topic, listener);
  },
  openBundle: async (kind) => {
    const answer: unknown = await ipcRenderer.invoke(WINDOW_CHANNELS.openBundle, kind);
    return asOpened(answer);
  },
  importDropped: async (files) => {
    const paths = files
      .filter((file) => file instanceof File)
      .map((file) => webUtils.getPathForFile(file))
      .filter((path) => path !== '');
    if (paths.length === 0) return null;
    const answer: unknown = await ipcRenderer.invoke(WINDOW_CHANNELS.importPaths, paths);
    return asOpened(answer);
  },
  onOpened: (listener) =>
    listen(WINDOW_CHANNELS.opened, (value) => {
      const opened = asOpened(value);
      if (opened) listener(opened);
    }),
  openWindow: (caseId) => ipcRenderer.send(WINDOW_CHANNELS.openWindow, caseId),
  saveSettings: (json): Promise<SettingsSaved> => ipcRenderer.invoke(WINDOW_CHANNELS.saveSettings, json),
  loadSettings: (): Promise<SettingsRead> => ipcRenderer.invoke(WINDOW_CHANNELS.loadSettings),
  saveReport: (caseId, form, text): Promise<SaveAnswer> =>
    ipcRenderer.invoke(WINDOW_CHANNELS.saveReport, { caseId, form, text }),
  diagnostics: (): Promise<Diagnostics> => ipcRenderer.invoke(WINDOW_CHANNELS.diagnostics),
  appInfo: (): Promise<AppInfo> => ipcRenderer.invoke(WINDOW_CHANNELS.appInfo),
  windowControl: (action) => ipcRenderer.send(WINDOW_CHANNELS.windowControl, action),
  onCommand: (listener) =>
    listen(WINDOW_CHANNELS.command, (value) => {
      const command = WINDOW_COMMANDS.find((known): known is WindowCommand => known === value);
      if (command) listener(command);
    }),
  onEngineState: (listener) =>
    listen(WINDOW_CHANNELS.engineState, (value) => {
      const state = ENGINE_STATES.find((known): known is EngineState => known === value);
      if (!state) return;
      if (state !== 'running') link.detach();
      listener(state);
    }),
};

contextBridge.exposeInMainWorld('firstfault', bridge);

function listen(channel: string, handle: (value: unknown) => void): () => void {
  const onMessage = (_event: unknown, value: unknown) => handle(value);
  ipcRenderer.on(channel, onMessage);
  return () => ipcRenderer.removeListener(channel, onMessage);
}

/** Main answers `{ jobId }`, `{ caseId }` or null; anything else counts as null. */
function asOpened(answer: unknown): Opened | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if ('jobId' in answer && typeof answer.jobId === 'string') return { jobId: answer.jobId as JobId };
  return 'caseId' in answer && typeof answer.caseId === 'string' ? { caseId: answer.caseId as CaseId } : null;
}
