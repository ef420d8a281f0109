/** What is read first leaves no trace in the case. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tarBytes, zipBytes } from './archives.ts';
import { caseContent } from './case-content.ts';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const FILES = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile())
  .map((file) => join(file.parentPath, file.name))
  .sort()
  .map((path) => ({ name: path.slice(EXAMPLE.length + 1), data: readFileSync(path) }));
/** Names and hashes of the bundle itself differ with its packing. */
const OF_THE_BUNDLE = ['meta', 'report', 'views'];
const scratch = scratchFolder();

describe('a case', () => {
  it('is the same to its last row, whether the bundle was read in path order or in the order of value', async () => {
    // A tar is read as it stands: here in path order.
    const inPathOrder = scratch.write('path-order.tar', await tarBytes(FILES));
    const byValue = scratch.write('by-value.zip', await zipBytes(FILES));
    const contents = [];
    for (const [name, path] of [
      ['tar', inPathOrder],
      ['zip', byValue],
      ['folder', EXAMPLE],
    ] as const) {
      const file = join(scratch.path, name, 'case.db');
      await importIncident([path], file);
      contents.push(caseContent(file, OF_THE_BUNDLE));
    }
    expect(contents[0]?.get('blocks')?.length).toBeGreaterThan(0);
    expect(contents[1]).toEqual(contents[0]);
    expect(contents[2]).toEqual(contents[0]);
  });
});
