import { defineSignature, num } from './define.ts';

const NETWORK =
  /NCCL INFO ((?:NET\/|Bootstrap ?: ?Using |Using network |.{0,20}NCCL_SOCKET_IFNAME|.{0,20}NCCL_IB_HCA|Channel 00(?:\/\d{1,3})? : ).{0,400})/;
const INTERFACE = /(?:Using (?:\[\d{1,3}\])?|OOB |IFNAME set by environment to )([\w.@-]{1,40})(?=[:/< ]|$)/;

/** Of each pair the first channel is enough: between GPUs of one host, by peer access or shared memory. */
const CHANNEL = /^Channel 00(?:\/\d{1,3})? : \S{1,40} -> \S{1,40} (?:\[\w{1,10}\] )?via (?:P2P|SHM)\//;

/** Which interface or adapter NCCL chose, and how GPUs of one host talk. A host that differs from the others is a lead. */
export const ncclNetwork = defineSignature({
  id: 'nccl-network',
  literals: [
    'NCCL INFO NET/',
    'NCCL INFO Bootstrap',
    'NCCL INFO Using network',
    'NCCL_SOCKET_IFNAME set by',
    'NCCL_IB_HCA set',
    'NCCL INFO Channel 00',
  ],
  match({ text, host, pid }) {
    const match = NETWORK.exec(text);
    if (match === null) return undefined;
    const said = match[1] ?? '';
    // Which plugin is loaded is no choice of an interface: `Using internal network plugin.`
    if (said.startsWith('NET/Plugin')) return undefined;
    if (said.startsWith('Channel'))
      return CHANNEL.test(said)
        ? { body: { kind: 'nccl-network', text: said, interface: undefined, host, pid } }
        : undefined;
    if (!/Using|No device found|set by environment|set to/.test(said)) return undefined;
    const oob = /OOB ([\w.@-]{1,40}):/.exec(said)?.[1];
    const name = said.startsWith('Using network') ? undefined : (INTERFACE.exec(said)?.[1] ?? oob);
    return { body: { kind: 'nccl-network', text: said, interface: name, host, pid } };
  },
  samples: [
    {
      text: 'NCCL INFO Bootstrap : Using eth0:10.244.0.17<0>',
      expect: {
        kind: 'nccl-network',
        text: 'Bootstrap : Using eth0:10.244.0.17<0>',
        interface: 'eth0',
        host: undefined,
        pid: undefined,
      },
    },
    {
      text: 'NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.0.4<0>',
      expect: {
        kind: 'nccl-network',
        text: 'NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.0.4<0>',
        interface: 'mlx5_0',
        host: undefined,
        pid: undefined,
      },
    },
    {
      text: 'NCCL INFO NET/IB : No device found.',
      expect: {
        kind: 'nccl-network',
        text: 'NET/IB : No device found.',
        interface: undefined,
        host: undefined,
        pid: undefined,
      },
    },
    {
      text: 'NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read',
      expect: {
        kind: 'nccl-network',
        text: 'Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read',
        interface: undefined,
        host: undefined,
        pid: undefined,
      },
    },
    {
      text: 'NCCL INFO NET/Socket : Using [0]docker0:172.17.0.1<0>',
      expect: {
        kind: 'nccl-network',
        text: 'NET/Socket : Using [0]docker0:172.17.0.1<0>',
        interface: 'docker0',
        host: undefined,
        pid: undefined,
      },
    },
  ],
  nearMisses: [
    'NCCL INFO NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.',
    'NCCL INFO NET/Plugin: Failed to find ncclNetPlugin symbol',
    'NCCL INFO Channel 00/08 :    0   1   2   3   4   5   6   7',
    'NCCL INFO Channel 00/0 : 7[7] -> 8[0] [send] via NET/IB/0/GDRDMA',
    'NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM',
  ],
});

const COLLECTIVE =
  /^NCCL INFO (\w{3,30}): opCount ([0-9a-fA-F]{1,16}) sendbuff \S{1,24} recvbuff \S{1,24} count (\d{1,18})((?: .{0,120}?)comm (0x[0-9a-f]{1,16}).{0,40})/;
const DETAILS = /^ datatype (\d{1,3}) op \d{1,3} root (-?\d{1,7}) comm 0x[0-9a-f]{1,16} \[nranks=(\d{1,7})\]/;

/** A call as NCCL_DEBUG_SUBSYS=COLL logs it. opCount is HEXADECIMAL and counts per communicator. */
export const ncclCollective = defineSignature({
  id: 'nccl-collective',
  literals: [': opCount '],
  match({ text, host, pid }) {
    const match = COLLECTIVE.exec(text);
    if (match === null) return undefined;
    const details = DETAILS.exec(match[4] ?? '');
    return {
      body: {
        kind: 'nccl-collective',
        op: match[1] ?? '',
        opCount: Number.parseInt(match[2] ?? '0', 16),
        comm: match[5] ?? '',
        count: Number(match[3]),
        datatype: num(details?.[1]),
        root: num(details?.[2]),
        nranks: num(details?.[3]),
        host,
        pid,
      },
    };
  },
  samples: [
    {
      text: 'NCCL INFO AllReduce: opCount 1f sendbuff 0x7f0 recvbuff 0x7f0 count 1024 datatype 7 op 0 root 0 comm 0x55d0c8a1f2b0 [nranks=8] stream 0x55d',
      host: 'h',
      pid: 4,
      expect: {
        kind: 'nccl-collective',
        op: 'AllReduce',
        opCount: 31,
        comm: '0x55d0c8a1f2b0',
        count: 1024,
        datatype: 7,
        root: 0,
        nranks: 8,
        host: 'h',
        pid: 4,
      },
    },
  ],
  nearMisses: ['NCCL INFO AllReduce: opCount overflow'],
});
