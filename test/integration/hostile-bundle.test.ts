/** One bundle that tries everything at once, through the whole program: what is refused, what is said of it, and what must not happen. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportSchema } from '#shared/report/schema.ts';
import { tarBytes } from './archives.ts';
import { type CliRun, runCli } from './run-cli.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const home = join(scratch.path, 'home');
const canary = join(scratch.path, 'ran');
const out = join(scratch.path, 'report.json');
const STAMP = '2026-03-14T10:00:00.000000000Z';

/** posix.system("touch canary"), as `pickle.dumps` writes an object with `__reduce__`. */
const callingPickle = `\u0080\u0002cposix\nsystem\nX${lengthOf(`touch ${canary}`)}touch ${canary}\u0085R.`;

function lengthOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(text.length);
  return bytes.toString('latin1');
}

/** Ten levels of ten aliases each: ten thousand million items, if anybody spelt them out. */
const aliasBomb = [
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: bomb\n  a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
  ...Array.from({ length: 10 }, (_, i) => `  a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(',')}]`),
].join('\n');

async function makeBundle(): Promise<string> {
  const folder = join(scratch.path, 'bundle');
  mkdirSync(folder);
  const put = (name: string, data: string | Uint8Array): void => writeFileSync(join(folder, name), data);
  execFileSync('mkfifo', [join(folder, 'pipe.log')]);
  symlinkSync('/etc/passwd', join(folder, 'passwd.log'));
  symlinkSync('.', join(folder, 'loop'));
  put('endless.log', '');
  truncateSync(join(folder, 'endless.log'), 2 ** 40);
  put(`red\u001b[31m\u202egnp.log`, `${STAMP} [rank0]: INFO hello\n`);
  put('nccl_trace_rank_0', Buffer.from(callingPickle, 'latin1'));
  put('nccl_trace_rank_1', Buffer.concat([Buffer.from([0x80, 2]), Buffer.alloc(3_000_000, ']'), Buffer.from('.')]));
  put('bomb.yaml', aliasBomb);
  put('tag.yaml', `apiVersion: v1\nkind: Pod\nmetadata: !!js/function "function () { return 1 }"\n`);
  put('deep.json', `{"apiVersion":"v1","kind":"Pod","metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  put(
    'proto.json',
    `{"apiVersion":"v1","kind":"Pod","__proto__":{"polluted":1},"metadata":{"name":"__proto__","namespace":"$(id)"},"spec":{"nodeName":"toString","containers":[{"name":"constructor"}]}}`,
  );
  put(
    'worker-0.log',
    [
      `${STAMP} [rank0]: Traceback (most recent call last):`,
      `${STAMP} [rank0]:   File "/x\u001b]0;owned\u0007.py", line 1, in <module>`,
      `${STAMP} [rank0]: ValueError: \u001b[2J\u009b31m\u202e<script>alert(1)</script> ${'a.'.repeat(200_000)}`,
      '',
    ].join('\n'),
  );
  const members = [
    '../evil.log',
    '/evil.log',
    'C:\\evil.log',
    '..\\evil.log',
    'a/../../evil.log',
    '',
    '.',
    '-rf',
    '$(id)',
  ];
  put('names.tar', await tarBytes(members.map((name) => ({ name, data: `${STAMP} [rank0]: INFO hello\n` }))));
  return folder;
}

describe('a hostile bundle', () => {
  let run: CliRun;
  beforeAll(async () => {
    mkdirSync(home);
    run = await runCli(['analyze', await makeBundle(), '--out', out, '--explain'], { folder: home });
  });

  it('is analysed to the end', () => {
    expect(run.stderr).not.toMatch(/Error|at \S+ \(/);
    expect(run.status).toBe(0);
    expect(reportSchema.safeParse(JSON.parse(readFileSync(out, 'utf8'))).success).toBe(true);
  });

  it('runs nothing, writes nothing but the report, and leaves nothing', () => {
    expect(existsSync(canary)).toBe(false);
    expect(readdirSync(scratch.path).sort()).toEqual(['bundle', 'home', 'report.json']);
    expect(readdirSync(home)).toEqual([]);
  });

  it('sends the terminal no character that it would act on', () => {
    const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    expect(run.stdout).not.toMatch(acting);
    expect(run.stderr).not.toMatch(acting);
  });

  it('has every refusal told by its reason', () => {
    const { issues } = reportSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
    const told = new Set(issues.map(({ code, file }) => `${file}: ${code}`));
    for (const line of [
      'pipe.log: entry-is-device',
      'passwd.log: entry-is-link',
      'loop: entry-is-link',
      'endless.log: entry-too-large',
      'nccl_trace_rank_0: pickle-refused',
      'nccl_trace_rank_1: pickle-invalid',
      'deep.json: json-invalid',
    ])
      expect(told).toContain(line);
    const outside = issues.filter(({ code }) => code === 'entry-path-escapes');
    expect(outside.map(({ file }) => file).filter((file) => file?.includes('evil.log')).length).toBe(5);
  });

  it('gets no name of its own into a command that is meant to be copied', () => {
    const { gaps } = reportSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
    const commands = gaps.map(({ collect }) => collect).filter((text) => text.includes('kubectl'));
    expect(commands.length).toBeGreaterThan(0);
    for (const text of commands) expect(text.replace('$(kubectl get pods', '')).not.toContain('$(');
  });
});
