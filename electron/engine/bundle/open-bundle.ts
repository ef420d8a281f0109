/**
 * From what the user named to a stream of entries.
 *
 *   path ─▶ folder ─▶ its files, sorted, parts of split archives joined ─┬▶ open-stream.ts ─▶ items
 *        └▶ file, or the parts of a split one ───────────────────────────┘
 *
 * Nothing is unpacked to disk and nothing is written next to the bundle (a zip inside another archive may be spooled, see
 * `random-access.ts`).
 */
import { createHash, type Hash } from 'node:crypto';
import { open, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { err, ok, type Result } from '#shared/lib/result.ts';
import { wholeEnd } from './archive-place.ts';
import { Budget } from './budget.ts';
import type { BundleItem, Refusal } from './bundle-item.ts';
import { CHUNK_BYTES, checkCancelled, type ReadHooks, regularFileFlags } from './byte-source.ts';
import {
  type FilesOnDisk,
  type FolderListing,
  folderItems,
  joinListedParts,
  listFolder,
  readOrFail,
} from './folder.ts';
import { type BundleLimits, DEFAULT_LIMITS } from './limits.ts';
import { checkMemberPath, visiblePath } from './member-path.ts';
import { type OpenState, openStream } from './open-stream.ts';
import { SeenPaths } from './seen-paths.ts';
import { findSplitArchives, missingPartItems } from './split-parts.ts';

export interface OpenBundleOptions {
  readonly limits?: Partial<BundleLimits>;
  readonly hooks: ReadHooks;
  /** For encrypted members of zips. */
  readonly password?: string;
  /** Where a zip inside another archive may be spooled; see `random-access.ts`. Default: the system's temporary folder. */
  readonly spoolFolder?: string;
}

export interface OpenBundleError {
  readonly code: 'path-missing';
  readonly detail: string;
}

export interface Bundle {
  /** Base name of the input; several are joined by ` + `. */
  readonly name: string;
  /** Bytes on disk of all inputs. */
  readonly inputBytes: number;
  /** Number of files of a folder; null for archives, and as soon as the folder turns out to hold one. */
  readonly filesTotal: number | null;
  /** One pass; ask for the next item only when the last one's chunks are consumed. Throws CancelledError. */
  items(): AsyncGenerator<BundleItem>;
  /**
   * SHA-256 of the one file that was given, valid after `items` ended; undefined for a folder or several inputs (then the
   * entries' hashes make the bundle's).
   */
  fileSha256(): string | undefined;
  /** Unpacked bytes so far. */
  unpackedBytes(): number;
  /** Set if a limit of the bundle as a whole ended the reading. */
  stoppedBy(): string | undefined;
}

interface Input {
  /** More than one: parts of a split archive, in order. */
  readonly files: readonly string[];
  readonly name: string;
  readonly bytes: number;
  readonly listing: FolderListing | undefined;
  readonly hint: string;
  /** Parts that cannot be used, and which part is missing. */
  readonly problems: readonly BundleItem[];
}

/**
 * Looks at the inputs (sizes, folder lists). `paths` may not be empty. Several paths are one incident sent in parts: each part's
 * entries go under the part's name, and the order of the arguments does not matter. Missing path: `path-missing`.
 */
export async function openBundle(
  paths: readonly string[],
  options: OpenBundleOptions,
): Promise<Result<Bundle, OpenBundleError>> {
  const limits: BundleLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const sizes = await inputSizes(paths);
  if (!sizes.ok) return sizes;
  // Folder sizes are known only after listing; listing needs the entry budget. Ratio limits concern archives: their size is known.
  const archiveBytes = sizes.value.reduce((sum, input) => sum + (input.folder ? 0 : input.bytes), 0);
  const listingBudget = new Budget(limits, 0);
  const inputs: Input[] = [];
  for (const input of await joinedInputs(sizes.value)) {
    const listing = input.folder ? await listFolder(input.file, input.name, listingBudget, options.hooks) : undefined;
    const joined = listing === undefined ? undefined : await joinListedParts(listing);
    const listed = joined?.members.reduce((sum, member) => sum + member.bytes, 0);
    inputs.push({ ...input, bytes: listed ?? input.bytes, listing: joined });
  }
  const inputBytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
  const listed = inputs.reduce((sum, input) => sum + (input.listing?.members.length ?? 0), 0);
  let filesTotal = inputs.every((input) => input.listing !== undefined) ? listed : null;
  const state: ReadState = {
    limits,
    budget: new Budget(limits, Math.max(archiveBytes, inputBytes), listed),
    hooks: options.hooks,
    seen: new SeenPaths(),
    password: options.password,
    spoolFolder: options.spoolFolder ?? tmpdir(),
    onNested: () => {
      filesTotal = null;
    },
    hash: undefined,
  };
  if (inputs.length === 1 && inputs[0]?.listing === undefined && inputs[0]?.files.length === 1)
    state.hash = createHash('sha256');
  let digest: string | undefined;
  return ok({
    name: inputs.map((input) => visiblePath(input.name)).join(' + '),
    inputBytes,
    get filesTotal() {
      return filesTotal;
    },
    async *items() {
      for (const input of inputs) {
        yield* inputItems(input, inputs.length > 1 ? `${prefixOf(input)}/` : '', state);
        if (state.budget.exceeded === undefined) continue;
        yield wholeRefused(input, state.budget.exceeded);
        break;
      }
      digest = state.hash?.digest('hex');
    },
    fileSha256: () => digest,
    unpackedBytes: () => state.budget.bytes,
    stoppedBy: () => state.budget.exceeded?.detail,
  });
}

function wholeRefused(input: Input, { code, detail }: Refusal): BundleItem {
  const path = visiblePath(input.name);
  return { kind: 'issue', code, severity: 'refused', path, detail: `${detail}; the rest is not read` };
}

interface InputSize {
  readonly file: string;
  readonly name: string;
  readonly folder: boolean;
  readonly bytes: number;
}

async function inputSizes(paths: readonly string[]): Promise<Result<InputSize[], OpenBundleError>> {
  const found = new Map<string, InputSize>();
  for (const path of paths) {
    try {
      // The user named it, so a link that the user named is followed; links inside are not.
      const file = await realpath(path);
      const info = await stat(file);
      const folder = info.isDirectory();
      if (!folder && !info.isFile())
        return err({ code: 'path-missing', detail: `${path}: neither a file nor a folder` });
      found.set(file, { file, name: basename(resolve(path)) || 'bundle', folder, bytes: folder ? 0 : info.size });
    } catch (error) {
      const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
      const why = code === 'EACCES' ? 'permission denied' : 'no such file or folder';
      return err({ code: 'path-missing', detail: `${path}: ${why}` });
    }
  }
  const order = (a: InputSize, b: InputSize): number => compareText(a.name, b.name) || compareText(a.file, b.file);
  return ok(withDistinctNames([...found.values()]).sort(order));
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `node-a/train.log` and `node-b/train.log` given as two files keep their folder's name; others just their own. */
function withDistinctNames(inputs: readonly InputSize[]): InputSize[] {
  const counts = new Map<string, number>();
  for (const { name } of inputs) counts.set(name, (counts.get(name) ?? 0) + 1);
  return inputs.map((input) =>
    counts.get(input.name) === 1 ? input : { ...input, name: `${basename(dirname(input.file))}/${input.name}` },
  );
}

type NamedInput = Omit<Input, 'listing'> & { readonly file: string; readonly folder: boolean };

/** Parts of one split archive, given together, are one input. */
async function joinedInputs(sizes: readonly InputSize[]): Promise<NamedInput[]> {
  const files = sizes.filter((size) => !size.folder).map((size) => ({ ...size, path: size.file }));
  const sets = await findSplitArchives(files);
  const taken = new Set(sets.flatMap((set) => [...set.parts, ...set.unread].map((part) => part.file)));
  const inputs: NamedInput[] = sizes
    .filter((size) => !taken.has(size.file))
    .map((size) => ({ ...size, files: [size.file], hint: '', problems: [] }));
  for (const set of sets) {
    const parts = set.parts.map((part) => part.file);
    inputs.push({
      file: set.path,
      files: parts,
      name: basename(set.path),
      folder: false,
      bytes: set.parts.reduce((sum, part) => sum + part.bytes, 0),
      hint: set.hint,
      problems: missingPartItems(set, basename(set.path), (part) => part.name),
    });
  }
  return inputs.sort((a, b) => compareText(a.name, b.name) || compareText(a.file, b.file));
}

const ARCHIVE_ENDING = /\.(?:tar(?:\.(?:gz|zst|xz|bz2))?|tgz|tzst|txz|tbz2?|zip)$/i;

/** The folder under which one of several inputs appears; a plain file stands under its own name. */
function prefixOf(input: Input): string {
  const checked = checkMemberPath(input.name.replace(ARCHIVE_ENDING, ''), 255);
  return checked.ok ? checked.path : 'part';
}

interface ReadState extends OpenState {
  /** Of the only input file, fed while it is read. */
  hash: Hash | undefined;
}

async function* inputItems(input: Input, prefix: string, state: ReadState): AsyncGenerator<BundleItem> {
  if (input.listing !== undefined) {
    const openFiles = (member: FilesOnDisk) => fileItems(member, { prefix: `${member.path}/`, depth: 1 }, state);
    yield* folderItems(input.listing, { prefix, budget: state.budget, hooks: state.hooks, openFiles });
    return;
  }
  yield* input.problems;
  if (input.files.length === 0) return;
  const checked = checkMemberPath(input.name, state.limits.maxPathBytes);
  const path = checked.ok ? checked.path : checked.shown;
  const { files, bytes, hint } = input;
  yield* fileItems({ files, path, bytes, noFollow: false, hint }, { prefix, depth: 0 }, state);
}

/** A file on disk, or the parts of one, as items. */
async function* fileItems(
  member: FilesOnDisk,
  place: { readonly prefix: string; readonly depth: number },
  state: ReadState,
): AsyncGenerator<BundleItem> {
  const { files, path, bytes, noFollow, hint } = member;
  const end = wholeEnd();
  let read = 0;
  const hooks: ReadHooks = {
    ...state.hooks,
    onInputBytes: (count) => {
      read += count;
      state.hooks.onInputBytes(count);
    },
  };
  const source = hashed(readOrFail(files, hooks, end, noFollow), state.hash);
  let sawEntry = false;
  const stream = {
    ...place,
    ...{ chunks: source, end, path, size: bytes, shown: path, hint },
    files: { paths: files, noFollow },
  };
  for await (const item of openStream(stream, state)) {
    sawEntry ||= item.kind === 'entry' && item.end === end;
    yield item;
  }
  if (end.refusal !== undefined && !sawEntry && state.budget.exceeded === undefined) {
    const { code, detail } = end.refusal;
    yield { kind: 'issue', code, severity: 'error', path: visiblePath(path), detail };
  }
  // The hash is of the whole file: also of what was read at other places (zip), follows an archive's end, or was not read for safety.
  if (state.hash !== undefined && files[0] !== undefined) await hashRest(files[0], read, state);
}

/** One buffer for all of it: a zip is read a second time as a whole. */
async function hashRest(file: string, from: number, { hash, hooks }: ReadState): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    const handle = await open(file, regularFileFlags(false));
    try {
      for (let at = from; ; ) {
        checkCancelled(hooks.cancel);
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        hash?.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'CancelledError') throw error;
    // It vanished: said already when its content was read.
  }
}

async function* hashed(source: AsyncIterable<Buffer>, hash: Hash | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash?.update(chunk);
    yield chunk;
  }
}
