/** What Ray tells of the processes that it runs. */
import type { EventBody } from '../../../model/events.ts';
import { defineSignature } from './define.ts';

const ADDRESS = '([0-9A-Fa-f][0-9A-Fa-f.:]{2,44})';
const WORKER = new RegExp(
  `Memory on the node \\(IP: ${ADDRESS}, ID: \\w{1,80}\\) where the \\w{1,20} \\([^()]{0,400}\\bpid=(\\d{1,8}), memory used=[^()]{1,20}\\) was running was`,
);
const NODE = new RegExp(
  `(\\d{1,7}) Workers? \\(tasks / actors\\) killed due to memory pressure \\(OOM\\).{0,80} at node \\(ID: \\w{1,80}, IP: ${ADDRESS}\\)`,
);

function kill(pid: number, host: string | undefined): EventBody {
  return {
    kind: 'oom-kill',
    pid,
    process: '',
    podUid: undefined,
    containerId: undefined,
    scope: 'node',
    teller: 'ray',
    ...(host === undefined ? {} : { host }),
  };
}

/**
 * Ray watches the memory of each node and kills a worker before the kernel does: the driver's error names the worker's pid
 * and the node, the node's own raylet counts its kills.
 *
 *   Memory on the node (IP: 10.0.0.5, ID: 8c5a) where the task (task ID: 41, name=train, pid=548, memory used=12.18GB) was running was …
 *   4 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: b287, IP: 10.0.0.5) …
 */
export const rayMemoryKill = defineSignature({
  id: 'ray-memory-kill',
  literals: ['Memory on the node (IP: ', ' killed due to memory pressure (OOM)'],
  match({ text }) {
    const worker = WORKER.exec(text);
    if (worker !== null) return { body: kill(Number(worker[2]), worker[1]) };
    const node = NODE.exec(text);
    if (node === null || Number(node[1]) === 0) return undefined;
    return { body: kill(-1, node[2]) };
  },
  samples: [
    {
      text: 'Memory on the node (IP: 10.0.0.5, ID: 8c5a14) where the task (task ID: 4161, name=train_fn, pid=548, memory used=12.18GB) was running was 21.91GB / 33.28GB (0.658192), which exceeds the memory usage threshold of 0.65. Ray killed this worker (ID: 0f76) because it was the most recently scheduled task',
      expect: kill(548, '10.0.0.5'),
    },
    {
      text: '[2026-11-29 15:21:29,851 E 9751 9751] (raylet) node_manager.cc:3084: 4 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: b287, IP: 10.0.0.5) over the last time period.',
      expect: kill(-1, '10.0.0.5'),
    },
  ],
  nearMisses: [
    '0 Workers (tasks / actors) killed due to memory pressure (OOM), 2 Workers crashed due to other reasons at node (ID: b287, IP: 10.0.0.5)',
    'a worker may be killed due to memory pressure (OOM)',
  ],
});
