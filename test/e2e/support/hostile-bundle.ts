/** A bundle of which every part tries something: names of Pods, nodes, groups, operations and frames, events, labels, lines. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, dumpOf, encodeDump, sameProgram, simulate, times } from '../../support/dump-builder.ts';
import type { Plain } from '../../support/pickle-writer.ts';

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const CONTROL = '\u202egnp.exe\u202c \u2066x\u2069 \u001b[31mred\u001b[0m \u0007';
const SQL = `'; DROP TABLE views; --`;
const LONG = 'n'.repeat(4000);
const RANKS = 4;
const STALLED = 2;

export interface HostileNames {
  readonly group: string;
  readonly op: string;
  readonly frame: string;
  readonly pod: string;
  readonly node: string;
}

export const HOSTILE: HostileNames = {
  group: `${MARKUP}${CONTROL}${SQL}`,
  op: `${MARKUP}_op`,
  frame: `${MARKUP}${CONTROL}__proto__`,
  pod: 'pod-<img src=x onerror=window.hacked=1>',
  node: `__proto__${MARKUP}${LONG}`,
};

/** Fifteen steps of three groups; rank 2 never comes to the sixteenth call of the hostile operation. */
function hostileDumps(): Map<string, Uint8Array> {
  const all = [0, 1, 2, 3];
  const steps = times(15, call('all_reduce', 8), call(HOSTILE.op, 4, { group: '__proto__', dtype: `${MARKUP}Float` }));
  const job = sameProgram(RANKS, [...steps, call('barrier', 1, { group: LONG })], {
    groups: {
      '0': { desc: HOSTILE.group, ranks: all },
      ['__proto__']: { desc: `constructor ${SQL}`, ranks: all },
      [LONG]: { desc: LONG, ranks: all },
    },
  });
  const programs = job.programs.map((program, rank) =>
    rank === STALLED ? [...program.slice(0, 21), 'stall' as const] : program,
  );
  const run = simulate({ ...job, programs });
  return new Map(
    all.map((rank) => [
      `flight-recorder/nccl_trace_rank_${rank}`,
      encodeDump(withFrames(dumpOf(run, rank)), 'python4'),
    ]),
  );
}

/** The builder names frames after the operation; here they carry what a frame can carry. */
function withFrames(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(withFrames);
  if (value === null || typeof value !== 'object' || value instanceof Map) return value;
  const pairs = Object.entries(value);
  if (!('filename' in value))
    return Object.assign(value, Object.fromEntries(pairs.map(([k, v]) => [k, isPart(v) ? withFrames(v) : v])));
  return { ...value, name: HOSTILE.frame, filename: `/srv/${MARKUP}/${LONG}.py` };
}

const isPart = (value: unknown): value is Plain =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);

const stamp = (second: number): string => new Date(Date.UTC(2026, 10, 29, 19, 11, second)).toISOString();

function hostileLog(pod: number): string {
  const ranks = [pod * 2, pod * 2 + 1];
  const lines = ranks.flatMap((rank) => [
    `${stamp(1)} [rank${rank}]: INFO rank ${rank} of ${RANKS} ${MARKUP}`,
    `${stamp(2)} [rank${rank}]: ERROR ${CONTROL} ${SQL} {{7*7}} %s __proto__ constructor`,
    `${stamp(3)} [rank${rank}]: WARNING https://example.com/?q=${MARKUP} javascript:alert(1)`,
    ...(rank === STALLED
      ? [`${stamp(4)} [rank${rank}]: INFO ${'y'.repeat(1_048_576)}${MARKUP}`]
      : [
          `${stamp(700)} [rank${rank}]:[E1129 19:22:40.000000000 ProcessGroupNCCL.cpp:685] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=16, OpType=${MARKUP}, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600005 milliseconds before timing out. ${CONTROL}`,
          `${stamp(701)} [rank${rank}]: Traceback (most recent call last):`,
          `${stamp(701)} [rank${rank}]:   File "/srv/${MARKUP}.py", line 7, in __proto__`,
          `${stamp(701)} [rank${rank}]: RuntimeError: ${MARKUP} ${CONTROL} ${SQL}`,
        ]),
  ]);
  return `${lines.join('\n')}\n`;
}

const podOf = (index: number): unknown => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${HOSTILE.pod}-${index}`,
    namespace: MARKUP,
    labels: { 'training.kubeflow.org/job-name': MARKUP, [`__proto__${index}`]: CONTROL },
    creationTimestamp: '2026-11-29T19:10:40Z',
  },
  spec: { nodeName: `${HOSTILE.node}${index}`, containers: [{ name: MARKUP, image: `${LONG}:${CONTROL}` }] },
  status: {
    phase: 'Failed',
    containerStatuses: [
      {
        name: MARKUP,
        restartCount: 0,
        state: {
          terminated: {
            exitCode: 1,
            reason: `Error${MARKUP}`,
            message: `${CONTROL}${SQL}`,
            startedAt: stamp(0),
            finishedAt: stamp(720),
          },
        },
      },
    ],
  },
});

const eventOf = (index: number): unknown => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `e${index}`, namespace: MARKUP },
  involvedObject: { kind: 'Pod', name: `${HOSTILE.pod}-${index}`, namespace: MARKUP },
  type: 'Warning',
  reason: `BackOff${MARKUP}`,
  message: `${MARKUP}${CONTROL}${LONG}`,
  firstTimestamp: '2026-11-29T19:12:00Z',
  lastTimestamp: '2026-11-29T19:12:00Z',
  source: { component: `kubelet${MARKUP}`, host: `${HOSTILE.node}${index}` },
});

/** Writes it below `into`; a folder. Rank 2 stalls, the others wait for it. */
export function hostileJob(into: string): string {
  const folder = join(into, 'hostile-job');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  mkdirSync(join(folder, 'flight-recorder'));
  for (const [path, bytes] of hostileDumps()) writeFileSync(join(folder, path), bytes);
  for (const pod of [0, 1]) writeFileSync(join(folder, 'logs', `${HOSTILE.pod}-${pod}.log`), hostileLog(pod));
  const list = (items: readonly unknown[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  writeFileSync(join(folder, 'pods.json'), list([podOf(0), podOf(1)]));
  writeFileSync(join(folder, 'events.json'), list([eventOf(0), eventOf(1)]));
  return folder;
}
