/** Starting other programs and ending as they end. */
import { spawn } from 'node:child_process';

/**
 * @typedef {{ code: number, signal: NodeJS.Signals | null }} Ended `code` is 128 + signal number when a signal ended it
 * @typedef {import('node:child_process').SpawnOptions & { timeoutMs?: number }} RunOptions
 */

/** Numbers for the status a shell would show. @type {Readonly<Record<string, number>>} */
const SIGNAL_NUMBER = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15, SIGABRT: 6, SIGTRAP: 5 };

/**
 * Runs a program to its end. Signals to this process go on to it; a Ctrl+C in a terminal reaches both by itself.
 * Rejects when the program cannot be started.
 * @param {string} program @param {readonly string[]} args @param {RunOptions} [options] @returns {Promise<Ended>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const { timeoutMs, ...spawnOptions } = options;
    const child = spawn(program, args, { stdio: 'inherit', ...spawnOptions });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const onInterrupt = () => {
      if (!process.stdin.isTTY && !process.stdout.isTTY && !process.stderr.isTTY) child.kill('SIGINT');
    };
    const onTerminate = () => child.kill('SIGTERM');
    process.on('SIGINT', onInterrupt);
    process.on('SIGTERM', onTerminate);
    const done = () => {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    };
    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('close', (code, signal) => {
      done();
      resolve({ code: signal === null ? (code ?? 1) : 128 + (SIGNAL_NUMBER[signal] ?? 0), signal });
    });
  });
}

/** A program that ended badly; the message holds the end of its output. */
export class ProgramError extends Error {
  /** @param {string} program @param {string} how @param {string} output all of it */
  constructor(program, how, output) {
    super(`${program} ended with ${how}:\n${output.slice(-4000)}`);
    this.output = output;
  }
}

/**
 * Runs a program quietly; resolves to its output. Rejects with a `ProgramError` when it fails.
 * @param {string} program @param {readonly string[]} args @param {RunOptions} [options] @returns {Promise<string>}
 */
export function capture(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const keep = (/** @type {string} */ text) => {
      output += text;
    };
    // Decoded by the stream: a letter may lie across two chunks.
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new ProgramError(program, signal ?? `status ${code}`, output));
    });
  });
}
