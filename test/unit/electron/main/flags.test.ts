import { describe, expect, it } from 'vitest';
import { caseFromFlag, parseFlags } from '../../../../electron/main/flags.ts';

const resolve = (path: string) => (path.startsWith('/') ? path : `/cwd/${path}`);

describe('parseFlags', () => {
  it('reads its own switches and leaves those of Chromium alone', () => {
    expect(parseFlags(['/app', '--disable-gpu', '--case=a', '--open=x.tar', '--open=/y', '--case=b'], resolve)).toEqual(
      {
        openCase: 'b',
        openBundles: ['/cwd/x.tar', '/y'],
        smokeAnalyze: null,
      },
    );
  });

  it('takes an empty value as not given', () => {
    expect(parseFlags(['--case=', '--open=', '--smoke-analyze='], resolve)).toEqual({
      openCase: null,
      openBundles: [],
      smokeAnalyze: null,
    });
  });

  it('keeps equals signs of a path', () => {
    expect(parseFlags(['--smoke-analyze=a=b'], resolve).smokeAnalyze).toBe('/cwd/a=b');
  });
});

describe('caseFromFlag', () => {
  const disk = new Map<string, 'file' | 'folder'>([
    ['/home/cases/vit-1', 'folder'],
    ['/cwd/run.db', 'file'],
    ['/cwd/copied', 'folder'],
    ['/cwd/copied/case.db', 'file'],
    ['/cwd/empty', 'folder'],
  ]);
  const find = (value: string) => caseFromFlag(value, '/home/cases', resolve, (path) => disk.get(path) ?? 'none');
  it.each([
    ['an id', 'vit-1', { id: 'vit-1' }],
    ['a folder of the library', '/home/cases/vit-1/', { id: 'vit-1' }],
    ['a case file', 'run.db', { file: '/cwd/run.db' }],
    ['a case folder elsewhere', 'copied', { file: '/cwd/copied/case.db' }],
    ['an id that is not there is asked for, and the window says so', 'gone-1', { id: 'gone-1' }],
    ['nothing that could be a case', '../../etc', null],
  ])('%s', (_name, value, expected) => {
    expect(find(value)).toEqual(expected);
  });
});
