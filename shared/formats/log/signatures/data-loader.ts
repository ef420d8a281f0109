import { defineSignature, num } from './define.ts';

const KILLED = /DataLoader worker \(pid (\d{1,8})\) is killed by signal: ([A-Z][\w ]{2,40})/;
const EXITED = /DataLoader worker \(pid\(s\) (\d{1,8})[\d, ]{0,400}\) exited unexpectedly/;
const BUS = /Unexpected bus error encountered in worker/;

/** A loader worker died: by a signal, without a word, or on a full /dev/shm (bus error). */
export default defineSignature({
  id: 'data-loader-killed',
  literals: ['is killed by signal: ', 'exited unexpectedly', 'Unexpected bus error encountered in worker'],
  match({ text }) {
    const killed = KILLED.exec(text);
    if (killed !== null) {
      return { body: { kind: 'data-loader-killed', pid: num(killed[1]), signal: killed[2]?.trim(), handled: false } };
    }
    const exited = EXITED.exec(text);
    if (exited !== null)
      return { body: { kind: 'data-loader-killed', pid: num(exited[1]), signal: undefined, handled: false } };
    if (!BUS.test(text)) return undefined;
    return { body: { kind: 'data-loader-killed', pid: undefined, signal: 'Bus error', handled: false } };
  },
  samples: [
    {
      text: 'DataLoader worker (pid 88213) is killed by signal: Killed. ',
      expect: { kind: 'data-loader-killed', pid: 88_213, signal: 'Killed', handled: false },
    },
    {
      text: 'DataLoader worker (pid(s) 4401, 4402) exited unexpectedly',
      expect: { kind: 'data-loader-killed', pid: 4401, signal: undefined, handled: false },
    },
    {
      text: 'ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).',
      expect: { kind: 'data-loader-killed', pid: undefined, signal: 'Bus error', handled: false },
    },
  ],
  nearMisses: ['if a process is killed by signal: restart', 'server exited unexpectedly'],
});
