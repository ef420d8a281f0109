import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CasesPage } from './pages/cases-page.ts';
import { launch, type RunningApp } from './support/launch.ts';
import type {} from './support/window.ts';

let app: RunningApp;
let server: Server;
let requests = 0;
let address: string;

beforeAll(async () => {
  server = createServer((_request, response) => {
    requests++;
    response.end('reached');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  app = await launch();
  await new CasesPage(app.page, app.electron).isFirstRun();
});
afterAll(async () => {
  await app.close();
  server.close();
});

describe('the window', () => {
  it('has no Node, no Electron, and one narrow bridge', async () => {
    const found = await app.page.evaluate(() => ({
      globals: ['require', 'process', 'module', 'Buffer', 'global', 'electron', '__dirname'].filter(
        (name) => name in window,
      ),
      bridge: Object.keys(window.firstfault).sort(),
      origin: location.origin,
    }));
    expect(found).toEqual({
      globals: [],
      bridge: [
        'appInfo',
        'diagnostics',
        'importDropped',
        'loadSettings',
        'onCommand',
        'onEngineState',
        'onOpened',
        'openBundle',
        'openWindow',
        'request',
        'saveReport',
        'saveSettings',
        'subscribe',
        'windowControl',
      ],
      origin: 'app://firstfault',
    });
  });

  it('runs isolated and sandboxed', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } = contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag };
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
  });

  it('runs no inline script, handler, eval or markup from text', async () => {
    const ran = await app.page.evaluate(async () => {
      const results: string[] = [];
      const attempt = (name: string, run: () => void) => {
        try {
          run();
        } catch {
          return;
        }
        results.push(name);
      };
      const script = document.createElement('script');
      attempt('inline script', () => {
        script.textContent = 'window.inlineRan = true';
        document.head.append(script);
      });
      const holder = document.createElement('div');
      attempt('innerHTML', () => {
        holder.innerHTML = '<img src=x onerror="window.inlineRan = true">';
      });
      // An image that was made has had its handler run before this one, if at all.
      const image = holder.querySelector('img');
      if (image !== null) await new Promise((resolve) => image.addEventListener('error', resolve, { once: true }));
      // The inspector may evaluate text while its own call runs, not in a task of the page.
      const { port1, port2 } = new MessageChannel();
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
      port1.close();
      // biome-ignore lint/security/noGlobalEval: it is meant to fail
      attempt('eval', () => window.eval('window.inlineRan = true'));
      return { results, ran: 'inlineRan' in window };
    });
    expect(ran).toEqual({ results: [], ran: false });
  });

  it('reaches no network, whatever asks for it', async () => {
    const reached = await app.page.evaluate(async (url) => {
      /** Either way: an address that is refused ends in one of the two as well. */
      const ends = (element: HTMLElement) =>
        new Promise((resolve) => {
          element.addEventListener('load', resolve, { once: true });
          element.addEventListener('error', resolve, { once: true });
        });
      const image = new Image();
      image.src = url;
      document.body.append(image);
      const style = document.createElement('link');
      style.rel = 'stylesheet';
      style.href = url;
      document.head.append(style);
      const frame = document.createElement('iframe');
      frame.src = url;
      const ended = Promise.all([image, style, frame].map(ends));
      document.body.append(frame);
      navigator.sendBeacon?.(url);
      const fetched = await fetch(url).then(
        () => true,
        () => false,
      );
      const socket = await new Promise<boolean>((resolve) => {
        try {
          const open = new WebSocket(url.replace('http', 'ws'));
          open.onopen = () => resolve(true);
          open.onerror = () => resolve(false);
        } catch {
          resolve(false);
        }
      });
      await ended;
      for (const element of [image, style, frame]) element.remove();
      return { fetched, socket };
    }, address);
    expect(reached).toEqual({ fetched: false, socket: false });
    // Past every content policy: main itself asks, and other windows in other sessions. Two guards, each told apart by its error.
    const fromMain = await app.electron.evaluate(async ({ BrowserWindow, session }, url) => {
      const fetched = await session.defaultSession.fetch(url).then(
        () => 'reached',
        (error: Error) => error.message,
      );
      const loaded = await Promise.all(
        ['another', 'persist:third'].map(async (partition) => {
          const window = new BrowserWindow({ show: false, webPreferences: { partition } });
          const outcome = await window.loadURL(url).then(
            () => 'reached',
            (error: Error) => error.message.split(' ')[0],
          );
          window.destroy();
          return outcome;
        }),
      );
      return {
        fetched,
        loaded,
        resolver: await session.defaultSession.resolveHost('localhost').then(
          () => 'resolved',
          () => 'refused',
        ),
      };
    }, address);
    expect(fromMain.fetched).not.toBe('reached');
    expect(fromMain.loaded).toEqual(['ERR_BLOCKED_BY_CLIENT', 'ERR_BLOCKED_BY_CLIENT']);
    expect(fromMain.resolver).toBe('refused');
    expect(requests).toBe(0);
  });

  it('cannot leave its page, open another or download', async () => {
    // Main hears of the attempt, and of its refusal: then it is over.
    await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const refused = new Promise((resolve) => {
        contents?.once('will-frame-navigate', (event) => setImmediate(() => resolve(event.defaultPrevented)));
        setTimeout(() => resolve('not tried'), 20_000);
      });
      Reflect.set(globalThis, 'navigation', refused);
    });
    const opened = await app.page.evaluate((url) => {
      const result = window.open(url);
      location.href = url;
      const link = document.createElement('a');
      link.href = url;
      link.download = 'x';
      link.click();
      return result;
    }, address);
    expect(opened).toBeNull();
    expect(await app.electron.evaluate(() => Reflect.get(globalThis, 'navigation'))).toBe(true);
    expect(app.page.url()).toBe('app://firstfault/index.html');
    expect(app.electron.windows()).toHaveLength(1);
    expect(requests).toBe(0);
  });

  it('gets no permission', async () => {
    const states = await app.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'] as PermissionName[];
      const asked = await Promise.all(
        names.map((name) =>
          navigator.permissions.query({ name }).then(
            (status) => status.state,
            () => 'denied',
          ),
        ),
      );
      const media = await (navigator.mediaDevices?.getUserMedia({ audio: true }) ?? Promise.reject()).then(
        () => 'granted',
        () => 'denied',
      );
      return [...asked, await Notification.requestPermission(), media];
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
  });

  it('serves the files of the page and nothing else', async () => {
    const statuses = await app.electron.evaluate(async ({ session }) => {
      const urls = [
        'app://firstfault/index.html',
        'app://firstfault/../build/main.cjs',
        'app://firstfault/%2e%2e/package.json',
        'app://other/index.html',
        'app://firstfault/nothing.js',
      ];
      return Promise.all(
        urls.map((url) =>
          session.defaultSession.fetch(url).then(
            (answer) => answer.status,
            () => 0,
          ),
        ),
      );
    });
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect([0, 404]).toContain(status);
  });

  it('cannot import by path, nor call what the contract does not name', async () => {
    const answers = await app.page.evaluate(async () => {
      const ask = window.firstfault.request as unknown as (
        method: string,
        params: unknown,
      ) => Promise<{ ok: boolean; error?: { code: string } }>;
      const calls = [
        ask('bundle.import', { paths: ['/etc/passwd'], keep: true }),
        ask('case.adopt', { caseFile: '/etc/passwd' }),
        ask('constructor', {}),
        ask('case.open', { caseId: '../../etc' }),
        ask('entry.bytes', { caseId: 'a', entryId: -1, from: 0, maxBytes: 1e12 }),
        ask('case.list', { extra: 1 }),
      ];
      return Promise.all(calls.map((call) => call.then((answer) => (answer.ok ? 'ok' : (answer.error?.code ?? '')))));
    });
    expect(answers).toEqual([
      'unknown-method',
      'unknown-method',
      'unknown-method',
      'invalid-params',
      'invalid-params',
      'invalid-params',
    ]);
  });

  it('imports only files that the user dropped', async () => {
    const answer = await app.page.evaluate(() => {
      const forged = [new File(['x'], '/etc/passwd'), { path: '/etc/passwd' }, 'x'] as unknown as object[];
      return window.firstfault.importDropped(forged);
    });
    expect(answer).toBeNull();
  });

  it('is refused privileged methods by the engine itself, even past preload', async () => {
    const answer = await app.electron.evaluate(
      ({ BrowserWindow }) =>
        new Promise((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          if (!contents) return resolve('no window');
          // The port on its way to the window, caught: the most that a broken preload could hold.
          const deliver = contents.postMessage.bind(contents);
          contents.postMessage = (_channel, _message, [port]: Electron.MessagePortMain[] = []) => {
            contents.postMessage = deliver;
            port?.on('message', ({ data }) => resolve(data));
            port?.start();
            port?.postMessage({
              t: 'req',
              id: 1,
              method: 'bundle.import',
              params: { paths: ['/etc/hostname'], keep: true },
            });
          };
          contents.reload();
        }),
    );
    expect(answer).toMatchObject({ t: 'res', id: 1, ok: false, error: { code: 'unknown-method' } });
    await app.page.reload();
    await new CasesPage(app.page, app.electron).isFirstRun();
  });

  it('answers no message that does not come from its page', async () => {
    const answered = await app.electron.evaluate(async ({ BrowserWindow, ipcMain }) => {
      const stranger = new BrowserWindow({ show: false, webPreferences: { sandbox: true } });
      await stranger.loadURL('about:blank').catch(() => undefined);
      const handler = (
        ipcMain as unknown as { _invokeHandlers: Map<string, (event: unknown, argument: unknown) => unknown> }
      )._invokeHandlers.get('firstfault:import-paths');
      const event = { sender: stranger.webContents, senderFrame: stranger.webContents.mainFrame };
      const result = await Promise.resolve()
        .then(() => handler?.(event, ['/etc/passwd']))
        .then(
          () => 'answered',
          (error: Error) => error.message,
        );
      stranger.destroy();
      return result;
    });
    expect(answered).not.toBe('answered');
  });
});
