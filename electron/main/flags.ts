/** What the command line asks of the window. Unknown switches belong to Chromium and are left alone. */
export interface Flags {
  /** Id of a case, or the folder that holds it; null = show the case list. */
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

function values(argv: readonly string[], name: string): string[] {
  const prefix = `${name}=`;
  return argv
    .filter((arg) => arg.startsWith(prefix))
    .map((arg) => arg.slice(prefix.length))
    .filter((value) => value !== '');
}

/** `~/cases/vit-large-hang/` and `vit-large-hang` both mean the case `vit-large-hang`; anything else is null. */
export function caseIdFromFlag(value: string | null): string | null {
  if (value === null) return null;
  const name =
    value
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  return /^[a-z0-9-]{1,120}$/.test(name) ? name : null;
}
