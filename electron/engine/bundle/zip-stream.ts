/** A zip as it comes: from its file or volumes on disk, or out of another archive, for which it is spooled. */
import type { ArchivePlace, OpenMember } from './archive-place.ts';
import type { Budget } from './budget.ts';
import type { BundleItem } from './bundle-item.ts';
import { ByteReader, type DiskPath, type ReadHooks } from './byte-source.ts';
import { isSplitZip } from './container-kind.ts';
import type { BundleLimits } from './limits.ts';
import type { PasswordBook } from './password-book.ts';
import { chunksOf, openFiles, type RandomBytes, spool } from './random-access.ts';
import type { UnitTracker } from './units.ts';
import { openZip, zipItems } from './zip.ts';
import { zipScanItems } from './zip-scan.ts';
import { joinVolumes } from './zip-volumes.ts';

export interface ZipStream {
  /** Where the zip is on disk; undefined if it comes out of another archive. */
  readonly onDisk: { readonly paths: readonly DiskPath[]; readonly noFollow: boolean } | undefined;
  /** Where its volumes begin if it comes out of another archive in several. */
  readonly starts: readonly number[] | undefined;
  readonly place: ArchivePlace;
  readonly openMember: OpenMember;
  /** The zip is the bundle: its members are the files that are counted. */
  readonly isOnly: boolean;
}

/** What all zips of a bundle share. */
export interface ZipState {
  readonly limits: BundleLimits;
  readonly budget: Budget;
  readonly hooks: ReadHooks;
  readonly passwords: PasswordBook;
  readonly spoolFolder: string;
  readonly units: UnitTracker;
}

/** The members of a zip; of one whose directory is missing, those before the damage. */
export async function* zipStreamItems(
  reader: ByteReader,
  { onDisk, place, openMember, isOnly, ...parts }: ZipStream,
  state: ZipState,
): AsyncGenerator<BundleItem> {
  const bytes = await randomBytes(reader, onDisk, state);
  try {
    if (bytes === undefined || state.budget.exceeded !== undefined) return;
    const starts = bytes.starts ?? parts.starts;
    const zip = await openWhole(bytes, starts);
    if (zip.ok) {
      // Of a spooled zip, the input was counted when it was read.
      const hooks = onDisk === undefined ? { ...state.hooks, onInputBytes: () => undefined } : state.hooks;
      const units = isOnly ? state.units : undefined;
      yield* zipItems(zip.value, { place, budget: state.budget, openMember, hooks, passwords: state.passwords, units });
      return;
    }
    const head = await bytes.read(0, 4);
    const isSplit = isSplitZip(head) || zip.error.includes('multi-disk') || (starts?.length ?? 1) > 1;
    const packed = onDisk === undefined ? `${bytes.size} of the unpacked archive` : String(bytes.size);
    yield {
      kind: 'issue',
      code: isSplit ? 'unsupported-archive' : 'archive-truncated',
      severity: 'error',
      path: place.shown,
      detail: isSplit
        ? splitZipDetail(starts, zip.error, place.hint)
        : `it ends early, at byte ${packed}, or is damaged: its directory is unreadable (${zip.error})${place.hint}`,
    };
    const scan = new ByteReader(chunksOf(bytes, state.hooks));
    if (isSplit) await scan.skip(4);
    yield* zipScanItems(scan, { prefix: place.prefix, budget: state.budget, openMember });
  } finally {
    await bytes?.close();
  }
}

/** A zip, or the volumes of one. */
async function openWhole(bytes: RandomBytes, starts: readonly number[] | undefined): ReturnType<typeof openZip> {
  const zip = await openZip(bytes);
  if (zip.ok || starts === undefined || starts.length < 2) return zip;
  const joined = await joinVolumes(bytes, starts);
  return joined.ok ? openZip(joined.value) : joined;
}

const splitZipDetail = (starts: readonly number[] | undefined, error: string, hint: string): string =>
  starts === undefined || starts.length < 2
    ? 'a volume of a split zip (.z01, .z02, …, .zip): give all its volumes together, under their own names'
    : `a split zip whose volumes cannot be read as one (${error})${hint}; join them with "zip -s 0 NAME.zip --out whole.zip" and import that`;

/** Undefined if the file cannot be opened: reading it as a stream says why. */
async function randomBytes(
  reader: ByteReader,
  onDisk: ZipStream['onDisk'],
  state: ZipState,
): Promise<RandomBytes | undefined> {
  if (onDisk === undefined)
    return spool(reader.rest(), { memoryBytes: state.limits.spoolMemoryBytes, folder: state.spoolFolder });
  try {
    return await openFiles(onDisk.paths, onDisk.noFollow);
  } catch {
    return undefined;
  }
}
