import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/{unit,rules,incidents,integration,host}/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores are what the gate has; forks keep native SQLite handles apart.
    pool: 'forks',
    maxWorkers: 2,
  },
});
