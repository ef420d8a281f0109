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
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { ok, type Result } from '#shared/lib/result.ts';
import { wholeEnd } from './archive-place.ts';
import { Budget } from './budget.ts';
import type { BundleItem, Refusal, UnitTotals } from './bundle-item.ts';
import { CHUNK_BYTES, checkCancelled, type DiskPath, type ReadHooks, regularFileFlags } from './byte-source.ts';
import { DecodeThread } from './codecs/decode-thread.ts';
import {
  type FilesOnDisk,
  type FolderMember,
  folderMemberItems,
  joinListedParts,
  listFolder,
  readOrFail,
} from './folder.ts';
import { type FolderDigest, folderDigest, PackedHash } from './folder-digest.ts';
import { type Input, inputSizes, joinedInputs, type MissingPath } from './inputs.ts';
import { type BundleLimits, DEFAULT_LIMITS } from './limits.ts';
import type { FileAhead } from './log-ends.ts';
import { checkMemberPath, visiblePath } from './member-path.ts';
import { type OpenState, openStream } from './open-stream.ts';
import { PasswordBook } from './password-book.ts';
import { SeenPaths } from './seen-paths.ts';
import { byValue, type UnitHooks, UnitTracker, unitItems } from './units.ts';
import { readingValue } from './value-order.ts';

export interface OpenBundleOptions {
  readonly limits?: Partial<BundleLimits>;
  readonly hooks: ReadHooks;
  /** For encrypted members of zips. */
  readonly password?: string;
  /** Asked at the first encrypted member that the password does not open; null = go on without. */
  readonly askPassword?: (wrong: boolean) => Promise<string | null>;
  /** Where a zip inside another archive may be spooled; see `random-access.ts`. Default: the system's temporary folder. */
  readonly spoolFolder?: string;
  /** Another thread that decompresses, for tests. */
  readonly decoder?: DecodeThread;
  /** Asked and told about whole files; without it none is passed over. */
  readonly units?: UnitHooks;
}

export type OpenBundleError = MissingPath;

export interface Bundle {
  /** Base name of the input; several are joined by ` + `. */
  readonly name: string;
  /** Bytes on disk of all inputs. */
  readonly inputBytes: number;
  /** Number of files of a folder or zip; null for other archives, and as soon as it turns out to hold one. */
  readonly filesTotal: number | null;
  /** Entries that name their place do so below this; valid once the first item came. */
  readonly places: number;
  /** What names the ranks and what parted them was read, as far as names tell; false where only reading tells. */
  readonly hasReadValuable: boolean;
  /** Files on disk that may be logs and were not read yet, by name; valid once `hasReadValuable` is true. */
  readonly logsAhead: readonly FileAhead[];
  /** What shows that the inputs are still the same: one text an input, folders by the paths in them. */
  readonly inputStamps: readonly string[];
  /** The last item belongs to a file of the bundle, not to the bundle around it. */
  readonly isInsideUnit: boolean;
  /** Counts a file that was stored before. */
  addStored(unit: { readonly key: string; readonly totals: UnitTotals; readonly sha256: string | undefined }): void;
  /**
   * Of the one folder that was given, valid after `items` ended. `entries`: their places and hashes. Undefined for anything else, and where a
   * file has no hash.
   */
  folderDigest(entries: readonly { readonly slot: number; readonly sha256: string | null }[]): FolderDigest | undefined;
  /** One pass; ask for the next item only when the last one's chunks are consumed. Throws CancelledError. */
  items(): AsyncGenerator<BundleItem>;
  /**
   * SHA-256 of the one file that was given, valid after `items` ended; undefined for a folder or several inputs (then the
   * entries' hashes make the bundle's).
   */
  fileSha256(): string | undefined;
  /** Unpacked bytes so far. */
  unpackedBytes(): number;
  /** Those that a thread has unpacked. */
  readonly unpackedBeside: number;
  /** Set if a limit of the bundle as a whole ended the reading. */
  stoppedBy(): string | undefined;
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
  const isOnlyFile = inputs.length === 1 && inputs[0]?.listing === undefined;
  const units = new UnitTracker({ isOnlyFile, hooks: options.units });
  const isAllListed = inputs.every((input) => input.listing !== undefined);
  let isNested = false;
  const decoder = options.decoder ?? new DecodeThread();
  const state: ReadState = {
    limits,
    budget: new Budget(limits, Math.max(archiveBytes, inputBytes), listed),
    hooks: options.hooks,
    seen: new SeenPaths(),
    passwords: new PasswordBook(options.password, options.askPassword),
    spoolFolder: options.spoolFolder ?? tmpdir(),
    onNested: () => {
      isNested = true;
    },
    units,
    decoder,
    hash: undefined,
    packedHashes: new Map(),
    logsAhead: [],
  };
  if (isOnlyFile && inputs[0]?.files.length === 1) state.hash = createHash('sha256');
  let digest: string | undefined;
  return ok({
    name: inputs.map((input) => visiblePath(input.name)).join(' + '),
    inputBytes,
    get filesTotal() {
      return isNested || !(isAllListed || (isOnlyFile && units.isListed)) ? null : units.places || listed;
    },
    get places() {
      return units.places;
    },
    get hasReadValuable() {
      return units.hasReadValuable;
    },
    get logsAhead() {
      return state.logsAhead;
    },
    get isInsideUnit() {
      return units.isInside;
    },
    inputStamps: inputs.map(({ stamp, name, listing }) => `${name} ${stamp} ${pathsHash(listing?.members ?? [])}`),
    addStored({ key, totals, sha256 }) {
      state.budget.add(totals);
      isNested ||= totals.entries > 0;
      if (sha256 !== undefined) state.packedHashes.set(key, sha256);
    },
    folderDigest(entries) {
      const [only, ...others] = inputs;
      if (only?.listing === undefined || others.length > 0 || state.budget.exceeded !== undefined) return undefined;
      const plain = new Map(entries.map(({ slot, sha256 }) => [slot, sha256]));
      return folderDigest(
        only.listing,
        (member, place) => state.packedHashes.get(fileKey(member.path, member)) ?? plain.get(place),
      );
    },
    async *items() {
      try {
        yield* allItems(inputs, state);
        digest = state.hash?.digest('hex');
      } finally {
        decoder.close();
      }
    },
    fileSha256: () => digest,
    unpackedBytes: () => state.budget.bytes,
    get unpackedBeside() {
      return decoder.unpackedBytes;
    },
    stoppedBy: () => state.budget.exceeded?.detail,
  });
}

/** Where a file stands among the others is part of what is stored of it. */
function pathsHash(members: readonly { readonly path: string }[]): string {
  const hash = createHash('sha256');
  for (const { path } of members) hash.update(`${path}\n`);
  return hash.digest('hex');
}

/** All files of all inputs, in the order of their value. Of one that is an archive, reading tells what is inside. */
async function* allItems(inputs: readonly Input[], state: ReadState): AsyncGenerator<BundleItem> {
  const files: (InputFile & { readonly input: Input })[] = [];
  for (const input of inputs) {
    yield* input.listing?.issues ?? input.problems;
    for (const file of inputFiles(input, inputs.length > 1 ? `${prefixOf(input)}/` : '', state))
      files.push({ ...file, input });
  }
  const { units, budget } = state;
  // The members of a zip that is the bundle take the places themselves.
  if (!units.isOnlyFile) units.reserve(files.length);
  const inOrder = byValue(files, ({ path, bytes }) => readingValue(path, bytes));
  state.logsAhead = inOrder.flatMap(({ item: { path, bytes, onDisk, key }, place, value }) =>
    value < 2 || onDisk === undefined || units.hooks?.isStored(key) === true
      ? []
      : [{ path, bytes, place, file: onDisk }],
  );
  for (const { item: file, place, value } of inOrder) {
    checkCancelled(state.hooks.cancel);
    if (!units.isOnlyFile) units.begin(value);
    if (units.isOnlyFile) yield* file.open();
    else yield* unitItems({ ...file, place, budget, units, sha256: () => state.packedHashes.get(file.key) });
    if (budget.exceeded === undefined) continue;
    yield wholeRefused(file.input, budget.exceeded);
    break;
  }
}

function wholeRefused(input: Input, { code, detail }: Refusal): BundleItem {
  const path = visiblePath(input.name);
  return { kind: 'issue', code, severity: 'refused', path, detail: `${detail}; the rest is not read` };
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
  /** Of files of a folder that are archives or compressed, by their key. */
  readonly packedHashes: Map<string, string>;
  /** See Bundle. */
  logsAhead: readonly FileAhead[];
}

const fileKey = (path: string, { stamp }: FolderMember): string => JSON.stringify([path, stamp]);

interface InputFile {
  readonly path: string;
  readonly bytes: number;
  /** Names the file and all that shows whether it has changed. */
  readonly key: string;
  /** The one file of a folder that it is; undefined if it is none, or is not to be read. */
  readonly onDisk: DiskPath | undefined;
  readonly open: () => AsyncGenerator<BundleItem>;
}

/** The files of a folder, or the one that was given. */
function inputFiles(input: Input, prefix: string, state: ReadState): InputFile[] {
  if (input.listing !== undefined) {
    return input.listing.members.map((member) => {
      const path = prefix + member.path;
      const key = fileKey(path, member);
      const openFiles = (files: FilesOnDisk) => fileItems(files, { prefix: `${files.path}/`, depth: 1, key }, state);
      const onDisk = member.refusal === undefined && member.parts === undefined ? member.file : undefined;
      return { path, bytes: member.bytes, key, onDisk, open: () => folderMemberItems(member, path, openFiles) };
    });
  }
  const { files, bytes, hint, stamp } = input;
  if (files.length === 0) return [];
  const checked = checkMemberPath(input.name, state.limits.maxPathBytes);
  const path = checked.ok ? checked.path : checked.shown;
  const open = () =>
    fileItems({ files, path, bytes, noFollow: false, hint }, { prefix, depth: 0, key: undefined }, state);
  return [{ path, bytes, key: JSON.stringify([prefix, path, stamp]), onDisk: undefined, open }];
}

/** A file on disk, or the parts of one, as items. */
async function* fileItems(
  member: FilesOnDisk,
  { key, ...place }: { readonly prefix: string; readonly depth: number; readonly key: string | undefined },
  state: ReadState,
): AsyncGenerator<BundleItem> {
  const { files, path, bytes, noFollow, hint } = member;
  const own = new PackedHash();
  const end = wholeEnd();
  let read = 0;
  const hooks: ReadHooks = {
    ...state.hooks,
    onInputBytes: (count) => {
      read += count;
      state.hooks.onInputBytes(count);
    },
  };
  let changed: string | undefined;
  const chunks = readOrFail({ files, noFollow }, hooks, end, (how) => {
    changed = how;
  });
  const source = key === undefined ? hashed(chunks, state.hash) : own.watch(chunks);
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
  if (changed !== undefined)
    yield { kind: 'issue', code: 'file-changed', severity: 'warning', path: visiblePath(path), detail: changed };
  // The hash is of the whole file: also of what was read at other places (zip), follows an archive's end, or was not read for safety.
  const { hash } = state;
  if (hash !== undefined && files[0] !== undefined)
    await hashRest(files[0], read, state, (chunk) => hash.update(chunk));
  if (key === undefined || !own.isPacked || files[0] === undefined) return;
  await hashRest(files[0], own.bytes, state, (chunk) => own.add(chunk));
  const digest = end.refusal === undefined ? own.digest() : undefined;
  if (digest !== undefined) state.packedHashes.set(key, digest);
}

/** One buffer for all of it: a zip is read a second time as a whole. */
async function hashRest(
  file: DiskPath,
  from: number,
  { hooks }: ReadState,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    const handle = await open(file, regularFileFlags(false));
    try {
      for (let at = from; ; ) {
        checkCancelled(hooks.cancel);
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        take(buffer.subarray(0, bytesRead));
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
