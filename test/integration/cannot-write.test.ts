import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CaseReader } from '#engine/store/case-reader.ts';
import { CaseWriter, InUseError, isCaseInUse } from '#engine/store/case-writer.ts';
import { createForImport } from '#engine/store/sqlite.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const ENTRY = fileURLToPath(new URL('../../electron/cli/cli.ts', import.meta.url));
const LOG = scratch.write('worker-0.log', '2026-02-18T10:00:00Z [rank0]: hello\n');

/** The terminal program with what the shell does to it first. */
function underShell(script: string, ...args: string[]) {
  const run = spawnSync(
    'sh',
    ['-c', `${script}; exec "$0" "$@"`, process.execPath, ENTRY, 'analyze', '--quiet', ...args],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], FIRSTFAULT_HOME: scratch.path, TMPDIR: scratch.path, LANG: 'C.UTF-8' },
    },
  );
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}

describe('a case that cannot be written', () => {
  it('is told with its name, and nothing is left of it', () => {
    const file = join(scratch.path, 'limited.case');
    const run = underShell('ulimit -f 60', LOG, '--case', file);
    expect(run.stderr).toMatch(/^analyze: .*limited\.case cannot be written: the disk is full, or a limit is reached/m);
    expect(run).toMatchObject({ status: 5, stdout: '' });
    expect(readdirSync(scratch.path).filter((name) => name.startsWith('limited'))).toEqual([]);
  });

  it('is not taken away from another import that writes it', () => {
    const file = join(scratch.path, 'twice.case');
    const first = new CaseWriter(file, { now: () => 0 });
    expect(isCaseInUse(file)).toBe(true);
    expect(() => new CaseWriter(file, { now: () => 0 })).toThrow(InUseError);
    first.finish();
    expect(isCaseInUse(file)).toBe(false);
    const opened = CaseReader.open(file);
    expect(opened.ok).toBe(true);
    if (opened.ok) opened.value.close();
  });

  it('is written where a process that is gone has left a part of one', () => {
    const file = join(scratch.path, 'left.case');
    createForImport(`${file}.importing`).close();
    expect(isCaseInUse(file)).toBe(false);
    scratch.write('left.case.importing', 'no database');
    new CaseWriter(file, { now: () => 0 }).finish();
    expect(readdirSync(scratch.path).filter((name) => name.startsWith('left'))).toEqual(['left.case']);
  });
});

describe('output that cannot be written', () => {
  it('ends with a status and one line, not with a stack', () => {
    const run = underShell('exec > /dev/full', LOG, '--json');
    expect(run).toEqual({
      status: 5,
      stdout: '',
      stderr: 'firstfault: standard output cannot be written: the disk is full\n',
    });
  });
});
