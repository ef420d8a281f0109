/**
 * What the path of a log says about its place. Paths are hints of whoever collected: Pod names are given as found, the
 * rank map decides which of them are Pods of the job.
 *
 *   var/log/pods/NS_POD_UID/CTR/2.log                      node log: restart number 2
 *   var/log/containers/POD_NS_CTR-ID.log                   its link
 *   namespaces/NS/pods/POD/CTR/CTR/logs/previous.log       must-gather
 *   cluster-resources/pods/logs/NS/POD/CTR-previous.log    troubleshoot
 *   logs/NS/POD/CTR.log  …/POD/CTR.previous.log           Rancher's bundle, collectors' scripts
 *   gpu_operand_pod_POD.log                               GPU operator's must-gather
 *   nccl.HOST.PID.log                                     NCCL_DEBUG_FILE: in a Pod the host is its name
 *   POD.log  POD.previous.log  POD_CTR.log  POD.timestamps.log
 *   …/POD/RUNID_random/attempt_1/3/stderr.log              torchrun --log-dir: attempt 1, LOCAL rank 3
 *   rank-12.log  node-a-rank0.log  rank_3/stdout.log       rank
 *   nodes/NODE/…                                           host
 */

export interface PathFacts {
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly namespace: string | undefined;
  readonly podUid: string | undefined;
  readonly restart: number | undefined;
  readonly previous: boolean;
  readonly attempt: number | undefined;
  readonly localRank: number | undefined;
  readonly fileRank: number | undefined;
  readonly host: string | undefined;
}

const DNS_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^[0-9a-f]{32}$/;
const RANK_IN_NAME = /(?:^|[^A-Za-z0-9])(?:global)?rank[-_.=]?(\d{1,7})(?![0-9A-Za-z])/i;
/** Ends of log names that say nothing about the place. */
const LOG_SUFFIX =
  /(?:\.(?:logs?|json|txt|out|err|stdout|stderr|previous|prev|current|timestamps|timestamp|tail|full|\d{1,3})|\.\d{8}-\d{6}|[-_](?:previous|prev|logs-errors))+$/i;
const PREVIOUS = /(?:^|[._-])(?:previous|prev)(?:[._-]|$)/i;
/** Names of folders and files that are never a Pod's. */
const PLAIN_NAMES = new Set([
  'logs',
  'log',
  'pods',
  'pod',
  'containers',
  'var',
  'bundle',
  'torchrun',
  'torchrun-log-dir',
  'torchrun-logs',
  'torchelastic',
  'log-dir',
  'nodes',
  'node',
  'stdout',
  'stderr',
  'output',
  'outputs',
  'attempt',
  'tmp',
  'home',
  'root',
  'workspace',
  'data',
  'namespaces',
  'cluster-resources',
  'core',
  'rotated',
  'previous',
  'current',
  'lib',
  'docker',
  'flight-recorder',
  'results',
  'files',
  'collected',
  'incident',
  'dump',
  'mnt',
  'opt',
  'usr',
  'error',
  'train',
  'training',
  'main',
  'run',
  'job',
  'launcher',
  'console',
  // what runs on a node beside Pods
  'dmesg',
  'kern',
  'kernel',
  'journal',
  'journalctl',
  'syslog',
  'messages',
  'kubelet',
  'containerd',
  'crio',
  'chronyd',
  'nvidia-smi',
]);

/** A path that says nothing of the file's place. */
export const UNTOLD_PLACE: PathFacts = {
  pod: undefined,
  container: undefined,
  namespace: undefined,
  podUid: undefined,
  restart: undefined,
  previous: false,
  attempt: undefined,
  localRank: undefined,
  fileRank: undefined,
  host: undefined,
};

export function readPath(path: string): PathFacts {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const name = parts.at(-1) ?? '';
  const common = {
    host: hostOf(parts),
    fileRank: rankInName(name) ?? rankOfFolder(parts.at(-2) ?? ''),
    previous: PREVIOUS.test(name),
  };
  const place =
    nodeLog(parts) ??
    containerLink(parts) ??
    cloudExport(parts) ??
    clusterDump(parts) ??
    torchrunDir(parts) ??
    podFolder(parts) ??
    toolName(name) ??
    flatName(name);
  return { ...UNTOLD_PLACE, ...common, ...place };
}

/** Pod of `POD.log` and its like; undefined if the name cannot be one. */
export function podFromFileName(path: string): string | undefined {
  const stem = (path.split('/').at(-1) ?? '').replace(LOG_SUFFIX, '');
  const pod = stem.split('_')[0] ?? '';
  return isPodsOwnName(pod) ? pod : undefined;
}

const canBePod = (text: string): boolean =>
  DNS_NAME.test(text) && !PLAIN_NAMES.has(text) && !/^(?:\d+|[0-9a-f]{64}(?:-json)?)$|^slurm-\d/.test(text);

const rankInName = (name: string): number | undefined => {
  const digits = RANK_IN_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** A folder counts only if it is nothing but a rank: `rank_3/`. */
const rankOfFolder = (name: string): number | undefined => {
  const digits = /^(?:global[-_]?)?rank[-_.=]?(\d{1,7})$/i.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Names of a node's files that carry the host: `dmesg-gpu-node-03.txt`, `gpu-node-03.dmesg.log`, `gpu_device_usage_NODE.log`. */
const HOST_IN_NAME =
  /^(?:dmesg|kernel|kern|journalctl|journal|syslog|messages|gpu_device_usage|nvidia-bug-report|nvidia-smi(?:-[qL])?)[-_.]([a-z0-9][a-z0-9.-]{1,100}?)\.(?:txt|log)$|^([a-z0-9][a-z0-9.-]{1,100}?)[-_.](?:dmesg|kernel|kern|journalctl|journal|syslog|messages)(?:\.(?:txt|log))?$/;

function hostOf(parts: readonly string[]): string | undefined {
  const at = parts.findIndex((part) => part === 'nodes' || part === 'node' || part === 'hosts' || part === 'host');
  const host = at < 0 || at + 2 > parts.length - 1 ? undefined : parts[at + 1];
  if (host !== undefined && DNS_NAME.test(host.toLowerCase())) return host;
  const named = HOST_IN_NAME.exec(parts.at(-1) ?? '');
  return named?.[1] ?? named?.[2];
}

/** `…/NS_POD_UID/CTR/N.log[.rotated]`: neither namespace nor Pod can hold an underscore. */
function nodeLog(parts: readonly string[]): Partial<PathFacts> | undefined {
  const [folder = '', container = '', file = ''] = parts.slice(-3);
  const [namespace = '', pod = '', uid = '', more] = folder.split('_');
  if (more !== undefined || !DNS_NAME.test(namespace) || !DNS_NAME.test(pod) || !UID.test(uid)) return undefined;
  const restart = /^(\d{1,6})\.log/.exec(file)?.[1];
  return { namespace, pod, podUid: uid, container, restart: restart === undefined ? undefined : Number(restart) };
}

/** `POD_NS_CTR-64HEX.log` */
function containerLink(parts: readonly string[]): Partial<PathFacts> | undefined {
  const match = /^([a-z0-9.-]{1,253})_([a-z0-9-]{1,63})_([a-z0-9-]{1,63})-[0-9a-f]{64}\.log/.exec(parts.at(-1) ?? '');
  return match === null ? undefined : { pod: match[1], namespace: match[2], container: match[3] };
}

const CLOUD_STREAM =
  /^(?:[\w-]{1,60}\.)?(?:var\.log\.containers\.)?([a-z0-9][a-z0-9.-]{0,252})_([a-z0-9-]{1,63})_([a-z0-9][a-z0-9-]{0,62}?)(?:-[0-9a-f]{64})?(?:\.log)?$/;

/** A log service's stream `POD_NS_CTR`, as log shippers name it (`…var.log.containers.POD_NS_CTR-ID.log`). */
export function readFolderName(
  name: string,
): { readonly pod: string; readonly namespace: string; readonly container: string } | undefined {
  const [, pod, namespace, container] = CLOUD_STREAM.exec(name) ?? [];
  return pod === undefined || namespace === undefined || container === undefined
    ? undefined
    : { pod, namespace, container };
}

/** `…/exportedlogs/TASK/STREAM/000000.gz`: CloudWatch's export to S3. */
function cloudExport(parts: readonly string[]): Partial<PathFacts> | undefined {
  return /^\d{6}(?:\.gz)?$/.test(parts.at(-1) ?? '') ? readFolderName(parts.at(-2) ?? '') : undefined;
}

/** must-gather's `pods/POD/CTR/…/logs/FILE`, troubleshoot's `pods/logs/NS/POD/CTR.log`, cluster-info dump's `NS/POD/logs.txt`. */
function clusterDump(parts: readonly string[]): Partial<PathFacts> | undefined {
  const at = parts.lastIndexOf('pods');
  if (at >= 0 && parts[at + 1] === 'logs' && parts.length === at + 5) {
    const container = (parts[at + 4] ?? '').replace(LOG_SUFFIX, '');
    return { namespace: parts[at + 2], pod: parts[at + 3], container };
  }
  if (at >= 0 && parts.includes('logs', at + 3)) {
    const namespaces = parts.lastIndexOf('namespaces', at);
    const namespace = namespaces >= 0 ? parts[namespaces + 1] : undefined;
    const restart = /^(\d{1,6})\.log/.exec(parts.at(-1) ?? '')?.[1];
    return {
      namespace,
      pod: parts[at + 1],
      container: parts[at + 2],
      restart: restart === undefined ? undefined : Number(restart),
    };
  }
  const [namespace, pod, file] = parts.slice(-3);
  if (file === 'logs.txt' && pod !== undefined && canBePod(pod)) return { namespace, pod };
  return undefined;
}

/** `…/attempt_A/LOCALRANK/FILE`; the Pod is the nearest part before it that can be one. */
function torchrunDir(parts: readonly string[]): Partial<PathFacts> | undefined {
  const at = parts.findLastIndex((part) => /^attempt_\d{1,6}$/.test(part));
  const local = parts[at + 1] ?? '';
  if (at < 0 || at + 2 >= parts.length || !/^\d{1,5}$/.test(local)) return undefined;
  const attempt = Number((parts[at] ?? '').slice('attempt_'.length));
  return { attempt, localRank: Number(local), pod: parts.slice(0, at).findLast(isPodsOwnName) };
}

/** Names that only operators give: `JOB-worker-3`, `SET-node-0-1-x7k2p`. A folder of another name may be anything. */
const OPERATORS_NAME =
  /-(?:master|worker|launcher|chief|leader|head|ps)-\d{1,5}$|-\d{1,5}-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const STREAM_NAMES = new Set(['stdout', 'stderr', 'output', 'out', 'err', 'log', 'logs', 'current', 'console']);

/** `…/POD/CTR.log`: a folder that surely is a Pod's, with files that have no numbers of their own. */
function podFolder(parts: readonly string[]): Partial<PathFacts> | undefined {
  const pod = parts.at(-2) ?? '';
  const stem = (parts.at(-1) ?? '').replace(LOG_SUFFIX, '');
  if (!OPERATORS_NAME.test(pod) || !canBePod(pod) || !/^[a-z][a-z-]{0,62}$/.test(stem)) return undefined;
  const container = STREAM_NAMES.has(stem) || stem === 'previous' ? undefined : stem;
  if (container !== undefined && !canBePod(container) && !CONTAINER_NAMES.has(container)) return undefined;
  return { pod, container, namespace: parts.at(-4) === 'logs' ? parts.at(-3) : undefined };
}
/** Among the names that are no Pod's. */
const CONTAINER_NAMES = new Set(['main', 'train', 'training', 'launcher', 'node']);

/** Files whose names a tool makes up. */
function toolName(name: string): Partial<PathFacts> | undefined {
  const operand = /^gpu_oper(?:and|ator)_pod_([a-z0-9][a-z0-9.-]{0,252}?)(?:\.previous)?\.log$/.exec(name)?.[1];
  if (operand !== undefined) return { pod: operand };
  const nccl = /^nccl(?:[._-]debug)?[._]([a-z0-9][a-z0-9-]{0,62})[._]\d{1,8}(?:\.log|\.txt)?$/i.exec(name)?.[1];
  return nccl === undefined ? undefined : { pod: nccl };
}

/** Words that files and hosts are called by; a name that begins with one and adds only more, numbers and letters says nothing about a Pod. */
const PLAIN_WORDS =
  /^(?:(?:node|host|rank|proc|gpu|server|machine)s?\d{0,6}|nccl|mpi|mpirun|slurm|srun|ray|torch|torchrun|pytorch|all|every|everything|combined|merged|collected|whole|part|file|log|logs|out|err|output|std|stdout|stderr|train|training|trainer|run|job|app|debug|trace|current|previous|prev|old|new|first|last|latest|attempt|step|epoch|launcher|console|text|data)$/;

/**
 * Can a file's name alone be a Pod's? Names that operators give are; others need a dash, as the names of generated Pods have, a word of
 * their own and no further ending: `c81.bin`, `mpi`, `node-a`, `all-ranks` may be anything. A Pod that the bundle's objects name is
 * found in paths whatever it is called.
 */
function isPodsOwnName(name: string): boolean {
  if (!canBePod(name) || RANK_IN_NAME.test(name)) return false;
  if (OPERATORS_NAME.test(name)) return true;
  const [first = '', ...others] = name.split('-');
  const isPlain =
    PLAIN_WORDS.test(first) && others.every((word) => /^(?:[a-z]|\d+)$/.test(word) || PLAIN_WORDS.test(word));
  return others.length > 0 && !name.includes('.') && !UID.test(name) && !isPlain;
}

/** `POD.log`, `POD.previous.log`, `POD_CTR.log`. */
function flatName(name: string): Partial<PathFacts> {
  // `node-a-rank0.log`: what stands before the rank may be a Pod or a host.
  const stem = name.replace(LOG_SUFFIX, '').replace(/[-_.](?:global)?rank[-_.=]?\d{1,7}$/i, '');
  const [pod = '', container, more] = stem.split('_');
  if (more !== undefined || !isPodsOwnName(pod)) return {};
  return { pod, container: container !== undefined && DNS_NAME.test(container) ? container : undefined };
}
