/**
 * Whose work is in the package: `renderer/views/shell/third-party.txt`, which About shows and every package carries.
 *
 *   node build/scripts/licences.ts
 *
 * Every package that the layer table lets into the product, and what those depend on, with version and the text of its licence; equal texts
 * stand once. Electron brings the notices of Chromium and Node itself. Same packages, same text; a test compares.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGES } from '../checks/layer-table.ts';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
export const LICENCES_FILE = fileURLToPath(new URL('../../renderer/views/shell/third-party.txt', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: readonly string[];
}

function manifestOf(name: string): Manifest {
  const known: Record<string, unknown> = JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8'));
  const { dependencies } = known;
  return {
    name,
    version: String(known['version']),
    license: typeof known['license'] === 'string' ? known['license'] : 'see its text',
    dependencies: typeof dependencies === 'object' && dependencies !== null ? Object.keys(dependencies) : [],
  };
}

/** Only types, or programs that build: never in the product, though a manifest names them. */
const isShipped = (name: string): boolean =>
  !name.startsWith('@types/') && existsSync(join(MODULES, name, 'package.json'));

function shipped(): Manifest[] {
  const found = new Map<string, Manifest>();
  const open = Object.entries(PACKAGES)
    .filter(([name, kind]) => kind !== 'tool' && name !== 'electron')
    .map(([name]) => name);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || !isShipped(name)) continue;
    const manifest = manifestOf(name);
    found.set(name, manifest);
    open.push(...manifest.dependencies);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function textOf(name: string): string {
  const folder = join(MODULES, name);
  const file = readdirSync(folder)
    .filter((entry) => /^(?:licen[sc]e|copying|notice)(?:[.-].*)?$/i.test(entry))
    .sort()[0];
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
}

/** The whole text, ending in a line break. */
export function licencesText(): string {
  const byText = new Map<string, Manifest[]>();
  for (const manifest of shipped()) {
    const text = textOf(manifest.name) || `${manifest.license}. The package carries no text of its own.`;
    byText.set(text, [...(byText.get(text) ?? []), manifest]);
  }
  const parts = [...byText].map(
    ([text, packages]) =>
      `${packages.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n')}\n\n${text}`,
  );
  return `${parts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(LICENCES_FILE, licencesText());
