/** The real import's thread, which dies of a fault the first time that four files are done, as one does that is out of memory. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { runIfImportWorker } from '#engine/jobs/import-worker.ts';

const died: string =
  workerData.request === undefined ? '' : join(dirname(dirname(workerData.request.caseFile)), 'died');
const port = parentPort;
if (died !== '' && port !== null && !existsSync(died)) {
  const post = port.postMessage.bind(port);
  port.postMessage = (message, ...rest: []) => {
    post(message, ...rest);
    if ((message.progress?.filesDone ?? 0) < 4) return;
    writeFileSync(died, '');
    process.nextTick(() => {
      throw new Error('died on purpose');
    });
  };
}
runIfImportWorker();
