/** What is no bundle at all is said to be none, whatever its name promises. */
import { expect, it } from 'vitest';
import { importIncident } from './import-incident.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const outcome = (name: string, text: string): Promise<string> =>
  importIncident([scratch.write(name, text)], `${scratch.path}/${name}.case/case.db`).then(
    ({ report }) => report.verdict.outcome,
    (error: Error) => error.message,
  );

it('text under the name of an archive', async () => {
  expect(await outcome('x.tar.gz', 'hello, this is some text\nof two lines\n')).toMatch(
    /^nothing-readable: x\.tar: |^nothing-readable: x\.tar\.gz: /,
  );
});

it.each([
  ['train.log', 'hello\nof a program that prints no times\n'],
  ['notes', '2026-02-18T10:00:00Z began\n2026-02-18T10:00:05Z ended\n'],
])('not text that may be a log: %s', async (name, text) => {
  expect(await outcome(name, text)).toBe('cannot-tell');
});
