import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { reportSchema } from '#shared/report/schema.ts';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const scratch = scratchFolder();
let folders = 0;
const run = (bundle: string, ...args: string[]) => {
  const folder = join(scratch.path, `run-${folders++}`);
  mkdirSync(folder);
  return runCli(['analyze', bundle, '--quiet', ...args], { folder });
};

it('--redact takes the names out of everything that is written', async () => {
  const [out, reply] = [join(scratch.path, 'a.md'), join(scratch.path, 'a.txt')];
  const plain = await run(EXAMPLE, '--json');
  const redacted = await run(EXAMPLE, '--json', '--redact', '--out', out, '--reply', reply);
  expect([plain.status, redacted.status]).toEqual([0, 0]);
  const names = reportSchema.parse(JSON.parse(plain.stdout)).ranks.flatMap(({ pod, node }) => [pod, node]);
  const known = [...new Set(names.filter((name) => name !== null))];
  expect(known.length).toBeGreaterThan(1);
  const texts = [redacted.stdout, readFileSync(out, 'utf8'), readFileSync(reply, 'utf8')];
  for (const text of texts) for (const name of known) expect(text).not.toContain(name);
  expect(reportSchema.safeParse(JSON.parse(redacted.stdout)).success).toBe(true);
});

it('--redact writes nothing at all where a part cannot be scanned', async () => {
  const bundle = join(scratch.path, 'bundle');
  mkdirSync(bundle);
  const lines = Buffer.from(
    '2026-03-14T10:00:10.000000000Z [rank0]: Traceback (most recent call last):\n2026-03-14T10:00:10.000000000Z [rank0]: ValueError: \xff\xfe bad\n',
    'latin1',
  );
  writeFileSync(join(bundle, 'worker-0.log'), lines);
  const out = join(scratch.path, 'b.html');
  const result = await run(bundle, '--redact', '--out', out);
  expect(result.status).toBe(5);
  expect(result.stderr).toMatch(/could not be scanned, so nothing was written: .*verdict/);
  expect(existsSync(out)).toBe(false);
});
