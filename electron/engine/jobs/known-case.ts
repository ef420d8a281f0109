/** Is a bundle a case already? Told by its hash; only files whose size fits a case are hashed at all. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { CaseSummary } from '#shared/model/case.ts';
import type { CancelSignal } from '#shared/model/job.ts';
import type { CaseLibrary } from '../case-library.ts';

/** The newest whole case of the same bytes; undefined for folders and several inputs, whose hash only reading tells. */
export async function findKnownCase(
  library: CaseLibrary,
  paths: readonly string[],
  cancel: CancelSignal,
): Promise<CaseSummary | undefined> {
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) return undefined;
  try {
    const info = await stat(path);
    if (!info.isFile()) return undefined;
    const candidates = library
      .list()
      .cases.filter(({ bytes, partial, example }) => bytes === info.size && !partial && !example);
    if (candidates.length === 0) return undefined;
    const sha256 = await hashOf(path, cancel);
    return candidates.find((one) => isOf(one, sha256));
  } catch {
    // The import itself says what is wrong with the file.
    return undefined;
  }
}

/** Cases of older versions know the beginning of the hash alone, from their id. */
const isOf = ({ sha256, caseId }: CaseSummary, hash: string): boolean =>
  sha256 === undefined ? new RegExp(`-${hash.slice(0, 8)}(?:-\\d+)?$`).test(caseId) : sha256 === hash;

async function hashOf(path: string, cancel: CancelSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (cancel.aborted) return '';
    hash.update(chunk);
  }
  return hash.digest('hex');
}
