/**
 * Does the engine let go of what an import had open? Imports one after the other in one engine, as the window has it: files and threads of the
 * process are counted after each. How memory behaves over fifty is measured by `npm run bench:leak`.
 */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from './engine-client.ts';
import { scratchFolder } from './scratch.ts';

const EXAMPLE = fileURLToPath(new URL('../../build/resources/example/small', import.meta.url));
const IMPORTS = 10;
/** By then everything that is opened once is open; what the last import has not let go yet counts as held, too. */
const WARM = 3;
/** A thread that was told to end takes a moment; what still stands after this is kept. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 50;

interface Held {
  readonly files: readonly string[];
  readonly threads: number;
}

function nameOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).replace(/\d{3,}|[0-9a-f-]{8,}/g, '#');
  } catch {
    // The one that lists the folder is closed by now.
    return '';
  }
}

const held = (): Held => ({
  files: readdirSync('/proc/self/fd').map(nameOf).filter(Boolean).sort(),
  threads: readdirSync('/proc/self/task').length,
});

/** What is held once it is no more than before, or at the end of all patience. */
async function settled({ files, threads }: Held): Promise<Held> {
  let now = held();
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    if (now.files.length <= files.length && now.threads <= threads) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    now = held();
  }
  return now;
}

describe.skipIf(!existsSync('/proc/self/fd'))('imports one after the other', () => {
  const scratch = scratchFolder();
  const { engine, main, lastState } = connect({
    home: scratch.path,
    version: '0',
    workerEntry: fileURLToPath(new URL('../../electron/cli/cli.ts', import.meta.url)),
    temporaryContents: 'everything',
  });
  afterAll(() => engine.close());

  it('leave no file and no thread behind', { timeout: 240_000 }, async () => {
    let before: Held | undefined;
    for (let count = 1; count <= IMPORTS; count += 1) {
      const begun = await main.request('bundle.import', { paths: [EXAMPLE], keep: false });
      if (!begun.ok) throw new Error(begun.error.detail);
      expect((await lastState(begun.value.jobId)).kind).toBe('done');
      if (count === WARM) before = held();
    }
    if (before === undefined) throw new Error('fewer imports than it takes');
    const after = await settled(before);
    expect(after.files.length, after.files.join('\n')).toBeLessThanOrEqual(before.files.length);
    expect(after.threads).toBeLessThanOrEqual(before.threads);
  });
});
