/** The app as a test starts it: a scratch folder that points at the built product, with an entry that waits for Playwright. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const BUNDLES = ['main.cjs', 'preload.cjs', 'engine.cjs'] as const;

/** `engine`: a file to take the engine's place. The caller removes the folder. */
export function makeAppFolder(options: { readonly engine?: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'firstfault-app-'));
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { name, productName, version } = manifest;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, productName, version, main: 'hold.cjs' }));
  copyFileSync(join(import.meta.dirname, 'hold.cjs'), join(folder, 'hold.cjs'));
  mkdirSync(join(folder, '.vite', 'build'), { recursive: true });
  symlinkSync(join(ROOT, '.vite', 'renderer'), join(folder, '.vite', 'renderer'));
  for (const bundle of BUNDLES) {
    const source = bundle === 'engine.cjs' && options.engine ? options.engine : join(ROOT, '.vite', 'build', bundle);
    symlinkSync(source, join(folder, '.vite', 'build', bundle));
  }
  mkdirSync(join(folder, 'build'));
  symlinkSync(join(ROOT, 'build', 'resources'), join(folder, 'build', 'resources'));
  return folder;
}
