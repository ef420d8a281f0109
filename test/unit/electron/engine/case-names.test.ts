import { describe, expect, it } from 'vitest';
import { caseNameOf, newCaseId } from '#engine/case-files.ts';
import { emptyKind } from '#engine/import/empty-kind.ts';
import { isDamaged, isDiskFull } from '#engine/store/sqlite.ts';
import { fileSlug } from '#shared/lib/file-names.ts';
import { CASE_ID } from '#shared/model/ids.ts';

describe('names of cases', () => {
  it.each([
    ['vit-large hang.tar.gz', 'vit-large-hang'],
    ['Überlauf_GPU.zip', 'u-berlauf-gpu'],
    ['../../etc', 'etc'],
    ['pod.log.zst', 'pod-log'],
    ['run.tbz2', 'run'],
    ['my.tarball', 'my-tarball'],
    ['事故', 'case'],
    ['', 'case'],
    ['x'.repeat(300), 'x'.repeat(60)],
  ])('%s → %s', (name, slug) => {
    expect(fileSlug(name)).toBe(slug);
    expect(newCaseId(name, 'ab'.repeat(32), () => false)).toMatch(CASE_ID);
  });

  it('are counted up while they are taken', () => {
    const taken = new Set(['a-00000000', 'a-00000000-2']);
    expect(newCaseId('a', '0'.repeat(64), (id) => taken.has(id))).toBe('a-00000000-3');
  });
});

describe('the name of a case', () => {
  it.each([
    ['bundle', ['/data/job-7f3a/bundle'], 'job-7f3a'],
    ['bundle.tar.gz', ['/data/job-7f3a/bundle.tar.gz'], 'job-7f3a'],
    ['logs', ['/logs'], 'logs'],
    ['bundle', ['/uploads/output/bundle'], 'bundle'],
    ['vit-large-hang.zip', ['/data/logs/vit-large-hang.zip'], 'vit-large-hang.zip'],
    ['a + b', ['/x/a', '/x/b'], 'a + b'],
    ['bundle', [], 'bundle'],
  ])('%s of %j is %s', (bundleName, paths, name) => {
    expect(caseNameOf(bundleName, paths)).toBe(name);
  });
});

describe('what an empty file was meant to be', () => {
  it.each([
    ['fr/nccl_trace_rank_3', 'Recorder dump'],
    ['_dump_14', 'Recorder dump'],
    ['logs/worker-0.log', 'Log'],
    ['attempt_0/4/stderr.log', 'Log'],
    ['pods.yaml', 'Document'],
    ['worker-0.describe.txt', 'Text'],
    ['upload.tar.gz', undefined],
    ['nccl_trace_rank_3.tar.gz', undefined],
    ['photo.jpg', undefined],
    ['README', undefined],
  ])('%s: %s', (path, kind) => {
    expect(emptyKind(path)).toBe(kind);
  });
});

describe('errors of the disk', () => {
  const withCode = (code: string) => Object.assign(new Error(code), { code });

  it.each([
    ['SQLITE_FULL', true],
    ['ENOSPC', true],
    ['EDQUOT', true],
    ['SQLITE_BUSY', false],
    ['EACCES', false],
  ])('%s means full: %s', (code, full) => {
    expect(isDiskFull(withCode(code))).toBe(full);
  });

  it.each([
    ['SQLITE_CORRUPT', true],
    ['SQLITE_CORRUPT_INDEX', true],
    ['SQLITE_NOTADB', true],
    ['SQLITE_FULL', false],
  ])('%s means damaged: %s', (code, damaged) => {
    expect(isDamaged(withCode(code))).toBe(damaged);
  });
});
