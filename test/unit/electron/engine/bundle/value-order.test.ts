import { describe, expect, it } from 'vitest';
import { byValue } from '#engine/bundle/units.ts';
import { readingValue } from '#engine/bundle/value-order.ts';

describe('the order of reading', () => {
  it.each([
    ['pods/trainer-0.yaml', 0],
    ['cluster/events.json', 0],
    ['events.txt', 0],
    ['describe-pod-trainer-0.txt', 0],
    ['pods.json.gz', 0],
    ['fr/nccl_trace_rank_88', 1],
    ['fr/nccl_trace_rank_88.gz', 1],
    ['flight-recorder/17', 1],
    ['dumps/rank3.pkl', 1],
    ['fr/nccl_trace_rank_0.json', 1],
    ['logs/trainer-0.log', 2],
    ['logs/nccl_trace_setup.log', 2],
    ['var/log/pods/a/0.log.20260314-095800.gz', 2],
    ['flight-recorder/collect.sh', 2],
    ['nodes/w0.tar.gz', 2],
    ['photo.jpg', 2],
  ])('%s: %i', (path, value) => {
    expect(readingValue(path, 1000)).toBe(value);
  });

  it('takes a large export of objects for one of logs', () => {
    expect(readingValue('loki.json', 65 * 1024 * 1024)).toBe(2);
  });

  it('leaves equals in their order and keeps their places', () => {
    const paths = ['a.log', 'b.yaml', 'c.pkl', 'd.yaml', 'e.log'];
    const order = byValue(paths, (path) => readingValue(path, 1)).map(({ item, place }) => `${place} ${item}`);
    expect(order).toEqual(['1 b.yaml', '3 d.yaml', '2 c.pkl', '0 a.log', '4 e.log']);
  });
});
