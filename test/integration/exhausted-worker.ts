/** The real import's thread, which really uses up its memory once three files are done. */
import { parentPort } from 'node:worker_threads';
import { runIfImportWorker } from '#engine/jobs/import-worker.ts';

const port = parentPort;
if (port !== null) {
  const post = port.postMessage.bind(port);
  port.postMessage = (message, ...rest: []) => {
    post(message, ...rest);
    if ((message.progress?.filesDone ?? 0) < 3) return;
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(100_000).fill(kept.length + 0.5));
  };
}
runIfImportWorker();
