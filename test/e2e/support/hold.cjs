/**
 * Entry of the app under test: holds it back until Playwright is attached, as Playwright's own loader does for an Electron
 * that it starts by name. Without it about one start in ten never gets through the first handshake. Then the real main runs.
 */
'use strict';
const { app } = require('electron');
const path = require('node:path');

const ready = app.whenReady();
let release = () => undefined;
const attached = new Promise((resolve) => {
  release = resolve;
});
app.whenReady = () => Promise.all([ready, attached]).then(() => undefined);
/** Playwright calls this name once its sessions stand. */
globalThis.__playwright_run = () => {
  release();
};
require(path.join(app.getAppPath(), '.vite', 'build', 'main.cjs'));
