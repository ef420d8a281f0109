import { describe, expect, it } from 'vitest';
import { entryId } from '#shared/model/ids.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { fileTree } from '../../../../renderer/viewmodels/file-tree.ts';
import { vitScenario } from '../../../e2e/support/incidents.ts';

const [sample] = vitScenario().entries;
if (sample === undefined) throw new Error('the scenario has files');
const files = (paths: Readonly<Record<string, EntryRow['status']>>): EntryRow[] =>
  Object.entries(paths).map(([path, status], id) => ({ ...sample, id: entryId(id), path, status }));
const shown = (entries: readonly EntryRow[], ...closed: string[]) =>
  fileTree(entries, new Set(closed)).map(({ depth, name, count, status }) => `${depth} ${name} ${count} ${status}`);

describe('the folders of a bundle', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`b/dumps/rank_${i}`, 'read' as const]));
  const entries = files({ ...many, 'b/dumps/rank_12': 'refused', 'b/logs/a.log': 'read', 'b/pods.yaml': 'warned' });

  it('carry the worst below them; what was plainly read is one row', () => {
    expect(shown(entries)).toEqual([
      '0 dumps 13 refused',
      '1 rank_12 1 refused',
      '1 12 more, read 12 read',
      '0 logs 1 read',
      '1 a.log 1 read',
      '0 pods.yaml 1 warned',
    ]);
  });

  it('fold, and keep what they carry', () => {
    expect(shown(entries, 'b/dumps/')).toEqual([
      '0 dumps 13 refused',
      '0 logs 1 read',
      '1 a.log 1 read',
      '0 pods.yaml 1 warned',
    ]);
  });

  it('are none where all files lie side by side, and names of foreign keys are names', () => {
    expect(shown(files({ a: 'read', b: 'read' }))).toEqual([]);
    expect(shown(files({ '__proto__/x\u202ey': 'read', z: 'read' }))[1]).toBe('1 x\\u202ey 1 read');
  });
});
