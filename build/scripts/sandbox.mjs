/** Whether Chromium's sandbox works here. It needs user namespaces, or its helper program owned by root with the setuid bit. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const isRoot = () => process.getuid?.() === 0;

/** @param {string} helper @returns {boolean} */
function isSetuidRoot(helper) {
  const stat = fs.statSync(helper, { throwIfNoEntry: false });
  return stat !== undefined && stat.uid === 0 && (stat.mode & 0o4000) !== 0;
}

/** @returns {boolean} true also where it cannot be found out */
function hasUserNamespaces() {
  const { status, error } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' });
  return error !== undefined || status === 0;
}

/**
 * @param {string} executable an Electron
 * @returns {string | null} what the user can do so that its sandbox works; null if it works, and for root, who runs without
 */
export function sandboxObstacle(executable) {
  const helper = path.join(path.dirname(executable), 'chrome-sandbox');
  if (process.platform !== 'linux' || isRoot() || isSetuidRoot(helper) || hasUserNamespaces()) return null;
  return `the sandbox of Electron cannot work here, because user namespaces are switched off; run once: sudo chown root ${helper} && sudo chmod 4755 ${helper}`;
}

/** Chromium refuses its own sandbox to root; everybody else keeps it. @returns {string[]} */
export const sandboxArguments = () => (isRoot() ? ['--no-sandbox'] : []);

/** A test may do without: it shows our own pages only, and containers often allow no sandbox. @param {string} executable */
export const testSandboxArguments = (executable) =>
  sandboxObstacle(executable) === null ? sandboxArguments() : ['--no-sandbox'];
