/**
 * Packages the app with Electron Forge: builds the bundles, puts them into an asar, sets the fuses.
 *
 * What goes in: package.json and `.vite/` (in the asar); the native file of SQLite for the target, the example and the licence
 * beside it. Nothing of node_modules: the bundles hold what they need.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { FusesPlugin } from '@electron-forge/plugin-fuses';
import { VitePlugin } from '@electron-forge/plugin-vite';
import type { ForgeConfig } from '@electron-forge/shared-types';

/** Set by the package smoke test: packs the Electron of the tests, and SQLite built for it, instead of the ones that ship. */
const forTest = process.env['FIRSTFAULT_TEST_PACKAGE'] === '1';
const outDir = forTest ? 'out/test' : 'out';
const stage = join(import.meta.dirname, outDir, 'stage');

function nativeFile(platform: string, arch: string): string {
  return forTest
    ? '.electron/native/better_sqlite3.node'
    : `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`;
}

const config: ForgeConfig = {
  outDir,
  packagerConfig: {
    name: 'Firstfault',
    executableName: 'firstfault',
    appBundleId: 'dev.firstfault.app',
    asar: true,
    // Cases that were written as one file open with a click (macOS; Linux and Windows get it from electron-builder.yml).
    extendInfo: {
      CFBundleDocumentTypes: [
        {
          CFBundleTypeName: 'Firstfault case',
          CFBundleTypeExtensions: ['firstfault'],
          CFBundleTypeRole: 'Viewer',
          LSHandlerRank: 'Owner',
        },
      ],
    },
    extraResource: [join(stage, 'native'), 'build/resources/example', 'LICENSE'],
    ...(forTest ? { electronZipDir: '.electron/zip' } : {}),
  },
  // The native file is one Node-API binary per platform: nothing is compiled for Electron.
  rebuildConfig: { onlyModules: [] },
  hooks: {
    prePackage: async (_config, platform, arch) => {
      mkdirSync(join(stage, 'native'), { recursive: true });
      copyFileSync(join(import.meta.dirname, nativeFile(platform, arch)), join(stage, 'native', 'better_sqlite3.node'));
    },
  },
  plugins: [
    new VitePlugin({
      build: [
        { entry: 'electron/main/main.ts', config: 'build/vite/main.config.ts', target: 'main' },
        { entry: 'electron/engine/engine-process.ts', config: 'build/vite/engine.config.ts', target: 'main' },
        { entry: 'electron/preload/preload.ts', config: 'build/vite/preload.config.ts', target: 'preload' },
      ],
      renderer: [{ name: 'window', config: 'build/vite/renderer.config.ts' }],
    }),
    new FusesPlugin({
      version: FuseVersion.V1,
      [FuseV1Options.RunAsNode]: false,
      [FuseV1Options.EnableCookieEncryption]: true,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      // Checked by Electron on macOS and Windows only; Linux ignores it.
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
      [FuseV1Options.OnlyLoadAppFromAsar]: true,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      // The window is served by our own scheme, so file:// needs no privilege.
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
    }),
  ],
};

export default config;
