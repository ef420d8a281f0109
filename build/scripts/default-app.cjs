/*
 * What the Electron of the tests starts first, in place of Electron's own default app, which that build lacks: it loads the
 * app folder that is named first on the command line. Runs inside that Electron, not in Node.
 */
'use strict';
const path = require('node:path');
const { app } = require('electron');

const folder = path.resolve(process.argv.slice(1).find((word) => !word.startsWith('-')) ?? '.');
const manifest = require(path.join(folder, 'package.json'));
process.defaultApp = true;
app.setAppPath(folder);
app.setName(manifest.productName ?? manifest.name);
app.setVersion(manifest.version ?? '0.0.0');
require(path.join(folder, manifest.main));
