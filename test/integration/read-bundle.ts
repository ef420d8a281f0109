import { mkdirSync } from 'node:fs';
import type { BundleLimits } from '#engine/bundle/limits.ts';
import { type Bundle, type OpenBundleOptions, openBundle } from '#engine/bundle/open-bundle.ts';

export interface SeenEntry {
  readonly path: string;
  readonly content: string;
  readonly cut: string;
  readonly truncatedAt: number | undefined;
  readonly refused: string | undefined;
  readonly repeated: boolean;
  /** `status code: detail` of an archive that stays closed. */
  readonly unopened: string | undefined;
}

export interface SeenBundle {
  readonly bundle: Bundle;
  readonly entries: readonly SeenEntry[];
  /** `path: code` of members that were not read. */
  readonly refused: readonly string[];
  /** `code: detail` of the containers. */
  readonly issues: readonly string[];
}

/** Reads a whole bundle into memory: what the importer would see. `meanwhile` runs between the listing and the reading. */
export async function readBundle(
  paths: readonly string[],
  limits: Partial<BundleLimits> = {},
  meanwhile = (): void => undefined,
  spoolFolder?: string,
  password?: string,
): Promise<SeenBundle> {
  if (spoolFolder !== undefined) mkdirSync(spoolFolder, { recursive: true });
  const options: OpenBundleOptions = {
    limits,
    hooks: { cancel: { aborted: false }, onInputBytes: () => undefined },
    ...(spoolFolder === undefined ? {} : { spoolFolder }),
    ...(password === undefined ? {} : { password }),
  };
  const opened = await openBundle(paths, options);
  if (!opened.ok) throw new Error(opened.error.detail);
  meanwhile();
  const entries: SeenEntry[] = [];
  const refused: string[] = [];
  const issues: string[] = [];
  for await (const item of opened.value.items()) {
    if (item.kind === 'issue') issues.push(`${item.code}: ${item.detail}`);
    else if (item.kind === 'unit-end' || item.kind === 'stored-unit') continue;
    else if (item.kind === 'refused') refused.push(`${item.path}: ${item.refusal.status} ${item.refusal.code}`);
    else {
      const parts: Buffer[] = [];
      for await (const chunk of item.chunks) parts.push(Buffer.from(chunk));
      entries.push({
        path: item.path,
        content: Buffer.concat(parts).toString('latin1'),
        cut: item.end.cut,
        truncatedAt: item.end.truncatedAt,
        refused: item.end.refusal?.code,
        repeated: item.repeated,
        unopened: item.unopened && `${item.unopened.status} ${item.unopened.code}: ${item.unopened.detail}`,
      });
    }
  }
  return { bundle: opened.value, entries, refused, issues };
}
