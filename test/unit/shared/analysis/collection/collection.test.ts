import { describe, expect, it } from 'vitest';
import { collectionNotes } from '#shared/analysis/collection/index.ts';
import { computeRankMap } from '#shared/analysis/rank-map/index.ts';
import { importFiles } from '../../../../support/in-memory-import.ts';
import { producerFiles } from '../../../../support/producers.ts';

function notesOf(files: Readonly<Record<string, string>>) {
  const encoder = new TextEncoder();
  const input = importFiles(new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])));
  return collectionNotes(input, computeRankMap(input).events).map(({ item, state, pod, container }) => [
    item,
    state,
    pod,
    container,
  ]);
}
const log = (text: string, path = 'job-worker-0.log') => notesOf({ [path]: `${text}\n` });

describe('collectionNotes', () => {
  it.each([
    [
      'Error from server (BadRequest): previous terminated container "main" in pod "w-1" not found',
      ['previous-logs', 'absent', 'w-1', 'main'],
    ],
    ['container "main" in pod "w-1" is waiting to start: PodInitializing', ['logs', 'absent', 'w-1', 'main']],
    ['Error from server (NotFound): pods "w-1" not found', ['logs', 'refused', 'w-1', undefined]],
    [
      'Error from server (Forbidden): pods "w-1" is forbidden: User "x" cannot get resource "pods/log" in API group ""',
      ['logs', 'refused', 'job-worker-0', undefined],
    ],
    [
      'Error from server (Forbidden): events is forbidden: User "x" cannot list resource "events" in API group ""',
      ['events', 'refused', 'job-worker-0', undefined],
    ],
    [
      'unable to retrieve container logs for containerd://c6b9daed5effd65a3fb77d700a1cebf5',
      ['logs', 'refused', 'job-worker-0', undefined],
    ],
  ])('%s', (text, expected) => {
    expect(log(text)).toEqual([expected]);
  });

  it('tells an earlier log from a current one by the file', () => {
    expect(log('Error from server (NotFound): pods "w-1" not found', 'w-1.previous.log')).toEqual([
      ['previous-logs', 'refused', 'w-1', undefined],
    ]);
  });

  it('reads empty lists, and lists of errors by their names', () => {
    expect(
      notesOf({
        'a/events.json': '{"kind":"EventList","apiVersion":"v1","metadata":{},"items":[]}',
        'b/cluster-resources/nodes-errors.json': '{"nodes":"nodes is forbidden: User \\"x\\" cannot list resource"}',
        'c/cluster-resources/pods-errors.json': '{}',
        'd/cluster-resources/leases-errors.json': '["the server was unable to return a response in the time allotted"]',
      }),
    ).toEqual([
      ['events', 'absent', undefined, undefined],
      ['nodes', 'refused', undefined, undefined],
      ['leases', 'refused', undefined, undefined],
    ]);
  });

  it('finds in the support bundle the container that never started', () => {
    const files = new Map([...producerFiles()].filter(([path]) => /^troubleshoot\/[^.]+\//.test(path)));
    const input = importFiles(files);
    expect(collectionNotes(input, computeRankMap(input).events)).toMatchObject([
      { item: 'logs', state: 'absent', pod: 'osprey-dp-worker-1', container: 'pytorch' },
    ]);
  });
});
