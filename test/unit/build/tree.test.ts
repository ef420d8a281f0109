import { expect, test } from 'vitest';
import { checkMachineNames, checkReadmes } from '../../../build/checks/tree.ts';

test('a folder of a root without README is named, deeper folders and other roots are not', () => {
  const paths = [
    'shared/lib/a.ts',
    'shared/model/README.md',
    'shared/model/deep/a.ts',
    'electron/README.md',
    'docs/x/a.md',
  ];
  expect(checkReadmes(paths)).toEqual(['shared/lib/: has no README.md']);
});

/** Put together here, because this file is checked too. */
const at = (...parts: string[]): string => ['', ...parts].join('/');

test.each([
  [`const file = "${at('home', 'anna', 'bundle')}";`, true],
  [`const file = "${at('Users', 'anna', 'bundle')}";`, true],
  [`const file = "${at('work', 'main', 'x')}";`, true],
  ['const file = "/somewhere/here/x";', true],
  ['const file = "/workspace/train.py";', false],
  ['const file = "at/work/now";', false],
  ['const file = "/home";', false],
])('%s', (text, named) => {
  expect(checkMachineNames([{ path: 'shared/lib/a.ts', text: `\n${text}` }], ['/somewhere/here'])).toEqual(
    named ? ['shared/lib/a.ts:2: names a path of one computer'] : [],
  );
});

test('evidence may quote any path but this computer’s own', () => {
  const text = `File "${at('home', 'anna', 'train.py')}", line 3\n/somewhere/here/log`;
  expect(checkMachineNames([{ path: 'test/fixtures/x/a.log', text }], ['/somewhere/here'])).toEqual([
    'test/fixtures/x/a.log:2: names a path of one computer',
  ]);
});

test('a test may invent a home, but not name a work folder', () => {
  const text = [at('home', 'anna', 'x'), at('work', 'main', 'x')].join('\n');
  expect(checkMachineNames([{ path: 'test/unit/a.test.ts', text }], [])).toEqual([
    'test/unit/a.test.ts:2: names a path of one computer',
  ]);
});
