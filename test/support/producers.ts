/** The producers of evidence whose files are in `test/fixtures/producers`: where they are, and what is known not to be read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const PRODUCERS_FOLDER = join(import.meta.dirname, '../fixtures/producers');

export interface Producer {
  readonly title: string;
  /** Paths inside the folder. */
  readonly files: RegExp;
  /** What is known not to be read, in a clause. */
  readonly notRead: string;
}

export const PRODUCERS: readonly Producer[] = [
  {
    title: 'kubectl get pods -o yaml/json, PyTorchJob',
    files: /^pytorchjob\//,
    notRead: 'env from secrets and config maps (told as masked); volumes, probes, tolerations',
  },
  {
    title: 'JobSet, TrainJob, Indexed Job',
    files: /^jobset\//,
    notRead: 'ranks of launchers that number processes themselves',
  },
  {
    title: 'Pods of MPIJob, Volcano, LeaderWorkerSet, Ray, StatefulSet, Polyaxon',
    files: /^labels\//,
    notRead: 'node ranks of Ray workers and of workers whose master nobody names (nothing states them)',
  },
  {
    title: 'kubectl get: tables, events, nodes, leases',
    files: /^kubectl-get\//,
    notRead: 'ages as moments (they are relative to a clock that the table does not name)',
  },
  {
    title: 'kubectl describe pod',
    files: /^kubectl-describe\//,
    notRead: 'volumes, tolerations; descriptions of other kinds than Pods (counted)',
  },
  {
    title: 'kubectl logs, with --timestamps, --previous, --prefix',
    files: /^kubectl-logs\//,
    notRead: 'what a record says beyond its first 16384 characters',
  },
  {
    title: 'container log files of a node (CRI)',
    files: /^cri\//,
    notRead: 'parts of one message beyond 65536 characters',
  },
  { title: 'Docker json-file', files: /^docker-json\//, notRead: 'the Pod behind a container id; `attrs`' },
  {
    title: 'dmesg, journal, syslog',
    files: /^(?:node\/[^/]+|gpu)\/(?:dmesg|journalctl|syslog)/,
    notRead: 'wall time of stamps since boot; lines of daemons in a syslog',
  },
  {
    title: 'chronyc, ntpq, timedatectl',
    files: /^node\/[^/]+\/(?:chronyc|ntpq|timedatectl)/,
    notRead: 'PTP, `chronyc sourcestats`',
  },
  {
    title: 'nvidia-smi',
    files: /^(?:node\/[^/]+|gpu)\/nvidia-smi/,
    notRead: 'CSV without its header; clocks, power, aggregate ECC counters, NVLink state',
  },
  {
    title: 'troubleshoot support bundle',
    files: /^troubleshoot\//,
    notRead:
      'CRDs and resource lists (counted); which host `run-host` ran on; the archive is read by the importer, not here',
  },
  {
    title: 'kubectl cluster-info dump',
    files: /^cluster-info-dump/,
    notRead: 'streams beyond 64 MiB; `-o yaml` in one stream',
  },
  {
    title: 'OpenShift must-gather',
    files: /^must-gather/,
    notRead: 'event-filter.html (a web page), audit and network logs beyond their text',
  },
  {
    title: 'GPU operator must-gather',
    files: /^nvidia-gpu-operator/,
    notRead: 'descriptions of nodes (counted)',
  },
  {
    title: 'nvidia-bug-report.sh',
    files: /^gpu\/nvidia-bug-report/,
    notRead: 'sections other than kernel messages and nvidia-smi (kept as text)',
  },
  {
    title: 'NCCL RAS, as text and as JSON',
    files: /^ras\//,
    notRead: 'error codes and states of ranks; events of `monitor`; ranks where no communicator holds every process',
  },
  {
    title: 'hostfile of mpirun',
    files: /^mpi\//,
    notRead: 'ranks are told, not used: mpirun may have been told another order; hostfiles inside a ConfigMap',
  },
  {
    title: 'stern, kail, kubetail',
    files: /^tails\//,
    notRead: 'stern without stamps before it has announced a Pod',
  },
  {
    title: 'Slurm srun --label',
    files: /^slurm\//,
    notRead: 'components of heterogeneous jobs (`P1 3:`); sacct and scontrol',
  },
  {
    title: 'torchrun --log-dir',
    files: /^torchrun-log-dir\//,
    notRead: 'the Pod, unless a folder above or a rank inside names it',
  },
  {
    title: 'Loki, CloudWatch, Google Cloud, Datadog',
    files: /^exports\//,
    notRead: 'when the service received a record; severity; exports beyond 64 MiB; other separators than commas',
  },
];

/** Every file of the folder by its path inside it, in path order. */
export function producerFiles(): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(PRODUCERS_FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(PRODUCERS_FOLDER, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => path !== 'README.md')
    .sort();
  return new Map(names.map((path) => [path, new Uint8Array(readFileSync(join(PRODUCERS_FOLDER, path)))]));
}
