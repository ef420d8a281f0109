import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CaseReader } from '#engine/store/case-reader.ts';
import { reportSchema } from '#shared/report/schema.ts';
import { tarBytes, tgzBytes, zipBytes } from './archives.ts';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const scratch = scratchFolder();
let folders = 0;

/** A data folder of its own for each run, so that what is left behind can be seen. */
function freshFolder(): string {
  const folder = join(scratch.path, `run-${folders++}`);
  mkdirSync(folder);
  return folder;
}

const run = (args: readonly string[], env: Record<string, string> = {}) => runCli(args, { folder: freshFolder(), env });
const LOG = '2026-03-14T10:00:00.123456789Z [rank0]: step 1\n';

describe('exit statuses', () => {
  const rows: [name: string, make: () => string | Promise<string>, status: number, says: RegExp][] = [
    ['a folder with a log', () => join(scratch.write('plain/worker-0.log', LOG), '..'), 0, /^$/],
    [
      'a truncated gzip with one readable entry',
      async () => {
        const noise = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * i * 31) % 251));
        const whole = await tgzBytes([
          { name: 'worker-0.log', data: LOG },
          { name: 'noise.bin', data: noise },
        ]);
        return scratch.write('cut.tgz', whole.subarray(0, whole.length - 100));
      },
      0,
      /^$/,
    ],
    ['a lone empty dump', () => scratch.write('dump/nccl_trace_rank_3', ''), 0, /^$/],
    ['a path that is not there', () => join(scratch.path, 'no-such-thing'), 2, /no such file or folder/],
    [
      'an HTML page named .log',
      () =>
        scratch.write('page/worker-0.log', '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>'),
      3,
      /html page/i,
    ],
    ['a 0-byte archive', () => scratch.write('empty.tar.gz', ''), 3, /0 bytes/],
    [
      'only photos',
      () => {
        scratch.write('photos/a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]));
        return join(scratch.write('photos/b.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')), '..');
      },
      3,
      /image, skipped/,
    ],
    [
      'an empty folder',
      () => {
        mkdirSync(join(scratch.path, 'hollow'), { recursive: true });
        return join(scratch.path, 'hollow');
      },
      3,
      /holds no files/,
    ],
    [
      'every entry refused',
      async () =>
        scratch.write(
          'hostile.tar',
          await tarBytes([
            { name: '../up', data: 'x' },
            { name: 'dev', type: 'fifo' },
          ]),
        ),
      4,
      /refused for safety/,
    ],
    [
      'an encrypted zip',
      () => scratch.write('secret.zip', zipBytes([{ name: 'worker-0.log', data: LOG, encrypted: true }])),
      4,
      /encrypted/,
    ],
  ];

  it.each(rows)('%s', async (_name, make, status, says) => {
    const done = await run(['analyze', await make(), '--json', '--quiet']);
    expect(done.stderr).toMatch(says);
    expect(done.status).toBe(status);
    if (status === 0) expect(reportSchema.safeParse(JSON.parse(done.stdout)).error).toBeUndefined();
    else expect(done.stdout).toBe('');
  });

  it('an encrypted zip, with its password as an option or in the environment', async () => {
    const file = fileURLToPath(new URL('../fixtures/compressed/secret.aes256.zip', import.meta.url));
    const given = ['analyze', file, '--json', '--quiet'];
    const option = await run([...given, '--password', 'geheim']);
    const env = await run(given, { FIRSTFAULT_PASSWORD: 'geheim' });
    expect(JSON.parse(option.stdout)).toEqual(JSON.parse(env.stdout));
    expect(option.stdout).toContain('logs/a.log');
    expect(option.stderr + option.stdout).not.toContain('geheim');
    const wrong = await run([...given, '--password', 'falsch']);
    expect([wrong.status, wrong.stderr]).toEqual([4, expect.stringContaining('not with the password that was given')]);
  });

  it.each([
    ['no command', []],
    ['no bundle', ['analyze']],
    ['an unknown option', ['analyze', '.', '--frobnicate']],
    ['an unknown ending', ['analyze', '.', '--out', 'report.pdf']],
    ['an output folder that is not there', ['analyze', '.', '--out', 'no/such/folder/report.json']],
  ])('%s is a usage error', async (_name, args) => {
    const done = await run(args);
    expect(done.status).toBe(2);
    expect(done.stderr).not.toBe('');
    expect(done.stdout).toBe('');
  });
});

describe('a real incident', () => {
  it('gives a valid report, the same for folder, tar and zip but for the hash, and for any order of members', async () => {
    const names = (readdirSync(EXAMPLE, { recursive: true }) as string[])
      .filter((name) => /\.\w+$|rank_\d+$/.test(name))
      .sort();
    const members = names.map((name) => ({
      name: name.replaceAll('\\', '/'),
      data: readFileSync(join(EXAMPLE, name)),
    }));
    const forms = [
      EXAMPLE,
      scratch.write('one/small', gzipSync(await tarBytes(members))),
      scratch.write('two/small', await tarBytes([...members].reverse())),
      scratch.write('three/small', zipBytes(members)),
    ];
    const reports = await Promise.all(
      forms.map(async (form) => {
        const done = await run(['analyze', form, '--json', '--quiet']);
        expect(done.status).toBe(0);
        const report = reportSchema.parse(JSON.parse(done.stdout));
        return { ...report, bundle: { ...report.bundle, sha256: '', bytes: 0 } };
      }),
    );
    expect(reports[0]?.bundle.files.read).toBeGreaterThan(3);
    for (const report of reports.slice(1)) expect(report).toEqual(reports[0]);
  });

  it('prints the same bytes for the same bytes', async () => {
    const first = await run(['analyze', EXAMPLE, '--json', '--quiet']);
    const second = await run(['analyze', EXAMPLE, '--json', '--quiet']);
    expect(second.stdout).toBe(first.stdout);
  });

  it('writes report and case file where it is told, and nothing else', async () => {
    const folder = freshFolder();
    const out = (name: string) => join(folder, name);
    for (const name of ['report.json', 'report.md', 'report.html']) {
      expect(
        (await runCli(['analyze', EXAMPLE, '--out', out(name), '--case', out('it.case'), '--quiet'], { folder }))
          .status,
      ).toBe(0);
    }
    expect(readdirSync(folder).sort()).toEqual(['it.case', 'report.html', 'report.json', 'report.md']);
    const report = reportSchema.parse(JSON.parse(readFileSync(out('report.json'), 'utf8')));
    const db = CaseReader.open(out('it.case'));
    expect(db.ok && JSON.parse(db.value.reportJson() ?? '')).toEqual(report);
    if (db.ok) db.value.close();
  });

  it('never overwrites a file that is no case with one', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'thesis.txt'), 'ten years of work');
    const done = await runCli(['analyze', EXAMPLE, '--case', join(folder, 'thesis.txt'), '--quiet'], { folder });
    expect(done.status).toBe(2);
    expect(readFileSync(join(folder, 'thesis.txt'), 'utf8')).toBe('ten years of work');
  });
});

describe('what is printed', () => {
  const ESCAPE = '\u001b';

  it('has no colour in a pipe, and has it when forced', async () => {
    const plain = await run(['analyze', EXAMPLE]);
    const forced = await run(['analyze', EXAMPLE], { FORCE_COLOR: '1' });
    const refused = await run(['analyze', EXAMPLE], { NO_COLOR: '1' });
    expect(plain.stdout).not.toContain(ESCAPE);
    expect(refused.stdout).toBe(plain.stdout);
    expect(forced.stdout).toContain(`${ESCAPE}[`);
    expect(forced.stdout.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain.stdout);
  });

  it('fits the width', async () => {
    const { stdout } = await run(['analyze', EXAMPLE]);
    const long = stdout.split('\n').filter((line) => [...line].length > 100 && !/\S{60}/.test(line));
    expect(long).toEqual([]);
  });

  it('shows control characters of a bundle, never sends them', async () => {
    const evil = `${ESCAPE}]0;owned\u0007${ESCAPE}[2J\u202e`;
    const file = await tarBytes([
      { name: `logs/${evil}.log`, data: `2026-03-14T10:00:00.123456789Z [rank0]: RuntimeError: ${evil}\n` },
      { name: `../${evil}`, data: 'x' },
    ]);
    const done = await run(['analyze', scratch.write('evil.tar', file)]);
    expect(done.status).toBe(0);
    expect(`${done.stdout}${done.stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    const refused = await run([
      'analyze',
      scratch.write('evil2.tar', await tarBytes([{ name: `../${evil}`, data: 'x' }])),
    ]);
    expect(refused.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(refused.status).toBe(4);
  });

  it('is quiet when the reader goes away', async () => {
    const done = await runCli(['analyze', EXAMPLE], {
      folder: freshFolder(),
      onStart: (child) => child.stdout?.destroy(),
    });
    expect(done.stderr).not.toMatch(/EPIPE|Error/);
  });
});

describe('interrupting', () => {
  const big = (() => {
    const line = '2026-03-14T10:00:00.123456789Z [rank0]: step 1 loss 0.5 and some words to fill the line\n';
    return scratch.write('big/worker-0.log', line.repeat(1_200_000));
  })();

  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends within half a second and leaves nothing behind', async (signal) => {
    const folder = freshFolder();
    let sentMs = 0;
    const done = await runCli(['analyze', big, '--case', join(folder, 'it.case'), '--out', join(folder, 'it.json')], {
      folder,
      onStart: (child) => {
        const poll = setInterval(() => {
          if (!existsSync(join(folder, 'it.case.importing'))) return;
          clearInterval(poll);
          setTimeout(() => {
            sentMs = performance.now();
            child.kill(signal);
          }, 100);
        }, 5);
      },
    });
    expect(sentMs).toBeGreaterThan(0);
    expect(done.status).toBe(130);
    expect(performance.now() - sentMs).toBeLessThan(500);
    expect(readdirSync(folder)).toEqual([]);
    expect(done.stdout).toBe('');
  });

  it('removes the temporary case of a run without --case as well', async () => {
    const folder = freshFolder();
    const done = await runCli(['analyze', big], {
      folder,
      onStart: (child) => {
        const poll = setInterval(() => {
          if (!readdirSync(folder).some((name) => name.startsWith('firstfault-'))) return;
          clearInterval(poll);
          child.kill('SIGINT');
        }, 5);
      },
    });
    expect(done.status).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('says nothing on standard error with --quiet, however many dumps there are', async () => {
  const large = fileURLToPath(new URL('../../build/resources/example/large.tar.gz', import.meta.url));
  const done = await run(['analyze', large, '--quiet', '--json']);
  expect(done.stderr).toBe('');
  expect(reportSchema.parse(JSON.parse(done.stdout)).incident.dumpsPresent).toBe(63);
});
