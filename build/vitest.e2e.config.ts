import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Window tests: one real Electron at a time, on the display that `npm run e2e` starts them on. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    // Only hangs are meant: a busy machine may take ten times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    fileParallelism: false,
  },
});
