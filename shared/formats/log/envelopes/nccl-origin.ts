import { DIGITS, defineEnvelope, LOWER, UPPER } from '../log-line.ts';

const ORIGIN =
  /^([A-Za-z0-9][\w.-]{0,120}):(\d{1,8}):(\d{1,8}) (?:\[(-?\d{1,4})\] )?(?=NCCL |[\w./+-]{1,120}[: ]\d{1,6} (?:\([\w:]{1,80}\) )?NCCL )/;
/** The same with host and ids cut out, as people publish it. */
const DEVICE_ONLY = /^\[\d{1,3}\] (?=NCCL (?:INFO|WARN) |[\w./+-]{1,120}[: ]\d{1,6} NCCL WARN )/;

/**
 * NCCL's origin: `HOST:PID:TID [CUDADEV] NCCL INFO text`. The device index is local to the process and is not a rank;
 * in a Pod the host is the Pod's name unless it uses the host's network.
 */
export default defineEnvelope({
  id: 'nccl-origin',
  first: `[${LOWER}${UPPER}${DIGITS}`,
  peel(line) {
    const match = ORIGIN.exec(line.text);
    if (match === null) {
      const device = DEVICE_ONLY.exec(line.text);
      if (device === null) return false;
      line.drop(device[0].length);
      return true;
    }
    line.host = match[1];
    line.pid = Number(match[2]);
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: 'node-a:110:697 [0] NCCL INFO x', expect: { host: 'node-a', pid: 110, text: 'NCCL INFO x' } },
    {
      text: 'node-a:110:697 [0] misc/socket.cc:50 NCCL WARN x',
      expect: { host: 'node-a', pid: 110, text: 'misc/socket.cc:50 NCCL WARN x' },
    },
    { text: '[3] misc/socket.cc:50 NCCL WARN x', expect: { host: undefined, text: 'misc/socket.cc:50 NCCL WARN x' } },
    { text: '[3] NCCL is ready', expect: undefined },
    { text: 'shard-1:110:697 loaded', expect: undefined },
  ],
});
