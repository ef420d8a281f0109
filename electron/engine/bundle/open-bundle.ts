/**
 * From what the user named to a stream of entries.
 *
 *   path ─▶ folder ───────────────────────────▶ its files, sorted
 *        └▶ file ─▶ sniff ─▶ zip ─────────────▶ members, sorted
 *                        ├▶ gzip ─▶ sniff again ─▶ tar ─▶ members, archive order
 *                        │                      └▶ one entry without `.gz`
 *                        ├▶ tar ───────────────▶ members, archive order
 *                        └▶ anything else ─────▶ one entry
 *
 * Nothing is unpacked to disk and nothing is written next to the bundle.
 */
import { createHash, type Hash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { err, ok, type Result } from '#shared/lib/result.ts';
import { Budget, budgeted } from './budget.ts';
import type { BundleItem, EntryEnd } from './bundle-item.ts';
import { wholeEnd } from './bundle-item.ts';
import { ByteReader, CHUNK_BYTES, fileHead, type ReadHooks } from './byte-source.ts';
import { CONTAINER_HEAD_BYTES, containerKind } from './container-kind.ts';
import { type DecompressEnd, gunzip, newDecompressEnd } from './decompress.ts';
import { type FolderListing, folderItems, listFolder, readOrFail } from './folder.ts';
import { type BundleLimits, DEFAULT_LIMITS } from './limits.ts';
import { checkMemberPath, visiblePath } from './member-path.ts';
import { SeenPaths } from './seen-paths.ts';
import { tarItems } from './tar.ts';
import { openZip, zipItems } from './zip.ts';
import { zipScanItems } from './zip-scan.ts';

export interface OpenBundleOptions {
  readonly limits?: Partial<BundleLimits>;
  readonly hooks: ReadHooks;
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
  /** Number of files if it is known before reading (folders, single files), else null. */
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
  readonly file: string;
  readonly name: string;
  readonly bytes: number;
  readonly listing: FolderListing | undefined;
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
  for (const { file, name, folder, bytes } of sizes.value) {
    const listing = folder ? await listFolder(file, name, listingBudget, options.hooks) : undefined;
    const listed = listing?.members.reduce((sum, member) => sum + member.bytes, 0);
    inputs.push({ file, name, bytes: listed ?? bytes, listing });
  }
  const inputBytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
  const state: ReadState = {
    limits,
    budget: new Budget(limits, Math.max(archiveBytes, inputBytes)),
    hooks: options.hooks,
    seen: new SeenPaths(),
    hash: undefined,
  };
  if (inputs.length === 1 && inputs[0]?.listing === undefined) state.hash = createHash('sha256');
  let digest: string | undefined;
  return ok({
    name: inputs.map((input) => visiblePath(input.name)).join(' + '),
    inputBytes,
    filesTotal: inputs.every((input) => input.listing !== undefined)
      ? inputs.reduce((sum, input) => sum + (input.listing?.members.length ?? 0), 0)
      : null,
    async *items() {
      for (const input of inputs) {
        yield* inputItems(input, inputs.length > 1 ? `${prefixOf(input)}/` : '', state);
        if (state.budget.exceeded === undefined) continue;
        const { code, detail } = state.budget.exceeded;
        yield {
          kind: 'issue',
          code,
          severity: 'refused',
          path: visiblePath(input.name),
          detail: `${detail}; the rest is not read`,
        };
        break;
      }
      digest = state.hash?.digest('hex');
    },
    fileSha256: () => digest,
    unpackedBytes: () => state.budget.bytes,
    stoppedBy: () => state.budget.exceeded?.detail,
  });
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

const ARCHIVE_ENDING = /\.(?:tar\.gz|tgz|tar|zip)$/i;

/** The folder under which one of several inputs appears; a plain file stands under its own name. */
function prefixOf(input: Input): string {
  const checked = checkMemberPath(input.name.replace(ARCHIVE_ENDING, ''), 255);
  return checked.ok ? checked.path : 'part';
}

interface ReadState {
  readonly limits: BundleLimits;
  readonly budget: Budget;
  readonly hooks: ReadHooks;
  readonly seen: SeenPaths;
  /** Of the only input file, fed while it is read. */
  hash: Hash | undefined;
}

async function* inputItems(input: Input, prefix: string, state: ReadState): AsyncGenerator<BundleItem> {
  if (input.listing !== undefined) {
    yield* folderItems(input.listing, prefix, state.budget, state.hooks);
    return;
  }
  const isZip = containerKind(await fileHead(input.file, CONTAINER_HEAD_BYTES)).kind === 'zip';
  const zip = isZip ? await openZip(input.file) : undefined;
  const { budget, seen } = state;
  const shown = visiblePath(input.name);
  if (zip?.ok) yield* zipItems(zip.value, { input: shown, prefix, budget, seen, hooks: state.hooks });
  // Zip members are read by position; the pass that hashes the file follows and adds nothing to the progress.
  const hooks = zip?.ok ? { ...state.hooks, onInputBytes: () => undefined } : state.hooks;
  const end = wholeEnd();
  const reader = new ByteReader(hashed(readOrFail(input.file, hooks, end), state.hash));
  try {
    if (zip === undefined) {
      yield* streamItems(reader, { input, prefix, name: input.name, layer: 0, cuts: [], size: input.bytes }, state);
    } else if (!zip.ok) {
      const detail = `it ends early, at byte ${input.bytes}, or is damaged: its directory is unreadable (${zip.error})`;
      yield { kind: 'issue', code: 'archive-truncated', severity: 'error', path: shown, detail };
      yield* zipScanItems(reader, { input: shown, prefix, budget, seen });
    }
    // The hash is of the whole file, also of what follows an archive's end or was not read for safety.
    while ((await reader.readSome(CHUNK_BYTES)) !== undefined);
  } finally {
    await reader.close();
  }
  if (end.refusal !== undefined) {
    yield {
      kind: 'issue',
      code: end.refusal.code,
      severity: 'error',
      path: visiblePath(input.name),
      detail: end.refusal.detail,
    };
  }
}

async function* hashed(source: AsyncIterable<Buffer>, hash: Hash | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash?.update(chunk);
    yield chunk;
  }
}

interface StreamContext {
  readonly input: Input;
  readonly prefix: string;
  /** Name of this layer: loses its `.gz` with every layer peeled. */
  readonly name: string;
  readonly layer: number;
  readonly cuts: readonly DecompressEnd[];
  /** Of this stream, if known. */
  readonly size: number | null;
}

async function* streamItems(reader: ByteReader, context: StreamContext, state: ReadState): AsyncGenerator<BundleItem> {
  const head = await reader.peek(CONTAINER_HEAD_BYTES);
  const { kind } = containerKind(head);
  const input = visiblePath(context.input.name);
  if (kind === 'tar') {
    const streamCut = () => context.cuts.find((cut) => cut.cut !== undefined) ?? { cut: undefined, detail: '' };
    yield* tarItems(reader, {
      input,
      inputBytes: context.input.bytes,
      prefix: context.prefix,
      budget: state.budget,
      seen: state.seen,
      streamCut,
    });
    return;
  }
  if (kind === 'gzip' && context.layer < state.limits.maxLayers) {
    const cut = newDecompressEnd();
    const inner = new ByteReader(gunzip(reader.rest(), cut));
    const name = context.name.replace(/\.gz$/i, '').replace(/\.tgz$/i, '.tar');
    try {
      yield* streamItems(
        inner,
        { ...context, name, layer: context.layer + 1, cuts: [...context.cuts, cut], size: null },
        state,
      );
    } finally {
      await inner.close();
    }
    if (cut.trailingBytes > 0) {
      yield {
        kind: 'issue',
        code: 'archive-damaged',
        severity: 'info',
        path: input,
        detail: `${cut.trailingBytes} bytes after the end of the compressed data are ignored`,
      };
    }
    return;
  }
  yield* singleItem(reader, context, state);
}

async function* singleItem(reader: ByteReader, context: StreamContext, state: ReadState): AsyncGenerator<BundleItem> {
  const checked = checkMemberPath(context.name, state.limits.maxPathBytes);
  const path = checked.ok ? checked.path : checked.shown;
  const tooMany = state.budget.addEntry();
  if (tooMany !== undefined) state.budget.exceeded = tooMany;
  if (tooMany !== undefined) return;
  const end = wholeEnd();
  const content = budgeted(reader.rest(), state.budget, end);
  yield {
    kind: 'entry',
    path,
    repeated: state.seen.repeats(path),
    declaredBytes: context.size,
    chunks: cutAware(content, context.cuts, end),
    end,
  };
  await content.return(undefined);
  const cut = context.cuts.find((one) => one.cut !== undefined);
  if (cut === undefined) return;
  const input = visiblePath(context.input.name);
  yield cut.cut === 'damaged'
    ? {
        kind: 'issue',
        code: 'archive-damaged',
        severity: 'error',
        path: input,
        detail: `damaged after ${end.truncatedAt ?? 0} unpacked bytes (${cut.detail}); read up to there`,
      }
    : {
        kind: 'issue',
        code: 'archive-truncated',
        severity: 'warning',
        path: input,
        detail: `ends early at byte ${context.input.bytes}`,
      };
}

async function* cutAware(
  source: AsyncIterable<Buffer>,
  cuts: readonly DecompressEnd[],
  end: EntryEnd,
): AsyncGenerator<Buffer> {
  let delivered = 0;
  for await (const chunk of source) {
    delivered += chunk.length;
    yield chunk;
  }
  const cut = cuts.find((one) => one.cut !== undefined);
  if (cut === undefined) return;
  end.truncatedAt = delivered;
  end.cut = cut.cut === 'damaged' ? 'the compressed data is damaged here' : 'the compressed data ends early';
}
