/*
 * What the Electron of the tests starts first, in place of Electron's own default app, which that build lacks: it loads the
 * app folder that is named first on the command line. Runs inside that Electron, not in Node.
 */
'use strict';
const path = require('node:path');
const { app } = require('electron');

/**
 * Holds the app back until the test driver has connected. Playwright calls `__playwright_run` when it has; an app that opens
 * its window meanwhile makes about one start in twenty hang (measured). Playwright does the same by itself where it chooses the Electron.
 */
function waitForDriver() {
  const ready = app.whenReady();
  const emit = app.emit.bind(app);
  let isReady = false;
  let readyArguments = [];
  let release = () => {};
  const released = new Promise((resolve) => {
    release = resolve;
  });
  app.isReady = () => isReady;
  app.whenReady = () => released;
  app.emit = (name, ...args) => {
    if (name !== 'ready') return emit(name, ...args);
    readyArguments = args;
    return true;
  };
  globalThis.__playwright_run = async () => {
    await ready;
    isReady = true;
    release();
    emit('ready', ...readyArguments);
  };
}

if (process.argv.includes('--remote-debugging-port=0')) waitForDriver();

const folder = path.resolve(process.argv.slice(1).find((word) => !word.startsWith('-')) ?? '.');
const manifest = require(path.join(folder, 'package.json'));
process.defaultApp = true;
app.setAppPath(folder);
app.setName(manifest.productName ?? manifest.name);
app.setVersion(manifest.version ?? '0.0.0');
require(path.join(folder, manifest.main));
