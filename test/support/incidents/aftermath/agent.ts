/**
 * torchrun's agent, one a Pod: looks at its children ten times a second. The first that ended with an error makes it
 * end the others (SIGTERM) and print a block that names the first failure OF ITS OWN NODE as "Root Cause".
 */

import { MS, SECOND } from '../clock.ts';
import type { Random } from '../random.ts';
import { SOFTWARE, type Software } from '../software.ts';
import type { NodePlace } from '../topology.ts';
import { placeOf } from '../topology.ts';
import { type Ending, placeOfNode, type Scene, type StoryLine } from './story.ts';

export interface Child {
  readonly ending: Ending;
  /** As it really ended. */
  readonly exitNs: number;
  readonly code: number;
}

export interface AgentStory {
  readonly lines: readonly StoryLine[];
  readonly children: readonly Child[];
  /** Infinity = waits for children that live on. */
  readonly endNs: number;
  readonly code: number;
}

const SIGNALS: Record<number, string> = { [-6]: 'SIGABRT', [-9]: 'SIGKILL', [-15]: 'SIGTERM' };

/** The agent's own Python traceback, up to the call that `tail` continues. */
const traceback = (tail: readonly string[]): string[] => [
  'Traceback (most recent call last):',
  '  File "<frozen runpy>", line 198, in _run_module_as_main',
  '  File "<frozen runpy>", line 88, in _run_code',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/run.py", line 1032, in <module>',
  '    main()',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/multiprocessing/errors/__init__.py", line 367, in wrapper',
  '    return f(*args, **kwargs)',
  '           ^^^^^^^^^^^^^^^^^^',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/run.py", line 1028, in main',
  '    run(args)',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/run.py", line 1019, in run',
  '    elastic_launch(',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/launcher/api.py", line 194, in __call__',
  '    return launch_agent(',
  '           ^^^^^^^^^^^^^',
  ...tail,
];

const CHILD_FAILED = traceback([
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/launcher/api.py", line 383, in launch_agent',
  '    raise ChildFailedError(',
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
]);

const AGENT_RUN = [
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/launcher/api.py", line 374, in launch_agent',
  '    result = agent.run()',
  '             ^^^^^^^^^^^',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/metrics/api.py", line 134, in wrapper',
  '    result = f(*args, **kwargs)',
  '             ^^^^^^^^^^^^^^^^^^',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/agent/server/api.py", line 745, in run',
  '    result = self._invoke_run(role)',
  '             ^^^^^^^^^^^^^^^^^^^^^^',
];

const terminated = (pid: number): string[] =>
  traceback([
    ...AGENT_RUN,
    '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/agent/server/api.py", line 923, in _invoke_run',
    '    time.sleep(monitor_interval)',
    '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/multiprocessing/api.py", line 86, in _terminate_process_handler',
    '    raise SignalException(f"Process {os.getpid()} got signal: {sigval}", sigval=sigval)',
    `torch.distributed.elastic.multiprocessing.api.SignalException: Process ${pid} got signal: 15`,
  ]);

const RENDEZVOUS_TIMEOUT = traceback([
  ...AGENT_RUN,
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/agent/server/api.py", line 916, in _invoke_run',
  '    self._initialize_workers(self._worker_group)',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/agent/server/api.py", line 528, in _rendezvous',
  '    rdzv_info = spec.rdzv_handler.next_rendezvous()',
  '                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
  '  File "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py", line 680, in run',
  '    raise RendezvousTimeoutError',
  'torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError',
]);

class AgentWriter {
  readonly lines: StoryLine[] = [];
  readonly #scene: Scene;
  readonly #place: NodePlace;
  readonly #software: Software;

  constructor(scene: Scene, place: NodePlace) {
    this.#scene = scene;
    this.#place = place;
    this.#software = SOFTWARE[scene.spec.backend];
  }

  text(atNs: number, text: string): void {
    this.lines.push({ node: this.#place.index, rank: undefined, atNs, text });
  }

  /** A line of the Python torch logger. */
  log(atNs: number, level: 'W' | 'E', file: string, text: string): void {
    const stamp = this.#scene.stamper.torchLogger(this.#place.clock, atNs);
    this.text(atNs, `${level}${stamp} ${this.#place.agentPid} ${this.#software.elastic}/${file}] ${text}`);
  }

  closing(atNs: number, pid: number): void {
    this.log(
      atNs,
      'W',
      `multiprocessing/api.py:${this.#software.closingLine}`,
      `Sending process ${pid} closing signal SIGTERM`,
    );
  }

  /** The sign that the launcher ended a process that would not go by itself. Python 3.11 prints a signal as its number. */
  forced(atNs: number, pid: number): void {
    const file = `multiprocessing/api.py:${this.#software.closingLine + 19}`;
    this.log(atNs, 'W', file, `Unable to shutdown process ${pid} via 15, forcefully exiting via 9`);
  }

  /** Lightning's handler: the number is the LOCAL rank. */
  received(atNs: number, rank: number): void {
    const { localRank } = placeOf(this.#scene.topology, rank);
    this.lines.push({ node: this.#place.index, rank, atNs, text: `[rank: ${localRank}] Received SIGTERM: 15` });
  }

  failed(atNs: number, child: Child): void {
    const { localRank, pid } = placeOf(this.#scene.topology, child.ending.rank);
    const file = `multiprocessing/api.py:${this.#software.failedLine}`;
    this.log(
      atNs,
      'E',
      file,
      `failed (exitcode: ${child.code}) local_rank: ${localRank} (pid: ${pid}) of binary: /opt/venv/bin/python`,
    );
  }

  giveUp(atNs: number): void {
    this.text(atNs, CHILD_FAILED.join('\n'));
  }

  deathSignal(atNs: number): void {
    const file = `agent/server/api.py:${this.#software.signalLine}`;
    this.log(atNs, 'W', file, 'Received 15 death signal, shutting down workers');
  }
}

export interface Orders {
  /** The launcher itself is told to go at that moment. */
  readonly signalNs?: number | undefined;
  /** It may start its workers over, and says less when it does. */
  readonly mayRestart?: boolean;
  /** Another launcher waits at the rendezvous from then on: this one ends its workers to meet it. */
  readonly othersWaitNs?: number;
}

/** Ends a Pod's children and tells how. */
export function runAgent(scene: Scene, node: number, endings: readonly Ending[], orders: Orders): AgentStory {
  const place = placeOfNode(scene, node);
  const random = scene.random.fork(`agent-${node}`);
  const writer = new AgentWriter(scene, place);
  const { signalNs, othersWaitNs = Infinity } = orders;
  const failing = endings.filter((e) => e.code !== 0 && Number.isFinite(e.exitNs));
  const firstExitNs = Math.min(...failing.map((e) => e.exitNs));
  if (signalNs !== undefined && signalNs < firstExitNs)
    return runSignalled(writer, { scene, endings, signalNs, place });
  const seenNs = firstExitNs + Math.round(random.between(10, 110) * MS);
  if (othersWaitNs < seenNs) {
    const children = endChildren(writer, { scene, endings, seenNs: othersWaitNs, random });
    return { lines: writer.lines, children, endNs: lastExit(children, othersWaitNs), code: 0 };
  }
  if (failing.length === 0) {
    const endNs = Math.max(...endings.map((e) => e.exitNs));
    const children = endings.map((ending) => ({ ending, exitNs: ending.exitNs, code: ending.code }));
    return {
      lines: [],
      children,
      endNs: endNs + Math.round(scene.random.fork(`agent-${node}`).between(50, 300) * MS),
      code: 0,
    };
  }
  const children = endChildren(writer, { scene, endings, seenNs, random });
  const reportNs = lastExit(children, seenNs) + Math.round(random.between(65, 180) * MS);
  const root = children.reduce((a, b) => (b.exitNs < a.exitNs && b.code !== 0 ? b : a), firstFailing(children));
  writer.failed(reportNs, root);
  if (orders.mayRestart === true) return { lines: writer.lines, children, endNs: reportNs, code: 1 };
  writer.giveUp(reportNs);
  writer.text(reportNs + MS, formatBlock(scene, place, { root, children, seenNs, reportNs }));
  return { lines: writer.lines, children, endNs: reportNs + Math.round(random.between(0.3, 1.2) * SECOND), code: 1 };
}

/** Where nobody is stubborn the children are gone within the time that the report takes anyway. */
const lastExit = (children: readonly Child[], seenNs: number): number =>
  Math.max(
    seenNs,
    ...children.filter(({ exitNs }) => exitNs > seenNs + SECOND && exitNs < Infinity).map((c) => c.exitNs),
  );

/** How long a launcher waits after SIGTERM before it sends SIGKILL. */
const GRACE_NS = 30 * SECOND;

/** SIGTERM to all that live. A process of Lightning goes on until it ends by itself or the launcher's patience does. */
function endChildren(
  writer: AgentWriter,
  at: { scene: Scene; endings: readonly Ending[]; seenNs: number; random: Random },
): Child[] {
  const { scene, endings, seenNs, random } = at;
  const stubborn = scene.spec.appLog === 'lightning';
  const children = endings.map((ending): Child => {
    if (ending.exitNs <= seenNs) return { ending, exitNs: ending.exitNs, code: ending.code };
    const delayNs = Math.round(random.between(2, 60) * MS);
    if (!stubborn) return { ending, exitNs: seenNs + delayNs, code: -15 };
    const own = ending.exitNs <= seenNs + GRACE_NS;
    return own
      ? { ending, exitNs: ending.exitNs, code: ending.code }
      : { ending, exitNs: seenNs + GRACE_NS + delayNs, code: -9 };
  });
  for (const { ending, exitNs, code } of children) {
    if (exitNs <= seenNs) continue;
    const { pid } = placeOf(scene.topology, ending.rank);
    writer.closing(seenNs + ending.rank * 1000, pid);
    // A handler of Python runs when the main thread is in Python: not where it waits for the device.
    if (stubborn && scene.runs[ending.rank]?.end === 'hang') writer.received(seenNs + 4 * MS, ending.rank);
    if (stubborn && code === -9) writer.forced(seenNs + GRACE_NS, pid);
  }
  return children;
}

function firstFailing(children: readonly Child[]): Child {
  const found = children.find((child) => child.code !== 0);
  if (found === undefined) throw new Error('no child failed');
  return found;
}

function runSignalled(
  writer: AgentWriter,
  at: { scene: Scene; endings: readonly Ending[]; signalNs: number; place: NodePlace },
): AgentStory {
  writer.deathSignal(at.signalNs);
  const children = at.endings.map((ending, i): Child => {
    writer.closing(at.signalNs + MS + i * 100_000, placeOf(at.scene.topology, ending.rank).pid);
    return { ending, exitNs: at.signalNs + 40 * MS + i * MS, code: -15 };
  });
  const endNs = at.signalNs + 400 * MS;
  writer.text(endNs - 100 * MS, terminated(at.place.agentPid).join('\n'));
  return { lines: writer.lines, children, endNs, code: 1 };
}

/** An agent that waits for others at the rendezvous and gives up. */
export function runLonelyAgent(scene: Scene, node: number, startNs: number, waitS: number): AgentStory {
  const place = placeOfNode(scene, node);
  const writer = new AgentWriter(scene, place);
  const endNs = startNs + waitS * SECOND + Math.round(scene.random.fork(`agent-${node}`).between(200, 900) * MS);
  writer.text(endNs, RENDEZVOUS_TIMEOUT.join('\n'));
  return { lines: writer.lines, children: [], endNs: endNs + 300 * MS, code: 1 };
}

interface BlockInput {
  readonly root: Child;
  readonly children: readonly Child[];
  readonly seenNs: number;
  readonly reportNs: number;
}

function formatBlock(scene: Scene, place: NodePlace, input: BlockInput): string {
  const others = input.children.filter((child) => child !== input.root && child.code !== 0);
  const fields = (index: number, child: Child): string => {
    const { localRank, pid } = placeOf(scene.topology, child.ending.rank);
    const signal = SIGNALS[child.code];
    // Without an error file the time is the moment at which the agent noticed.
    const noticedNs = child.exitNs <= input.seenNs ? input.seenNs : input.reportNs;
    return [
      `[${index}]:`,
      `  time      : ${scene.stamper.block(place.clock, noticedNs)}`,
      `  host      : ${place.pod}`,
      `  rank      : ${child.ending.rank} (local_rank: ${localRank})`,
      `  exitcode  : ${child.code} (pid: ${pid}) ${signal === undefined ? '' : ` (${signal})`}`,
      '  error_file: <N/A>',
      signal === undefined
        ? '  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html'
        : `  traceback : Signal ${-child.code} (${signal}) received by PID ${pid}`,
    ].join('\n');
  };
  const rule = '-'.repeat(60);
  return [
    '='.repeat(60),
    '/workspace/train.py FAILED',
    rule,
    'Failures:',
    ...(others.length === 0 ? ['  <NO_OTHER_FAILURES>'] : others.map((child, i) => fields(i + 1, child))),
    rule,
    'Root Cause (first observed failure):',
    fields(0, input.root),
    '='.repeat(60),
  ].join('\n');
}
