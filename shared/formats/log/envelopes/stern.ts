import { DIGITS, defineEnvelope, LOWER } from '../log-line.ts';
import { readIsoStamp } from '../stamp.ts';

const WORDS = /^(?:([a-z0-9-]{1,63}) )?([a-z0-9][a-z0-9.-]{0,252}) ([a-z0-9][a-z0-9-]{0,62}) /;
const STATUS = /^[+-] (?:([a-z0-9-]{1,63}) )?([a-z0-9][a-z0-9.-]{0,252}) › ([a-z0-9][a-z0-9-]{0,62})$/;

const MAX_TAILED = 20_000;

/**
 * stern: `POD CONTAINER [stamp ]message`, with `-A` a namespace in front; `+ POD › CONTAINER` when it starts to follow.
 * Without a stamp two words look like any text, so that form is believed only for Pods that stern announced.
 */
export default defineEnvelope({
  id: 'stern',
  first: `${LOWER}${DIGITS}+-`,
  peel(line, memory) {
    const sign = line.text.charCodeAt(0);
    if (sign === 43 || sign === 45) {
      const status = line.text.includes(' › ') ? STATUS.exec(line.text) : null;
      if (status === null) return false;
      if (memory.tailed.size < MAX_TAILED) memory.tailed.add(`${status[2]} ${status[3]}`);
      line.namespace = status[1];
      line.pod = status[2];
      line.container = status[3];
      return false;
    }
    if (line.outer !== undefined) return false;
    const match = WORDS.exec(line.text);
    if (match === null) return false;
    const [all, namespace, pod = '', container = ''] = match;
    const stamped = readIsoStamp(line.text, all.length)?.zoned === true;
    if (!stamped && !memory.tailed.has(`${pod} ${container}`)) return false;
    line.namespace = namespace;
    line.pod = pod;
    line.container = container;
    line.drop(all.length);
    return true;
  },
  samples: [
    {
      text: 'borealis-pt-worker-1 pytorch 2026-03-14T10:17:37.951004118Z NCCL WARN Cuda failure 999',
      expect: { pod: 'borealis-pt-worker-1', container: 'pytorch' },
    },
    {
      text: 'ml-train borealis-pt-worker-1 pytorch 2026-03-14T10:17:37.951004118Z x',
      expect: { namespace: 'ml-train', pod: 'borealis-pt-worker-1', container: 'pytorch' },
    },
    { text: 'the quick brown fox', expect: undefined },
  ],
});
