import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcomeOf } from '../../../build/scripts/test-steps.mjs';

const GROUPS = { unit: ['unit'], golden: ['rules', 'incidents'] };

/** What vitest's JSON reporter writes, as far as it is read. */
function report(files: Readonly<Record<string, readonly string[]>>) {
  const folder = join(import.meta.dirname, '..', '..');
  return {
    testResults: Object.entries(files).map(([name, statuses]) => ({
      name: join(folder, name),
      assertionResults: statuses.map((status) => ({ status })),
    })),
  };
}

test('counts by group', () => {
  const files = {
    'unit/a.test.ts': ['passed', 'passed'],
    'rules/b.test.ts': ['passed'],
    'incidents/c.test.ts': ['passed'],
  };
  expect(outcomeOf(report(files), GROUPS, null)).toEqual({
    passed: 4,
    failed: 0,
    detail: 'unit 2, golden 2',
    output: '',
  });
});

test('a failed test is a failure, and its output is kept', () => {
  const files = { 'unit/a.test.ts': ['passed', 'failed'], 'rules/b.test.ts': ['passed'] };
  expect(outcomeOf(report(files), GROUPS, 'assertion …\n')).toMatchObject({
    passed: 2,
    failed: 1,
    output: 'assertion …\n',
  });
});

test('a skipped test counts as failed', () => {
  const files = { 'unit/a.test.ts': ['passed', 'skipped'], 'rules/b.test.ts': ['passed'] };
  expect(outcomeOf(report(files), GROUPS, null)).toMatchObject({ passed: 2, failed: 1 });
});

test('a group without tests is a failure', () => {
  expect(outcomeOf(report({ 'unit/a.test.ts': ['passed'] }), GROUPS, null)).toMatchObject({
    passed: 1,
    failed: 1,
    output: 'golden: no test ran\n',
  });
});

test('a file that could not be loaded is a failure', () => {
  const files = { 'unit/a.test.ts': ['passed'], 'unit/b.test.ts': [], 'rules/b.test.ts': ['passed'] };
  expect(outcomeOf(report(files), GROUPS, null)).toMatchObject({ passed: 2, failed: 1 });
});

test('a run that ended badly is a failure even if every test passed', () => {
  const files = { 'unit/a.test.ts': ['passed'], 'rules/b.test.ts': ['passed'] };
  expect(outcomeOf(report(files), GROUPS, 'unhandled error\n')).toMatchObject({ passed: 2, failed: 1 });
});

test('no report at all is a failure of every group', () => {
  expect(outcomeOf(null, GROUPS, 'could not start\n')).toMatchObject({ passed: 0, failed: 2 });
});
