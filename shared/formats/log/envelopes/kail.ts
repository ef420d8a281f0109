import { DIGITS, defineEnvelope, LOWER } from '../log-line.ts';

const PREFIX = /^([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][a-z0-9.-]{0,252})\[([a-z0-9][a-z0-9-]{0,62})\]: /;

/** kail: `NAMESPACE/POD[CONTAINER]: message`. */
export default defineEnvelope({
  id: 'kail',
  first: LOWER + DIGITS,
  peel(line) {
    if (line.outer !== undefined) return false;
    const match = PREFIX.exec(line.text);
    if (match === null) return false;
    line.namespace = match[1];
    line.pod = match[2];
    line.container = match[3];
    line.drop(match[0].length);
    return true;
  },
  samples: [
    {
      text: 'ml-train/w-1[pytorch]: hello',
      expect: { namespace: 'ml-train', pod: 'w-1', container: 'pytorch', text: 'hello' },
    },
    { text: 'a/b: hello', expect: undefined },
  ],
});
