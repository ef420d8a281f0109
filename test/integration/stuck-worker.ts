/** Stands in for an import that never comes back from a computation: writes half a file, says so, and spins. */
import { writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

writeFileSync(`${workerData.request.caseFile}.importing`, 'half a case');
parentPort?.postMessage({ t: 'report', phases: ['analysing'], progress: undefined, files: [] });
for (;;);
