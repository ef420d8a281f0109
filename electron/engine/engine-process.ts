/**
 * Entry of the engine process (Electron's utilityProcess). On `process.parentPort` come
 *
 *   { t: 'window' } + port   one window's channel: serves the window's methods, never the privileged ones
 *   { t: 'req', … }          main's own requests: every method
 *
 * Arguments: --home=DIR (needed), --example-small=PATH, --example-large=PATH.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Port } from '#shared/rpc/contract.ts';
import { createEngine } from './engine.ts';
import { runIfImportWorker } from './jobs/import-worker.ts';
import { runIfSearchWorker } from './search/search-worker.ts';
import { BLOCK_CODECS } from './store/block-codec.ts';

interface PortMessage {
  readonly data: unknown;
  readonly ports: readonly ElectronPort[];
}

/** What is used of Electron's `process.parentPort` and `MessagePortMain`; the engine does not import Electron. */
interface ElectronPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: PortMessage) => void): void;
  on(event: 'close', listener: () => void): void;
  start?(): void;
  close?(): void;
}

/** Two folders above this file in the source tree, for the built file and inside a package alike. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

function start(): void {
  const parent = 'parentPort' in process ? asElectronPort(process.parentPort) : undefined;
  const home = argument('home');
  if (parent === undefined || home === undefined)
    throw new Error('the engine process is started by the desktop app, with --home=DIR');
  const codec = BLOCK_CODECS.find((name) => name === process.env['FIRSTFAULT_BLOCK_CODEC']);
  const tell = (line: string): void => {
    process.stderr.write(`firstfault engine: ${line}\n`);
  };
  const engine = createEngine({
    home,
    version: ownVersion(),
    workerEntry: new URL(import.meta.url),
    examples: {
      small: argument('example-small') ?? bundledExample('small'),
      large: argument('example-large') ?? bundledExample('large.tar.gz'),
    },
    ...(codec === undefined ? {} : { codec }),
    log: tell,
    trace: tell,
  });
  const privileged: ((message: unknown) => void)[] = [];
  engine.servePrivileged({
    post: (message) => parent.postMessage(message),
    onMessage: (listener) => privileged.push(listener),
    close: () => undefined,
  });
  parent.on('message', ({ data, ports }) => {
    const [port] = ports;
    if (port !== undefined && isWindowMessage(data)) {
      const stop = engine.serveWindow(asPort(port));
      port.on('close', stop);
    } else for (const listener of privileged) listener(data);
  });
}

/** Electron's own types are not at hand here: the engine must not depend on it. */
const asElectronPort = (port: unknown): ElectronPort | undefined =>
  typeof port === 'object' && port !== null && 'postMessage' in port ? (port as ElectronPort) : undefined;

function argument(name: string): string | undefined {
  const prefix = `--${name}=`;
  return process.argv.find((item) => item.startsWith(prefix))?.slice(prefix.length);
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const version: unknown =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}

/** In a package beside the program's resources, else in the source tree. */
function bundledExample(name: string): string {
  const packaged = 'resourcesPath' in process ? join(String(process.resourcesPath), 'example', name) : '';
  return packaged !== '' && existsSync(packaged) ? packaged : join(ROOT, 'build', 'resources', 'example', name);
}

const isWindowMessage = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 't' in data && data.t === 'window';

function asPort(port: ElectronPort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', ({ data }) => listener(data));
      port.start?.();
    },
    close: () => port.close?.(),
  };
}

if (!runIfImportWorker() && !runIfSearchWorker()) start();
