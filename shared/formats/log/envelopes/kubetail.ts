import { defineEnvelope } from '../log-line.ts';

// A Pod's name has dashes and, from its controller, a digit or a hash; `[INFO]`, `[rank0]`, `[trainer]` have not.
const PREFIX = /^\[([a-z0-9]{1,63}(?:-[a-z0-9]{1,63}){1,12})(?: ([a-z0-9][a-z0-9-]{0,62}))?\] /;

/** kubetail: `[POD] message` or `[POD CONTAINER] message`. */
export default defineEnvelope({
  id: 'kubetail',
  first: '[',
  peel(line) {
    if (line.outer !== undefined || line.pod !== undefined) return false;
    const match = PREFIX.exec(line.text);
    if (match === null || !/\d/.test(match[1] ?? '')) return false;
    line.pod = match[1];
    line.container = match[2];
    line.drop(match[0].length);
    return true;
  },
  samples: [
    {
      text: '[borealis-pt-worker-1] hello',
      expect: { pod: 'borealis-pt-worker-1', container: undefined, text: 'hello' },
    },
    { text: '[borealis-pt-worker-1 pytorch] hello', expect: { pod: 'borealis-pt-worker-1', container: 'pytorch' } },
    { text: '[data-loader] hello', expect: undefined },
    { text: '[rank0] hello', expect: undefined },
  ],
});
