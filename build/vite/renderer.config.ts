import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** The window's page. Relative addresses, and nothing inlined as `data:`, so that its content policy can stay strict. */
export default defineConfig({
  root: path.join(ROOT, 'renderer'),
  base: './',
  publicDir: false,
  plugins: [react()],
  build: {
    target: 'chrome130',
    outDir: path.join(ROOT, '.vite/renderer'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
});
