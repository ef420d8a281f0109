/**
 * Red herrings: lines that look like trouble and are none. A read that failed and was retried, with its traceback; warnings of
 * libraries; a destructor that complains while its process is ending for another reason.
 */
import { MS, SECOND } from '../clock.ts';
import { formatAppLine } from '../loop.ts';
import type { Random } from '../random.ts';
import { placeOf } from '../topology.ts';
import type { Ending, Scene, StoryLine } from './story.ts';

/** Lines of innocent ranks during the run. Empty unless the spec asks for them. */
export function herringLines(scene: Scene): StoryLine[] {
  if (scene.spec.herrings !== true) return [];
  const random = scene.random.fork('herrings');
  const guilty = new Set(scene.plan.truth.firstRanks);
  const innocent = scene.runs.filter((rankRun) => !guilty.has(rankRun.rank) && rankRun.calls.length > 4);
  return random
    .shuffle(innocent)
    .slice(0, 3)
    .flatMap(({ rank, calls }, i) => {
      // Somewhere before the last call that ended: the rank went on after it.
      const done = calls.filter((call) => call.doneNs !== undefined);
      const at = done[Math.floor(done.length * random.between(0.3, 0.9))]?.doneNs;
      if (at === undefined) return [];
      return i === 2 ? [warning(scene, rank, at)] : retriedRead(scene, rank, at);
    });
}

/** Programs say it in their own words. */
const retryWords = (random: Random, shard: string): string =>
  random.pick([
    `reading ${shard} failed, retrying (1/3)`,
    `reading ${shard} failed (attempt 1 of 3), trying again`,
    `could not read ${shard}, using the copy`,
  ]);

function retriedRead(scene: Scene, rank: number, atNs: number): StoryLine[] {
  const { place } = placeOf(scene.topology, rank);
  const random = scene.random.fork(`retry-${rank}`);
  const shard = `shard-${String(random.int(0, 999)).padStart(4, '0')}.bin`;
  const line = (ns: number, level: string, text: string): StoryLine => {
    const stamp = scene.stamper.logging(place.clock, ns);
    return { node: place.index, rank, atNs: ns, text: formatAppLine(scene.spec.appLog, { rank, level, text, stamp }) };
  };
  const failed = line(atNs, 'WARNING', retryWords(random, shard));
  // logging.warning(..., exc_info=True): one write, the traceback without any prefix.
  const traceback = [
    'Traceback (most recent call last):',
    '  File "/workspace/store.py", line 33, in get',
    '    return self.client.read(path)',
    '  File "/workspace/store.py", line 71, in read',
    '    raise TimeoutError(f"{path}: no answer within 5 s")',
    `TimeoutError: ${shard}: no answer within 5 s`,
  ].join('\n');
  return [
    { ...failed, text: `${failed.text}\n${traceback}` },
    line(atNs + Math.round(random.between(20, 400) * MS), 'INFO', `read ${shard} on attempt 2`),
  ];
}

function warning(scene: Scene, rank: number, atNs: number): StoryLine {
  const { place } = placeOf(scene.topology, rank);
  const text =
    '/opt/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py:627: UserWarning: This DataLoader will create 8 worker processes in total. Our suggested max number of worker in current system is 4, which is smaller than what this DataLoader is going to create. Please be aware that excessive worker creation might get DataLoader running slow or even freeze, lower the worker number to avoid potential slowness/freeze if necessary.\n  warnings.warn(';
  return { node: place.index, rank, atNs, text };
}

/** A process that ends by its own exception may complain once more on its way out. */
export function withTeardownNoise(scene: Scene, ending: Ending): Ending {
  if (scene.spec.herrings !== true || ending.code !== 1) return ending;
  const random = scene.random.fork(`teardown-noise-${ending.rank}`);
  if (!random.chance(0.5)) return ending;
  const text = [
    `Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f${random.hex(10)}>`,
    'Traceback (most recent call last):',
    '  File "/opt/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1618, in __del__',
    '    self._shutdown_workers()',
    '  File "/opt/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1582, in _shutdown_workers',
    '    w.join(timeout=_utils.MP_STATUS_CHECK_INTERVAL)',
    `RuntimeError: DataLoader worker (pid ${random.int(200, 900)}) is killed by signal: Terminated. `,
  ].join('\n');
  return { ...ending, lines: [...ending.lines, { atNs: ending.exitNs - 0.05 * SECOND, text }] };
}
