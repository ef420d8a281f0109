/**
 * Workers of a job that was started over while the first attempt's addresses were still in the store: gloo connects to ports that nobody
 * listens at any more, gives up after three retries, and every rank ends with the same error. Nobody is first in any sense that matters.
 */
import { MS, SECOND } from '../clock.ts';
import { placeOf } from '../topology.ts';
import { type Ending, randomOf, type Scene } from './story.ts';

const GLOO = '/__w/pytorch/pytorch/third_party/gloo/gloo/transport/tcp';
const SITE = '/opt/venv/lib/python3.11/site-packages/torch';

export const meshEndings = (scene: Scene): Ending[] => scene.runs.map(({ rank }) => unconnected(scene, rank));

function unconnected(scene: Scene, rank: number): Ending {
  const { place } = placeOf(scene.topology, rank);
  const random = randomOf(scene, 'mesh', rank);
  const master = scene.topology.nodes.find(({ groupRank }) => groupRank === 0)?.podIp ?? place.podIp;
  const remote = `[${master}]:${scene.random.fork(`port-${place.index}`).int(20_000, 60_000)}$${rank}`;
  const beganNs = (scene.runs[rank]?.endNs ?? 0) + Math.round(random.between(5, 20) * MS);
  const refused = 'SO_ERROR: Connection refused';
  const lines = [1, 2, 3, 4].map((retry) => ({
    atNs: beganNs + retry * 200_000,
    text: `[${GLOO}/debug_logger.cc:9] ERROR failed to connect, willRetry=${retry < 4 ? 1 : 0}, retry=${retry}, retryLimit=3, rank=${rank}, size=${scene.topology.worldSize}, local=[${place.podIp}]:${random.int(10_000, 60_000)}, remote=${remote}, error=${refused}`,
  }));
  const failedNs = beganNs + 4 * MS;
  const stamp = scene.stamper.cppLogger(place.clock, failedNs);
  const what = `Gloo connectFullMesh failed with [${GLOO}/pair.cc:152] timed out connecting: ${refused}, remote=${remote}`;
  lines.push({ atNs: failedNs, text: `[E${stamp} ProcessGroupGloo.cpp:67] ${what}` });
  // The hook that marks tracebacks with the rank is set when the group is ready.
  const traceback = [
    'Traceback (most recent call last):',
    '  File "/workspace/train.py", line 231, in <module>',
    '    dist.init_process_group("gloo", timeout=timeout)',
    `  File "${SITE}/distributed/c10d_logger.py", line 81, in wrapper`,
    '    return func(*args, **kwargs)',
    `  File "${SITE}/distributed/distributed_c10d.py", line 1769, in init_process_group`,
    '    default_pg, _ = _new_process_group_helper(',
    `RuntimeError: ${what}`,
  ].join('\n');
  lines.push({ atNs: failedNs + 10 * MS, text: traceback });
  return { rank, lines, dumpNs: undefined, exitNs: failedNs + Math.round(random.between(0.4, 2) * SECOND), code: 1 };
}
