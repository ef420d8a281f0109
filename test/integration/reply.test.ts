import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const scratch = scratchFolder();
let folders = 0;
const run = (...args: string[]) => {
  const folder = join(scratch.path, `run-${folders++}`);
  mkdirSync(folder);
  return runCli(['analyze', EXAMPLE, '--quiet', ...args], { folder });
};

it('--reply writes the text beside the report, and - prints it alone', async () => {
  const file = join(scratch.path, 'reply.txt');
  const [written, printed] = [await run('--reply', file), await run('--reply', '-')];
  expect([written.status, printed.status]).toEqual([0, 0]);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^Thank you for /);
  expect(printed.stdout).toBe(text);
  expect(written.stdout).not.toContain('Thank you for');
});

it('refuses to write the reply over the report or beside JSON on standard output', async () => {
  const file = join(scratch.path, 'same.md');
  expect((await run('--reply', file, '--out', file)).status).toBe(2);
  expect((await run('--reply', '-', '--json')).status).toBe(2);
});
