import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchProject, ended, type ScratchProject } from './scratch-project.ts';

/** Stands in for the terminal program: says what it got, ends as told, waits for signals when told. */
const CLI = `
import { greeting } from '#shared/greeting.ts';
const [command, first, status] = process.argv.slice(2);
console.log(JSON.stringify({ greeting, command, first, here: new URL(import.meta.url).pathname.split('/').at(-1), cwd: process.cwd() }));
if (first === 'wait') {
  let count = 0;
  const timer = setInterval(() => {}, 1000);
  process.on('SIGINT', () => {
    count += 1;
    setTimeout(() => {
      console.log('interrupts ' + count);
      process.exitCode = 130;
      clearInterval(timer);
    }, 100);
  });
  process.on('SIGTERM', () => {
    console.log('SIGTERM 1');
    process.exitCode = 143;
    clearInterval(timer);
  });
  console.log('ready');
} else {
  process.exitCode = Number(status ?? 0);
}
`;

const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1);

function saysReady(child: ChildProcess): Promise<void> {
  return new Promise((ready) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('ready')) ready();
    });
  });
}

let project: ScratchProject;
const bundle = () => join(project.folder, '.vite', 'build', 'cli.cjs');
const started = (stdout: string): unknown => JSON.parse(stdout);

beforeAll(() => {
  project = createScratchProject({ packages: 'installed' });
  project.write('shared/greeting.ts', "export const greeting = 'first';\n");
  project.write('electron/cli/cli.ts', CLI);
  project.write('electron/engine/engine-process.ts', 'export {};\n');
});
afterAll(() => project.remove());

describe('analyze', () => {
  test('builds at the first start; standard output holds the program’s own words only; status and arguments pass through', async () => {
    const { code, stdout, stderr } = await project.run(['analyze', 'a bundle', '7']);
    expect(started(stdout)).toEqual({
      greeting: 'first',
      command: 'analyze',
      first: 'a bundle',
      here: 'cli.cjs',
      cwd: project.folder,
    });
    expect({ code, stderr }).toEqual({ code: 7, stderr: '' });
  });

  test('does not build again while nothing changed, and builds again when a source did', async () => {
    await project.run(['analyze', 'x']);
    const before = statSync(bundle()).mtimeMs;
    await project.run(['analyze', 'x']);
    expect(statSync(bundle()).mtimeMs).toBe(before);
    project.write('shared/greeting.ts', "export const greeting = 'second';\n");
    expect(started((await project.run(['analyze', 'x'])).stdout)).toMatchObject({ greeting: 'second' });
  });

  test('runs at the same time do not disturb each other', async () => {
    rmSync(join(project.folder, '.vite'), { recursive: true });
    const all = await Promise.all(['0', '1', '2', '3'].map((status) => project.run(['analyze', 'x', status])));
    expect(all.map(({ code }) => code)).toEqual([0, 1, 2, 3]);
    expect(readdirSync(join(project.folder, '.vite')).sort()).toEqual(['build', 'stamps']);
  });

  test('a lock whose owner is gone does not hold anybody up', async () => {
    rmSync(join(project.folder, '.vite'), { recursive: true });
    // No process has this id: the kernel's highest is 2^22.
    project.write('.vite/lock', '99999999');
    expect((await project.run(['analyze', 'x'])).code).toBe(0);
  });

  test('a source that does not build: the reason on standard error, status 1, the old bundle stays', async () => {
    const good = readFileSync(bundle(), 'utf8');
    project.write('shared/greeting.ts', 'export const greeting = ;\n');
    const { code, stdout, stderr } = await project.run(['analyze', 'x']);
    project.write('shared/greeting.ts', "export const greeting = 'third';\n");
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('greeting.ts');
    expect(lastLine(stderr)).toBe('firstfault: the program could not be built; the reason stands above.');
    expect(readFileSync(bundle(), 'utf8')).toBe(good);
  });

  test('paths mean the folder the user was in, not the one npm changed to', async () => {
    project.write('sub/x', '');
    const environment = { INIT_CWD: join(project.folder, 'sub'), npm_lifecycle_event: 'analyze' };
    const { stdout } = await project.run(['analyze', 'x'], { environment });
    expect(started(stdout)).toMatchObject({ cwd: join(project.folder, 'sub') });
  });

  test('Ctrl+C reaches the program, and once though terminal and npm both send it', async () => {
    const child = project.start(['analyze', 'wait']);
    const end = ended(child);
    await saysReady(child);
    child.kill('SIGINT');
    await sleep(5);
    child.kill('SIGINT');
    const { code, stdout } = await end;
    expect(lastLine(stdout)).toBe('interrupts 1');
    expect(code).toBe(130);
  });

  if (process.platform !== 'win32') {
    test.each(['SIGINT', 'SIGTERM'] as const)(
      '%s sent to npm alone reaches the program: no shell stands between',
      async (signal) => {
        const child = project.startNpm(['run', '--silent', 'analyze', '--', 'wait']);
        const end = ended(child);
        await saysReady(child);
        child.kill(signal);
        const { code, stdout } = await end;
        expect(lastLine(stdout)).toBe(`${signal} 1`.replace('SIGINT', 'interrupts'));
        expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
      },
    );
  }
});

test('a missing entry is named', async () => {
  rmSync(join(project.folder, 'electron/engine'), { recursive: true });
  const { code, stderr } = await project.run(['analyze', 'x']);
  expect(stderr).toContain('cannot build "engine": electron/engine/engine-process.ts does not exist.');
  expect(code).toBe(1);
});
