import { expect, test } from 'vitest';
import {
  checkExplainedPackages,
  checkListedFolders,
  checkNamedPaths,
  isDescription,
} from '../../../build/checks/documents.ts';

const PATHS = ['shared/lib/result.ts', 'electron/engine/store/sqlite.ts', 'renderer/views/README.md', 'README.md'];

test.each([
  ['a file from the root', '`shared/lib/result.ts`', true],
  ['a file by its name', 'see `result.ts`', true],
  ['a folder', '`shared/lib/`, `electron/engine/store`', true],
  ['by an alias', '`#shared/lib/result.ts` and `#engine/store/sqlite.ts`', true],
  ['from where it stands', '`../README.md`', true],
  ['any file of a kind', '`test/fixtures/formats/ID/NAME.in.EXT`, `shared/formats/…`, `lane-*.ts`, `.ts`', true],
  ['what is no path', '`a / b`, `case.db`, `#4812`, `--open=PATH`', true],
  ['a file that is gone', '`shared/lib/gone.ts`', false],
  ['a file that was renamed', 'start with `outcome.ts`', false],
  ['a folder that is gone', '`renderer/panes`', false],
  ['a part of a name', '`esult.ts`', false],
])('%s', (_name, line, isThere) => {
  const found = checkNamedPaths([{ path: 'shared/README.md', text: `# shared\n\n${line}` }], PATHS);
  expect(found.map((text) => text.replace(/names \S+, /, ''))).toEqual(
    isThere ? [] : ['shared/README.md:3: which is nowhere'],
  );
});

test('descriptions are looked at, history and evidence are not', () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'shared/lib/README.md',
    'CHANGELOG.md',
    'test/fixtures/x/README.md',
  ];
  expect(documents.filter(isDescription)).toEqual(['README.md', 'ARCHITECTURE.md', 'shared/lib/README.md']);
});

test('a folder that the table beside it leaves out is named; without a table nothing is asked', () => {
  const paths = ['shared/x/README.md', 'shared/x/a/one.ts', 'shared/x/b/two.ts', 'shared/x/c.ts', 'shared/y/d/four.ts'];
  const table = { path: 'shared/x/README.md', text: '| folder | what |\n| --- | --- |\n| `a/` | one |' };
  expect(checkListedFolders([table], paths)).toEqual(['shared/x/README.md: does not say what b/ is for']);
  const whole = { ...table, text: `${table.text}\n| \`b/\`, other | two |` };
  expect(checkListedFolders([whole, { path: 'shared/y/README.md', text: '# y' }], paths)).toEqual([]);
});

test('a package that nobody explains is named; scopes and types count as explained', () => {
  const text = '| zod, js-yaml | schemas |\n| @electron-forge/* | packaging |';
  const packages = ['zod', 'js-yaml', '@electron-forge/cli', '@types/node', 'yaml'];
  expect(checkExplainedPackages(packages, text)).toEqual(['ARCHITECTURE.md: does not say what yaml is for']);
});
