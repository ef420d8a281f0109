import { defineEnvelope } from '../log-line.ts';

const PREFIX = /^\((?:([A-Za-z_][\w.:() -]{0,120}?) )?pid=(\d{1,8})(?:, ip=([0-9A-Fa-f.:]{3,45}))?\) ?/;

/** Ray's driver echo: `(RayTrainWorker pid=123, ip=10.0.0.4) text`. Gives process and address, no rank. */
export default defineEnvelope({
  id: 'ray-actor',
  first: '(',
  peel(line) {
    const match = PREFIX.exec(line.text);
    if (match === null) return false;
    line.pid = Number(match[2]);
    line.host = match[3] ?? line.host;
    line.tag += `pid${match[2]}:`;
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '(RayTrainWorker pid=123, ip=10.0.0.4) hi', expect: { pid: 123, host: '10.0.0.4', text: 'hi' } },
    { text: '(pid=9) hi', expect: { pid: 9, text: 'hi' } },
    { text: '(epoch 3) hi', expect: undefined },
  ],
});
