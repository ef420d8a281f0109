/**
 * Where the SQLite binary is. One Node-API file serves Node ≥ 22.14 and Electron ≥ 36; below that only a binary built for
 * the purpose works, and loading the stock one would end the process, so it is refused first.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface BindingPlaces {
  /** FIRSTFAULT_SQLITE_BINDING: wins over everything. */
  readonly fromEnvironment: string | undefined;
  /** `process.resourcesPath` of a packaged Electron. */
  readonly resourcesPath: string | undefined;
  /** Folder of the installed better-sqlite3 package, if it can be found. */
  readonly packageFolder: string | undefined;
  readonly platform: string;
  readonly arch: string;
  readonly musl: boolean;
  readonly exists: (path: string) => boolean;
}

/** The path to load, or undefined if there is none for this machine. */
export function chooseBinding(places: BindingPlaces): string | undefined {
  if (places.fromEnvironment !== undefined && places.fromEnvironment !== '') return places.fromEnvironment;
  if (places.resourcesPath !== undefined) {
    const packaged = join(places.resourcesPath, 'native', 'better_sqlite3.node');
    if (places.exists(packaged)) return packaged;
  }
  if (places.packageFolder === undefined) return undefined;
  const platform = places.musl ? 'linuxmusl' : places.platform;
  const prebuilt = join(places.packageFolder, 'prebuilds', `${platform}-${places.arch}.node`);
  return places.exists(prebuilt) ? prebuilt : undefined;
}

/** Node-API 10 is what the stock binary needs. */
const STOCK_NODE_API = 10;

/** Loads the addon once per thread. Throws with one clear line if it cannot be loaded. */
export function loadBinding(): object {
  if (loaded !== undefined) return loaded;
  const fromEnvironment = process.env['FIRSTFAULT_SQLITE_BINDING'];
  const path = chooseBinding({
    fromEnvironment,
    resourcesPath:
      'resourcesPath' in process && typeof process.resourcesPath === 'string' ? process.resourcesPath : undefined,
    packageFolder: packageFolder(),
    platform: process.platform,
    arch: process.arch,
    musl: isMusl(),
    exists: existsSync,
  });
  if (path === undefined) throw new Error(`no SQLite binary for ${process.platform}-${process.arch}`);
  if (path !== fromEnvironment && Number(process.versions['napi'] ?? '0') < STOCK_NODE_API) {
    throw new Error(`the SQLite binary needs Node 22.14 or newer; this is ${process.version}`);
  }
  const module: { exports: object } = { exports: {} };
  process.dlopen(module, path);
  loaded = module.exports;
  return loaded;
}

let loaded: object | undefined;

/** Bundled code finds the package beside the application; plain sources through node_modules. */
function packageFolder(): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return dirname(createRequire(from).resolve('better-sqlite3/package.json'));
    } catch {
      // try the next place
    }
  }
  return undefined;
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\/ld-musl-[^/\s]*\.so/.test(readFileSync('/proc/self/maps', 'latin1'));
  } catch {
    return false;
  }
}
