import { defineEnvelope } from '../log-line.ts';
import { readIsoStamp } from '../stamp.ts';
import { plainText } from '../terminal-text.ts';

/**
 * Docker's json-file driver: `{"log":"message\n","stream":"stderr","time":"2026-03-14T10:00:02.000000001Z"}`.
 * A record is whole if its `log` ends with a line feed.
 */
export default defineEnvelope({
  id: 'docker-json',
  first: '{',
  peel(line) {
    if (!line.text.startsWith('{"log":"') || !line.text.endsWith('}')) return false;
    const record = parseObject(line.text);
    const log = record?.['log'];
    const time = record?.['time'];
    if (typeof log !== 'string' || typeof time !== 'string') return false;
    const read = readIsoStamp(time, 0);
    if (read !== undefined) line.addStamp({ ...read.raw, kind: 'runtime' });
    const stream = record?.['stream'];
    line.output = stream === 'stderr' ? 'err' : stream === 'stdout' ? 'out' : '';
    line.partial = !log.endsWith('\n');
    line.text = plainText(line.partial ? log : log.slice(0, -1));
    return true;
  },
  samples: [
    {
      text: '{"log":"step 1\\n","stream":"stdout","time":"2026-03-14T10:00:01.5Z"}',
      expect: { text: 'step 1', output: 'out', partial: false },
    },
    {
      text: '{"log":"half ","stream":"stderr","time":"2026-03-14T10:00:01Z"}',
      expect: { text: 'half ', partial: true },
    },
    { text: '{"log":"x"', expect: undefined },
    { text: '{"loss":1}', expect: undefined },
  ],
});

/** A JSON object of one line, or undefined. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
