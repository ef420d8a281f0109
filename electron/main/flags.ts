import { CASE_FILE_EXTENSION } from '#shared/model/case.ts';
import { CASE_ID } from '#shared/model/ids.ts';

/** What the command line asks of the window. Unknown switches belong to Chromium and are left alone. */
export interface Flags {
  /** Id of a kept case, its folder, or a case file that `analyze --case FILE` wrote; null = show the case list. */
  readonly openCase: string | null;
  /** Bundles to import at start, absolute. */
  readonly openBundles: readonly string[];
  /** Import this bundle through the engine, print one line, exit: the smoke test of a package. */
  readonly smokeAnalyze: string | null;
}

/**
 * `resolve` turns a path of the command line into an absolute one (it may be relative to the caller's folder).
 * The last `--case` wins; `--open` may be repeated. An empty value counts as not given.
 */
export function parseFlags(argv: readonly string[], resolve: (path: string) => string): Flags {
  const last = (name: string): string | null => values(argv, name).at(-1) ?? null;
  const smoke = last('--smoke-analyze');
  return {
    openCase: last('--case'),
    openBundles: values(argv, '--open').map(resolve),
    smokeAnalyze: smoke === null ? null : resolve(smoke),
  };
}

/**
 * Paths of a command line: how the system hands over files that are opened with this program. Only a packaged program has them; in
 * development the first is the program's own folder.
 */
export function pathArguments(argv: readonly string[], resolve: (path: string) => string): string[] {
  return argv.filter((arg) => arg !== '' && !arg.startsWith('-')).map(resolve);
}

/** A case that was written as one file is opened; anything else is imported. */
export const isCaseFileName = (path: string): boolean => path.toLowerCase().endsWith(`.${CASE_FILE_EXTENSION}`);

function values(argv: readonly string[], name: string): string[] {
  const prefix = `${name}=`;
  return argv
    .filter((arg) => arg.startsWith(prefix))
    .map((arg) => arg.slice(prefix.length))
    .filter((value) => value !== '');
}

/**
 * What `--case=` means: a kept case by its id, or a case file that stands somewhere else. `kindOf` looks at the disk;
 * `library` is the folder of the kept cases. Null if it is neither.
 */
export function caseFromFlag(
  value: string,
  library: string,
  resolve: (path: string) => string,
  kindOf: (path: string) => 'file' | 'folder' | 'none',
): { readonly id: string } | { readonly file: string } | null {
  if (CASE_ID.test(value) && kindOf(`${library}/${value}`) === 'folder') return { id: value };
  const path = resolve(value).replace(/[\\/]+$/, '');
  const kind = kindOf(path);
  if (kind === 'file') return { file: path };
  const name = path.split(/[\\/]/).at(-1) ?? '';
  if (kind === 'folder' && CASE_ID.test(name) && path.slice(0, -name.length - 1) === library) return { id: name };
  if (kind === 'folder' && kindOf(`${path}/case.db`) === 'file') return { file: `${path}/case.db` };
  return CASE_ID.test(value) ? { id: value } : null;
}
