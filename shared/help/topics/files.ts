/** Containers and kinds of files. */
import { ENTRY_STATUS_WORD, GAP_STATE_WORD } from '../../text/entry-text.ts';
import type { HelpPage } from '../types.ts';

export const containers: HelpPage = {
  id: 'topic/containers',
  kind: 'topic',
  title: 'Archives and other containers',
  lead: 'What a bundle may be packed in, and what is refused.',
  sections: [
    {
      title: 'Opened',
      text: '- folders; several inputs are one incident that was sent in parts\n- tar, plain or in gzip, zstd, xz or bzip2\n- zip, with large ones, several volumes, and encrypted ones (the password is asked for, or given to the terminal program)\n- single compressed files, also compressed twice\n- archives inside archives, and archives cut into parts (`.aa`, `.001`, `.part1`)',
    },
    { title: 'Named and not opened', text: '7z and rar are recognised and named. Unpack them and give the folder.' },
    {
      title: 'Refused',
      text: 'Names that leave the bundle, links out of it, devices, files stored with holes, and sizes or ratios beyond the limits. Each is listed; the rest is read. A pickle that asks to import or run something is refused with the place in it: nothing in it was run.',
    },
    {
      title: 'Cut archives',
      text: 'What stands before the cut is read, and the place of the cut is told.',
    },
  ],
  keywords: [
    'tar',
    'gzip',
    'zip',
    'zstd',
    'xz',
    'bzip2',
    '7z',
    'rar',
    'archive',
    'split',
    'nested',
    'refused',
    'truncated',
  ],
  seeAlso: ['topic/file-kinds'],
};

export const fileKinds: HelpPage = {
  id: 'topic/file-kinds',
  kind: 'topic',
  title: 'Kinds of files',
  lead: 'Files are recognised by what is in them; their names are only hints.',
  sections: [
    {
      title: 'Read as evidence',
      text: [
        "- **Pod log**: output of a container, with or without stamps, as `kubectl logs`, CRI and Docker write it, torchrun's folders, labels of srun, mpirun, stern",
        '- **Log export**: what log services give out, as JSON or CSV',
        '- **Recorder dump**: Flight Recorder, as pickle or JSON, one file a rank; whole, cut or with unfinished calls only',
        '- **Kubernetes objects (YAML)**, **Kubernetes objects (JSON)**: Pods, nodes, events, Leases, jobs and their owners',
        '- **Pods (kubectl table)**, **Events (kubectl table)**, **Nodes (kubectl table)**, **Pod description**: what `kubectl get` and `describe` print',
        '- **Kernel log**: dmesg and journals: memory kills, Xid, links, disks',
        '- **GPU state**, **NVIDIA bug report**: nvidia-smi and DCGM; mostly taken after the incident',
        '- **Host pressure**: cgroup counters (`cpu.stat`, `memory.events`), PSI, `/proc/meminfo`, `df`, `free`, `top`, `uptime`, `kubectl top`, alone or under headings in one text; a state of the moment it was asked for, mostly after the failure',
        '- **torchrun error file**: `error.json` beside the logs of a worker; its time is that of the exception',
        '- **NCCL RAS report**, **NCCL RAS report (JSON)**: counts of collectives by rank, from NCCL itself',
        '- **MPI hostfile**: hosts and slots of an MPI job, which give the size of the job',
        '- **Time service state**: chrony, ntpq, timedatectl, ptp4l',
        "- **Collector's record**: what a collector asked for, and what it did not get",
        '- **Unknown text**: read line by line for known lines, nothing else',
      ].join('\n'),
    },
    {
      title: 'Left aside',
      text: '**HTML page**, **Image**, **Archive inside the bundle** (where nesting is too deep), **Binary file**, **Unknown binary file**.',
    },
    {
      title: 'States of a file',
      text: Object.values(ENTRY_STATUS_WORD)
        .map((word) => `- ${word}`)
        .join('\n'),
    },
    {
      title: 'States of something that is missing',
      text: `${Object.values(GAP_STATE_WORD)
        .map((word) => `- ${word}`)
        .join(
          '\n',
        )}\n\n"${GAP_STATE_WORD.absent}" means that the bundle shows it was asked for; "${GAP_STATE_WORD['not-collected']}" that nobody gathered it. Only the first is evidence.`,
    },
  ],
  keywords: [
    'format',
    'log',
    'dump',
    'pickle',
    'yaml',
    'json',
    'dmesg',
    'nvidia-smi',
    'cpu.stat',
    'memory.events',
    'df',
    'events',
    'recognised',
    'gap',
  ],
  seeAlso: ['topic/containers', 'topic/collecting'],
};
