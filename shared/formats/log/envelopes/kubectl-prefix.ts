import { defineEnvelope } from '../log-line.ts';

const PREFIX = /^\[pod\/([a-z0-9][a-z0-9.-]{0,252})\/([a-z0-9][a-z0-9-]{0,62})\] ?/;

/** `kubectl logs --prefix` or `--all-pods`: `[pod/NAME/CONTAINER] `, before the stamp. */
export default defineEnvelope({
  id: 'kubectl-prefix',
  first: '[',
  peel(line) {
    if (!line.text.startsWith('[pod/')) return false;
    const match = PREFIX.exec(line.text);
    if (match === null) return false;
    line.pod = match[1];
    line.container = match[2];
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '[pod/bert-small-0/trainer] hello', expect: { pod: 'bert-small-0', container: 'trainer', text: 'hello' } },
    { text: '[pod/Bert/trainer] hello', expect: undefined },
  ],
});
