import { builtinModules } from 'node:module';
import path from 'node:path';
import type { UserConfig } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const NODE_MODULES = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];
/** CommonJS has no `import.meta`; left alone it would become an empty object. */
const BUNDLE_URL = '__bundleUrl';
const INTRO = `const ${BUNDLE_URL} = require('node:url').pathToFileURL(__filename).href;`;

/**
 * One self-contained CommonJS file for Node or Electron's main and utility processes.
 *
 * All packages go into it, JavaScript of better-sqlite3 included; only its native file stays outside (see README.md).
 * Target Node 20: that is what the Electron of the tests has inside; the shipped one is newer.
 */
export function nodeBundle(name: 'main' | 'engine' | 'cli', entry: string): UserConfig {
  return {
    root: ROOT,
    publicDir: false,
    define: {
      'import.meta.url': BUNDLE_URL,
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    // Everything goes in; and as a server build Vite leaves `new URL('…', import.meta.url)` alone instead of inlining the file.
    ssr: { noExternal: true, external: ['electron'], target: 'node' },
    resolve: { conditions: ['node'], mainFields: ['module', 'main'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: '.vite/build',
      emptyOutDir: false,
      minify: false,
      reportCompressedSize: false,
      lib: { entry: path.join(ROOT, entry), formats: ['cjs'], fileName: () => `${name}.cjs` },
      rolldownOptions: {
        external: ['electron', ...NODE_MODULES],
        output: { entryFileNames: `${name}.cjs`, codeSplitting: false, intro: INTRO },
      },
    },
  };
}
