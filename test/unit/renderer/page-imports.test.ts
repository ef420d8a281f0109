/** The page's content policy forbids code made from text; a validator of messages tries that when it is loaded, and belongs to the engine. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)([^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const ONLY_TYPES = /^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*from/;

/** Files of the tree that are loaded with the first one, each with the one that names it, and the packages they name. */
function loadedWith(entry: string): {
  readonly files: ReadonlyMap<string, string>;
  readonly packages: ReadonlyMap<string, string>;
} {
  const files = new Map([[entry, '']]);
  const packages = new Map<string, string>();
  for (const file of files.keys()) {
    if (!/\.tsx?$/.test(file) || !existsSync(file)) continue;
    for (const [, names = '', specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      if (ONLY_TYPES.test(names)) continue;
      const path = specifier.startsWith('#shared/')
        ? join(ROOT, 'shared', specifier.slice('#shared/'.length))
        : specifier.startsWith('.')
          ? resolve(dirname(file), specifier)
          : null;
      const known = path === null ? packages : files;
      if (!known.has(path ?? specifier)) known.set(path ?? specifier, file);
    }
  }
  return { files, packages };
}

it('loads no validator of messages into the page', () => {
  const { files, packages } = loadedWith(join(ROOT, 'renderer', 'main.tsx'));
  expect(files.size).toBeGreaterThan(300);
  expect([...packages.keys()]).toContain('react');
  expect(packages.get('zod')?.slice(ROOT.length)).toBeUndefined();
});
