import { defineSignature, num } from './define.ts';

const INIT =
  /comm (0x[0-9a-f]{1,16}) rank (\d{1,7}) nranks (\d{1,7})(?: cudaDev (\d{1,4}))?(?: nvmlDev \d{1,4})?(?: busId ([0-9a-fA-F]{1,12}))?(?: commId (0x[0-9a-f]{1,32}))?.{0,160}? ?- Init (COMPLETE|START)/;

/**
 * `comm 0x… rank 5 nranks 32 cudaDev 5 nvmlDev 5 busId 9d000 commId 0x… - Init COMPLETE`: rank inside that communicator;
 * the one whose nranks is the world size gives the global rank. START without COMPLETE: still waiting, or failed.
 */
export default defineSignature({
  id: 'nccl-init',
  literals: ['Init COMPLETE', 'Init START'],
  match({ text, host, pid }) {
    const match = INIT.exec(text);
    if (match === null) return undefined;
    return {
      body: {
        kind: 'nccl-init',
        complete: match[7] === 'COMPLETE',
        rank: Number(match[2]),
        nranks: Number(match[3]),
        cudaDev: num(match[4]),
        busId: match[5]?.toLowerCase(),
        commId: match[6],
        comm: match[1],
        host,
        pid,
      },
    };
  },
  samples: [
    {
      text: 'NCCL INFO comm 0x55d0c8a9c110 rank 5 nranks 32 cudaDev 5 nvmlDev 5 busId 9d000 commId 0x7c1e5a0b93d2f411 - Init COMPLETE',
      host: 'borealis-pt-master-0',
      pid: 62,
      expect: {
        kind: 'nccl-init',
        complete: true,
        rank: 5,
        nranks: 32,
        cudaDev: 5,
        busId: '9d000',
        commId: '0x7c1e5a0b93d2f411',
        comm: '0x55d0c8a9c110',
        host: 'borealis-pt-master-0',
        pid: 62,
      },
    },
    {
      text: 'NCCL INFO ncclCommInitRank comm 0x5603aa10c2d0 rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x1 - Init START',
      expect: {
        kind: 'nccl-init',
        complete: false,
        rank: 0,
        nranks: 8,
        cudaDev: 0,
        busId: '1b000',
        commId: '0x1',
        comm: '0x5603aa10c2d0',
        host: undefined,
        pid: undefined,
      },
    },
    {
      text: 'NCCL INFO comm 0x7f5c rank 1 nranks 2 cudaDev 1 busId 1b000 - Init COMPLETE',
      expect: {
        kind: 'nccl-init',
        complete: true,
        rank: 1,
        nranks: 2,
        cudaDev: 1,
        busId: '1b000',
        commId: undefined,
        comm: '0x7f5c',
        host: undefined,
        pid: undefined,
      },
    },
  ],
  nearMisses: ['NCCL INFO comm 0x1 rank 0 nranks 8 cudaDev 0 busId 1b000 - Destroy COMPLETE', 'model Init COMPLETE'],
});
