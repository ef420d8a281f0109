import { DIGITS, defineEnvelope, LOWER } from '../log-line.ts';
import { LAYER_START_CHARACTERS, startsLayer } from './layer-start.ts';

const PREFIX = /^([a-z0-9][a-z0-9.-]{1,80}): /;
/**
 * pdsh, DeepSpeed and clush: `HOST: text`. A word and a colon begin many lines, so a host is believed when it holds a
 * digit and one of its lines goes on with something that only another layer prints.
 */
export default defineEnvelope({
  id: 'host-prefix',
  first: LOWER + DIGITS,
  peel(line, memory) {
    if (line.host !== undefined || line.outer?.kind === 'runtime') return false;
    const match = PREFIX.exec(line.text);
    const host = match?.[1];
    if (match === null || host === undefined || !/\d/.test(host) || !/[a-z]|\d\.\d/.test(host)) return false;
    if (!memory.hosts.has(host)) {
      if (
        memory.hosts.size >= 10_000 ||
        !startsLayer(line.text.slice(match[0].length, match[0].length + LAYER_START_CHARACTERS))
      )
        return false;
      memory.hosts.add(host);
    }
    line.host = host;
    line.tag += `${host}:`;
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: 'worker-0: [rank3]: Traceback (most recent call last):', expect: { host: 'worker-0' } },
    {
      text: '10.8.0.14: gpu-14:4021:4077 [2] NCCL INFO Connected all rings',
      expect: { host: '10.8.0.14', text: 'gpu-14:4021:4077 [2] NCCL INFO Connected all rings' },
    },
    { text: 'layer-1: attention', expect: undefined },
    { text: 'trainer: 2026-03-14 11:00:00,000', expect: undefined },
  ],
});
