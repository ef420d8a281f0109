import path from 'node:path';
import { defineConfig } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** The sandboxed preload may require nothing but `electron`: one file, everything else inside. */
export default defineConfig({
  root: ROOT,
  publicDir: false,
  build: {
    target: 'chrome130',
    outDir: '.vite/build',
    emptyOutDir: false,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: path.join(ROOT, 'electron/preload/preload.ts'),
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: 'preload.cjs', codeSplitting: false },
    },
  },
});
