import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of this test file, removed after its last test. */
export function scratchFolder(): { readonly path: string; write(name: string, data: string | Buffer): string } {
  const path = mkdtempSync(join(tmpdir(), 'firstfault-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, data) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, data);
      return file;
    },
  };
}
