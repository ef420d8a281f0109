import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/{unit,rules,incidents,integration,host}/**/*.test.{ts,tsx}'],
    // Only hangs are meant: a busy machine may take ten times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Two cores are what the gate has; forks keep native SQLite handles apart.
    pool: 'forks',
    maxWorkers: 2,
  },
});
