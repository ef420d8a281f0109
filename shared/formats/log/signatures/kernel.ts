/** Lines of the kernel's log. They are also met in logs that hold everything of a node. */
import type { EventBody } from '../../../model/events.ts';
import { defineSignature, type Notes, num } from './define.ts';

const UID = /pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})(?![0-9a-f])/;
const CONTAINER = /(?:^|[/-])([0-9a-f]{64})(?:\.scope)?(?:$|[/,])/;

type Scope = 'container' | 'pod' | 'node' | 'unknown';

/** `oom_memcg` says whose limit was hit: a container's, a Pod's, or a group above them. */
function scopeOf(constraint: string, limitPath: string): Scope {
  if (constraint === 'CONSTRAINT_NONE') return 'node';
  if (CONTAINER.test(limitPath)) return 'container';
  if (UID.test(limitPath)) return 'pod';
  return /kubepods(?:\.slice)?(?:\/(?:burstable|besteffort|kubepods-\w{1,20}\.slice))?$/.test(limitPath)
    ? 'node'
    : 'unknown';
}

function oomBody(pid: number, process: string, cgroup: string | undefined, scope: Scope): EventBody {
  return {
    kind: 'oom-kill',
    pid,
    process,
    podUid: UID.exec(cgroup ?? '')?.[1]?.replaceAll('_', '-'),
    containerId: CONTAINER.exec(cgroup ?? '')?.[1],
    scope,
  };
}

const OOM_LINE =
  /^oom-kill:constraint=(CONSTRAINT_\w{1,20}),.{0,400}?(?:oom_memcg=([^,]{1,600}),)?(?:global_oom,)?task_memcg=([^,]{1,600}),task=(.{0,40}?),pid=(\d{1,8}),uid=/;
const KILLED =
  /^(Memory cgroup out of memory|Out of memory(?: \(oom_kill_allocating_task\))?): Killed process (\d{1,8}) \((.{0,40}?)\)/;
const KILLED_OLD = /^Killed process (\d{1,8}) \((.{0,40}?)\),? (?:UID \d{1,10},? )?total-vm/;
const GROUP = /^Tasks in (\S{1,600}) are going to be killed due to memory\.oom\.group set/;
const OLD_LIMIT = /^Task in (\S{1,600}) killed as a result of limit of (\S{1,600})/;

/**
 * The kernel's memory killer. `oom-kill:constraint=…` names cgroup, task and limit; `Killed process` lines below it name
 * each process that dies (several with memory.oom.group). One event per process.
 */
export const oomKill = defineSignature({
  id: 'kernel-oom',
  literals: ['oom-kill:constraint=', 'Killed process ', 'memory.oom.group', 'killed as a result of limit of'],
  match({ text, notes }) {
    const oom = OOM_LINE.exec(text);
    if (oom !== null) {
      const [, constraint = '', limit = '', cgroup = '', task = '', pid] = oom;
      const scope = scopeOf(constraint, limit);
      remember(notes, cgroup, scope, Number(pid));
      return { body: oomBody(Number(pid), task, cgroup, scope) };
    }
    const group = GROUP.exec(text);
    if (group !== null) {
      remember(notes, group[1], notes.oomScope ?? 'container', notes.oomPid);
      return undefined;
    }
    const old = OLD_LIMIT.exec(text);
    if (old !== null) {
      remember(notes, old[1], scopeOf('CONSTRAINT_MEMCG', old[2] ?? ''), undefined);
      return undefined;
    }
    const killed = KILLED.exec(text);
    const plain = killed === null ? KILLED_OLD.exec(text) : null;
    const pid = num(killed?.[2] ?? plain?.[1]);
    if (pid === undefined || pid === notes.oomPid) return undefined;
    const ofGroup = killed === null || killed[1]?.startsWith('Memory cgroup') === true;
    const scope: Scope = ofGroup ? (notes.oomScope ?? 'unknown') : 'node';
    return { body: oomBody(pid, killed?.[3] ?? plain?.[2] ?? '', ofGroup ? notes.oomCgroup : undefined, scope) };
  },
  samples: [
    {
      text: 'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/kubepods/burstable/podf5bb56bf-b7ce-4970-a822-02bc480ec12e/c73c393b8a0c10c3c2b4d3d5110b02635cb34e58f7ecda85fb1ff6b7411bdc7e,task_memcg=/kubepods/burstable/podf5bb56bf-b7ce-4970-a822-02bc480ec12e/c73c393b8a0c10c3c2b4d3d5110b02635cb34e58f7ecda85fb1ff6b7411bdc7e,task=python,pid=5228,uid=0',
      expect: {
        kind: 'oom-kill',
        pid: 5228,
        process: 'python',
        podUid: 'f5bb56bf-b7ce-4970-a822-02bc480ec12e',
        containerId: 'c73c393b8a0c10c3c2b4d3d5110b02635cb34e58f7ecda85fb1ff6b7411bdc7e',
        scope: 'container',
      },
    },
    {
      text: 'Out of memory: Killed process 77 (python) total-vm:2451144kB, anon-rss:1616480kB',
      expect: {
        kind: 'oom-kill',
        pid: 77,
        process: 'python',
        podUid: undefined,
        containerId: undefined,
        scope: 'node',
      },
    },
    {
      text: 'Memory cgroup out of memory: Killed process 78 (pt_main_thread) total-vm:2451144kB, anon-rss:1616480kB',
      expect: {
        kind: 'oom-kill',
        pid: 78,
        process: 'pt_main_thread',
        podUid: undefined,
        containerId: undefined,
        scope: 'unknown',
      },
    },
  ],
  nearMisses: ['pt_data_worker invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0', 'Killed process list follows'],
});

function remember(notes: Notes, cgroup: string | undefined, scope: Scope, pid: number | undefined): void {
  notes.oomCgroup = cgroup;
  notes.oomScope = scope;
  notes.oomPid = pid;
}

const XID =
  /NVRM: Xid \((?:PCI:)?([0-9a-fA-F:.]{5,20})\): (\d{1,4})(?:, pid=('?[^,]{1,40}'?), name=([^,]{0,60}))?(?:, (.{0,400}))?/;
const LOST = /NVRM: GPU ([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})(?:\.\d)?: GPU has fallen off the bus/;
const SXID = /nvidia-nvswitch\d{1,3}: SXid \((?:PCI:)?([0-9a-fA-F:.]{5,20})\): (\d{1,6}), (.{0,300})/;

/** The driver's error codes of GPUs (Xid) and NVSwitches (SXid, five digits). */
export const xid = defineSignature({
  id: 'kernel-xid',
  literals: ['NVRM: Xid (', 'GPU has fallen off the bus', ': SXid ('],
  match({ text }) {
    const match = XID.exec(text);
    if (match !== null) {
      const pid = num(/^'?(\d{1,8})'?$/.exec(match[3] ?? '')?.[1]);
      const said = [match[4] && `name=${match[4]}`, match[5]]
        .filter((part) => part !== undefined && part !== '')
        .join(', ');
      return { body: { kind: 'xid', pci: (match[1] ?? '').toLowerCase(), code: Number(match[2]), pid, text: said } };
    }
    const lost = LOST.exec(text);
    if (lost !== null) {
      return {
        body: {
          kind: 'xid',
          pci: (lost[1] ?? '').toLowerCase(),
          code: 79,
          pid: undefined,
          text: 'GPU has fallen off the bus',
        },
      };
    }
    const sxid = SXID.exec(text);
    if (sxid === null) return undefined;
    return {
      body: {
        kind: 'xid',
        pci: (sxid[1] ?? '').toLowerCase(),
        code: Number(sxid[2]),
        pid: undefined,
        text: sxid[3] ?? '',
      },
    };
  },
  samples: [
    {
      text: 'NVRM: Xid (PCI:0000:9d:00): 79, pid=41877, name=pt_main_thread, GPU has fallen off the bus.',
      expect: {
        kind: 'xid',
        pci: '0000:9d:00',
        code: 79,
        pid: 41_877,
        text: 'name=pt_main_thread, GPU has fallen off the bus.',
      },
    },
    {
      text: "NVRM: Xid (PCI:0000:9d:00): 43, pid='<unknown>', name=<unknown>, Ch 00000010",
      expect: { kind: 'xid', pci: '0000:9d:00', code: 43, pid: undefined, text: 'name=<unknown>, Ch 00000010' },
    },
    {
      text: 'NVRM: Xid (PCI:0000:9d:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)',
      expect: {
        kind: 'xid',
        pci: '0000:9d:00',
        code: 154,
        pid: undefined,
        text: 'GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)',
      },
    },
    {
      text: 'NVRM: GPU 0000:9d:00.0: GPU has fallen off the bus.',
      expect: { kind: 'xid', pci: '0000:9d:00', code: 79, pid: undefined, text: 'GPU has fallen off the bus' },
    },
    {
      text: 'nvidia-nvswitch0: SXid (PCI:0000:c4:00.0): 20034, Fatal, Link 30 LTSSM Fault Up',
      expect: { kind: 'xid', pci: '0000:c4:00.0', code: 20_034, pid: undefined, text: 'Fatal, Link 30 LTSSM Fault Up' },
    },
  ],
  nearMisses: ['NVRM: GPU at PCI:0000:9d:00: GPU-5f0d3a9e', 'what if a GPU has fallen off the bus?'],
});

const LINK =
  /^(\S{1,40} [0-9a-f:.]{4,20} [\w.@-]{1,40}): [Ll]ink (down|up)\b|^(?:IPv6: )?(\S{1,60}?): (?:NIC )?[Ll]ink (?:is )?(down|up|Down|Up)\b|^bonding: .{0,60}?link status definitely (down|up) for interface (\S{1,40})|^(?:infiniband )?(\S{1,40}): (?:IB )?port \d{1,3} state changed to (DOWN|INIT|ACTIVE)/;

/** A network link went down or came back. Relevant within the hang's window and on a device that the job uses. */
export const linkEvent = defineSignature({
  id: 'kernel-link',
  literals: ['ink down', 'ink up', 'ink is ', 'link status definitely', 'state changed', 'ink Down', 'ink Up'],
  match({ text }) {
    const match = LINK.exec(text);
    if (match === null) return undefined;
    const device = match[1]?.split(' ').at(-1) ?? match[3] ?? match[6]?.replace(/,.*/, '') ?? match[7] ?? '';
    const state = (match[2] ?? match[4] ?? match[5] ?? match[8] ?? '').toLowerCase();
    return { body: { kind: 'link-event', device, up: state === 'up' || state === 'active', text } };
  },
  samples: [
    {
      text: 'mlx5_core 0000:5e:00.0 ens2f0np0: Link down',
      expect: {
        kind: 'link-event',
        device: 'ens2f0np0',
        up: false,
        text: 'mlx5_core 0000:5e:00.0 ens2f0np0: Link down',
      },
    },
    {
      text: 'mlx5_core 0000:5e:00.0 ens2f0np0: Link up',
      expect: { kind: 'link-event', device: 'ens2f0np0', up: true, text: 'mlx5_core 0000:5e:00.0 ens2f0np0: Link up' },
    },
    {
      text: 'eth0: Link is Down',
      expect: { kind: 'link-event', device: 'eth0', up: false, text: 'eth0: Link is Down' },
    },
  ],
  nearMisses: ['the download link is up on the page', 'pod state changed to Running'],
});

type Note = Extract<EventBody, { kind: 'kernel-note' }>['what'];

const NOTES: readonly (readonly [Note, RegExp])[] = [
  ['blocked-task', /^(?:INFO: )?task .{1,40}:(\d{1,8}) blocked for more than \d{1,6} seconds/],
  [
    'soft-lockup',
    /BUG: soft lockup - CPU#\d{1,5} stuck for \d{1,6}s! \[.{1,40}:(\d{1,8})\]|NMI watchdog: Watchdog detected hard LOCKUP|rcu: INFO: rcu_\w{1,20} (?:self-)?detected stalls?/,
  ],
  ['panic', /^Kernel panic - not syncing|^mce: \[Hardware Error\]|^EDAC .{0,60}\bUE\b|^Oops: |BUG: unable to handle/],
  [
    'nfs',
    /^nfs: server \S{1,200} (?:not responding|OK)|^LustreError: |^ceph: .{0,100}hung|^NFS: .{0,80}(?:timed out|error)/,
  ],
  [
    'disk',
    /^EXT4-fs (?:error|warning)|^XFS .{0,60}(?:error|shutdown|Corruption)|Remounting filesystem read-only|^nvme\S{0,20}.{0,60}timeout|I\/O error, dev |^Buffer I\/O error|^blk_update_request: .{0,40}error/,
  ],
  [
    'pcie',
    /AER: .{0,80}(?:[Ee]rror|Uncorrected|Corrected)|PCIe Bus Error|insufficient power on the PCIe slot|DPC: containment event/,
  ],
  [
    'nic',
    /mlx5_core .{0,120}(?:module event|health poll failed|assert_var|health compromised|unrecoverable|Will cause a leak of a command resource|Cable error)|NETDEV WATCHDOG: .{0,60}transmit queue|nvidia-peermem .{0,120}ERROR/,
  ],
  [
    'segfault',
    /^[^\s[]{1,40}\[(\d{1,8})\]: segfault at .{1,200}|traps: .{1,60}\[(\d{1,8})\] (?:trap|general protection)/,
  ],
  ['reboot', /^Linux version \d|^reboot: /],
];

/** What the kernel says about disks, buses, processors and memory of the host. */
export const kernelNote = defineSignature({
  id: 'kernel-note',
  literals: [
    'blocked for more than',
    'soft lockup',
    'hard LOCKUP',
    'detected stall',
    'self-detected',
    'Kernel panic',
    'mce: [Hardware',
    'EDAC ',
    'Oops: ',
    'BUG: unable',
    'nfs: server',
    'LustreError',
    'ceph: ',
    'NFS: ',
    'EXT4-fs',
    'XFS ',
    'read-only',
    'nvme',
    'I/O error',
    'update_request',
    'AER: ',
    'PCIe Bus Error',
    'on the PCIe slot',
    'DPC: ',
    'mlx5_core',
    'NETDEV WATCHDOG',
    'nvidia-peermem',
    ']: segfault at',
    'traps: ',
    'Linux version',
    'reboot: ',
  ],
  match({ text, notes }) {
    for (const [what, pattern] of NOTES) {
      const match = pattern.exec(text);
      if (match === null) continue;
      // Every log of a boot begins with the version; only further down does it tell of another boot.
      if (what === 'reboot' && notes.atStart === true) continue;
      return { body: { kind: 'kernel-note', what, text: text.slice(0, 400), pid: num(match[1] ?? match[2]) } };
    }
    return undefined;
  },
  samples: (
    [
      ['blocked-task', 'INFO: task kworker/u386:2:7712 blocked for more than 120 seconds.', 7712],
      ['soft-lockup', 'watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [pt_autograd_0:71301]', 71_301],
      ['panic', 'Kernel panic - not syncing: Fatal exception', undefined],
      ['nfs', 'nfs: server 10.0.0.9 not responding, still trying', undefined],
      ['disk', 'EXT4-fs error (device nvme0n1p1): ext4_find_entry:1455', undefined],
      ['pcie', 'pcieport 0000:9b:01.0: AER: Uncorrected (Fatal) error received: 0000:9b:01.0', undefined],
      [
        'nic',
        'mlx5_core 0000:5e:00.0: mlx5_port_module_event:1131:(pid 0): Port module event[error]: module 0, Cable error, High Temperature',
        undefined,
      ],
      [
        'segfault',
        'python3[71220]: segfault at 7f797fe00000 ip 00007f7c7ac69996 sp 00007f7c12fd7c30 error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]',
        71_220,
      ],
      ['reboot', 'Linux version 5.15.0-141-generic (buildd@lcy02-amd64-087)', undefined],
    ] satisfies readonly (readonly [Note, string, number | undefined])[]
  ).map(([what, text, pid]) => ({ text, expect: { kind: 'kernel-note' as const, what, text, pid } })),
  nearMisses: [
    'the job is blocked for more than a day',
    'mounted read-only for safety',
    'mlx5_core 0000:5e:00.0: firmware version: 28.39',
  ],
});

export const KERNEL_SIGNATURES = [oomKill, xid, linkEvent, kernelNote] as const;
