import { defineEnvelope } from '../log-line.ts';
import { plainText } from '../terminal-text.ts';
import { parseObject } from './docker-json.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** stern's JSON output: `{"message": …, "nodeName": …, "namespace": …, "podName": …, "containerName": …}`. */
export default defineEnvelope({
  id: 'stern-json',
  first: '{',
  peel(line) {
    if (!line.text.includes('"podName"', 1) || !line.text.endsWith('}')) return false;
    const record = parseObject(line.text);
    const message = record?.['message'];
    const pod = text(record?.['podName']);
    if (typeof message !== 'string' || pod === undefined) return false;
    line.pod = pod;
    line.container = text(record?.['containerName']);
    line.namespace = text(record?.['namespace']);
    line.host = text(record?.['nodeName']);
    line.text = plainText(message.endsWith('\n') ? message.slice(0, -1) : message);
    return true;
  },
  samples: [
    {
      text: '{"message": "hello", "nodeName": "n1", "namespace": "ml", "podName": "w-1", "containerName": "pytorch"}',
      expect: { text: 'hello', host: 'n1', namespace: 'ml', pod: 'w-1', container: 'pytorch' },
    },
    { text: '{"podName": 3}', expect: undefined },
  ],
});
