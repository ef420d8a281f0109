/**
 * A lock between processes, as a file holding the owner's process id.
 *
 * It saves double work, nothing more: all that is written under it is put in place by rename, so two owners at once
 * (possible for an instant when a stale lock is taken over) only do the same work twice.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than anything done under a lock: SQLite takes about 90 s on two cores. Chosen, not measured. */
const STALE_AFTER_MS = 15 * 60_000;
const POLL_MS = 50;

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @param {string} file */
function isStale(file) {
  try {
    const pid = Number(fs.readFileSync(file, 'utf8'));
    const ageMs = Date.now() - fs.statSync(file).mtimeMs;
    // Between creating the file and writing the id it is empty: give the owner a moment.
    if (pid === 0) return ageMs > 5000;
    return !isAlive(pid) || ageMs > STALE_AFTER_MS;
  } catch {
    return false;
  }
}

/** @param {string} file @returns {boolean} whether it is ours now */
function tryTake(file) {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs `work` while holding `file`; waits for another holder as long as that one lives.
 * @template T @param {string} file @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function withLock(file, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  while (!tryTake(file)) {
    if (isStale(file)) fs.rmSync(file, { force: true });
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}
