import { describe, expect, it } from 'vitest';
import { outputForm } from '../../../../electron/cli/commands/output-file.ts';
import { dataFolder } from '../../../../electron/cli/data-folder.ts';

describe('dataFolder', () => {
  it.each([
    ['the variable wins', { FIRSTFAULT_HOME: '/data/ff', XDG_CONFIG_HOME: '/x' }, 'linux', '/data/ff'],
    ['an empty variable counts as not set', { FIRSTFAULT_HOME: '' }, 'linux', '/base/.config/Firstfault'],
    ['XDG on Linux', { XDG_CONFIG_HOME: '/x' }, 'linux', '/x/Firstfault'],
    ['macOS', {}, 'darwin', '/base/Library/Application Support/Firstfault'],
  ])('%s', (_name, env, platform, expected) => {
    expect(dataFolder(env, platform, '/base')).toBe(expected);
  });
});

describe('outputForm', () => {
  it.each([
    ['a.json', 'json'],
    ['a.b.MD', 'md'],
    ['x/y.html', 'html'],
    ['a.htm', undefined],
    ['json', 'json'],
    ['a.json.gz', undefined],
  ])('%s → %s', (file, form) => {
    expect(outputForm(file)).toBe(form);
  });
});
