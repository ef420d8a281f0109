import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchProject, type ScratchProject, type StartOptions } from './scratch-project.ts';

const LAUNCHER = resolve(import.meta.dirname, '..', '..', 'build', 'scripts', 'launch.cjs');

/** Makes Node say it is another version on another computer; the launcher looks at nothing else. */
function pretend(project: ScratchProject, version: string, platform: string, arch: string): StartOptions {
  const file = `pretend-${version}-${platform}-${arch}.cjs`;
  const set = (name: string, value: unknown) =>
    `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });\n`;
  project.write(file, set('versions', { node: version }) + set('platform', platform) + set('arch', arch));
  return { nodeArguments: ['--require', join(project.folder, file)] };
}

describe('a Node that is too old', () => {
  let project: ScratchProject;
  beforeAll(() => {
    project = createScratchProject({ packages: 'installed' });
  });
  afterAll(() => project.remove());

  test.each([
    ['0.12.18', 'darwin', 'arm64'],
    ['20.20.2', 'darwin', 'arm64'],
    ['22.13.1', 'win32', 'x64'],
    ['22.13.1', 'linux', 'arm64'],
  ])('%s on %s %s: one line, status 1', async (version, platform, arch) => {
    const { code, stdout, stderr } = await project.run(['analyze', 'x'], pretend(project, version, platform, arch));
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `firstfault: this is Node ${version}, which is too old; install Node 22.14 or newer.\n`,
    });
  });

  test.each(['22.14.0', '24.0.0', '100.1.0'])('%s is new enough', async (version) => {
    const { code, stderr } = await project.run(['no-such-command'], pretend(project, version, 'darwin', 'arm64'));
    expect(stderr).toContain('unknown command "no-such-command"');
    expect(code).toBe(1);
  });

  if (process.platform === 'linux' && process.arch === 'x64') {
    test('Linux x64 starts again with the Node of its packages', async () => {
      const { code, stdout, stderr } = await project.run(
        ['no-such-command'],
        pretend(project, '18.0.0', 'linux', 'x64'),
      );
      expect(stderr).toMatch(/^firstfault: unknown command "no-such-command"/);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    });
  }

  test('but only once', async () => {
    const options = pretend(project, '18.0.0', 'linux', 'x64');
    const { code, stderr } = await project.run(['analyze'], {
      ...options,
      environment: { FIRSTFAULT_STARTED_AGAIN: '1' },
    });
    expect(stderr).toMatch(/^firstfault: this is Node 18\.0\.0, which is too old; .*optional packages.*\n$/);
    expect(code).toBe(1);
  });
});

test('packages that are not installed: one line, status 1', async () => {
  const project = createScratchProject({ packages: 'missing' });
  try {
    const { code, stdout, stderr } = await project.run(['analyze', 'x']);
    expect(stderr).toMatch(
      /^firstfault: its packages are not installed; run "npm ci --ignore-scripts" in .* first\.\n$/,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  } finally {
    project.remove();
  }
});

/** Syntax that an old Node cannot parse: it would then say nothing useful. */
test('the launcher is written in words that every Node knows', () => {
  const modern = new Set([
    'ArrowFunctionExpression',
    'AwaitExpression',
    'ChainExpression',
    'ClassDeclaration',
    'ForOfStatement',
    'ImportDeclaration',
    'ImportExpression',
    'RestElement',
    'SpreadElement',
    'TemplateLiteral',
    'ObjectPattern',
    'ArrayPattern',
    'AssignmentPattern',
  ]);
  const found: string[] = [];
  const { program, errors } = parseSync('launch.cjs', readFileSync(LAUNCHER, 'utf8'));
  JSON.stringify(program, (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value) {
      if (modern.has(String(value.type))) found.push(String(value.type));
      if (value.type === 'VariableDeclaration' && 'kind' in value && value.kind !== 'var') found.push(`${value.kind}`);
      if (value.type === 'Property' && 'shorthand' in value && value.shorthand === true) found.push('shorthand');
    }
    return value;
  });
  expect(errors).toEqual([]);
  expect(found).toEqual([]);
});
