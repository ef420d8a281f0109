/**
 * One stream of bytes, whatever it is, as items: archives are opened, layers of compression peeled, to a bounded depth.
 *
 *   bytes ─▶ first 512 ─┬▶ gzip, zstd, xz, bzip2 ─▶ unpacked bytes, looked at again
 *                       ├▶ tar ─▶ each member, looked at again
 *                       ├▶ zip ─▶ each member, looked at again (read at any place: from its file, or spooled)
 *                       ├▶ 7z, rar, lz4, too deep ─▶ one entry that stays closed, and why
 *                       └▶ anything else ─▶ one entry
 *
 * Paths: an archive inside the bundle is a folder of its own full name (`nodes/w0.tar.gz/var/log/messages`); a compressed file is one
 * entry without the ending of the compression (`0.log.20260314-095800.gz` → `0.log.20260314-095800`).
 */
import { setImmediate } from 'node:timers/promises';
import { type ArchivePlace, type MemberBytes, type StreamEnd, wholeEnd } from './archive-place.ts';
import { type Budget, budgeted } from './budget.ts';
import type { BundleItem, Refusal } from './bundle-item.ts';
import { ByteReader, type DiskPath, type ReadHooks } from './byte-source.ts';
import { bunzip2 } from './codecs/bzip2.ts';
import type { DecodeThread } from './codecs/decode-thread.ts';
import { type Decompress, type DecompressEnd, newDecompressEnd } from './codecs/decompress-end.ts';
import { unxz, xzObjection } from './codecs/xz.ts';
import { gunzip } from './codecs/zlib.ts';
import { unzstd, zstdObjection } from './codecs/zstd.ts';
import { withoutCompression } from './compression-ending.ts';
import {
  CONTAINER_HEAD_BYTES,
  type Compression,
  type ContainerKind,
  containerKind,
  zipOfOtherUse,
} from './container-kind.ts';
import { HeldParts, type JoinedMember } from './held-parts.ts';
import type { BundleLimits } from './limits.ts';
import { visiblePath } from './member-path.ts';
import type { PasswordBook } from './password-book.ts';
import type { SeenPaths } from './seen-paths.ts';
import { tarItems } from './tar.ts';
import type { UnitTracker } from './units.ts';
import { zipStreamItems } from './zip-stream.ts';

/** What all streams of one bundle share. */
export interface OpenState {
  readonly limits: BundleLimits;
  readonly budget: Budget;
  readonly hooks: ReadHooks;
  readonly seen: SeenPaths;
  /** Of encrypted zips. */
  readonly passwords: PasswordBook;
  /** For zips inside other archives that are too large for memory. */
  readonly spoolFolder: string;
  /** Called when an archive inside the bundle is opened: the number of files is not known any more. */
  readonly onNested: () => void;
  /** Decompresses large files beside this thread. */
  readonly decoder: DecodeThread;
  /** What of the bundle is stored already, and where its files are counted. */
  readonly units: UnitTracker;
}

export interface Stream {
  readonly chunks: AsyncIterable<Buffer>;
  readonly end: StreamEnd;
  /** Of the file as it stands in its container. */
  readonly path: string;
  readonly size: number | null;
  /** Before the members of an archive, with its `/`; empty for a single input. */
  readonly prefix: string;
  /** For issues about the container. */
  readonly shown: string;
  /** Archives around this stream. */
  readonly depth: number;
  /** Where the bytes are on disk, if they are there as they are. */
  readonly files: { readonly paths: readonly DiskPath[]; readonly noFollow: boolean } | undefined;
  /** Where each part begins, if the stream is put together of parts that are not on disk. */
  readonly starts?: readonly number[] | undefined;
  readonly hint: string;
}

export async function* openStream(stream: Stream, state: OpenState): AsyncGenerator<BundleItem> {
  const reader = new ByteReader(stream.chunks);
  try {
    yield* layerItems(reader, { stream, path: stream.path, end: stream.end, outer: reader, layers: 0 }, state);
  } finally {
    await reader.close();
  }
}

interface Layer {
  readonly stream: Stream;
  /** Loses an ending with every layer of compression. */
  readonly path: string;
  readonly end: StreamEnd;
  /** Reader of the file as it stands in its container. */
  readonly outer: ByteReader;
  readonly layers: number;
}

async function* layerItems(reader: ByteReader, layer: Layer, state: OpenState): AsyncGenerator<BundleItem> {
  const head = await reader.peek(CONTAINER_HEAD_BYTES);
  const { kind, name } = containerKind(head);
  const closed = whyClosed({ kind, name, head }, layer, state.limits);
  if (kind === 'plain' || closed !== undefined) {
    yield* entryItem(reader, layer, state, closed);
    return;
  }
  if (layer.stream.depth > 0 && (kind === 'tar' || kind === 'zip')) state.onNested();
  const place: ArchivePlace = {
    shown: visiblePath(layer.stream.shown),
    prefix: layer.stream.prefix,
    packedBytes: () => layer.outer.offset,
    end: layer.end,
    hint: layer.stream.hint,
  };
  if (kind === 'zip' || kind === 'tar') yield* archiveItems(reader, layer, { kind, place }, state);
  else if (kind !== 'unsupported') yield* compressedItems(reader, layer, kind, state);
}

async function* archiveItems(
  reader: ByteReader,
  { stream, layers }: Layer,
  { kind, place }: { readonly kind: 'tar' | 'zip'; readonly place: ArchivePlace },
  state: OpenState,
): AsyncGenerator<BundleItem> {
  const member = memberOpener(stream.depth, state);
  const parts = new HeldParts({ member, joined: member }, state);
  const { budget } = state;
  try {
    if (kind === 'tar') yield* tarItems(reader, { place, budget, openMember: parts.open });
    else {
      const onDisk = layers === 0 ? stream.files : undefined;
      const isOnly = layers === 0 && stream.depth === 0 && state.units.isOnlyFile;
      yield* zipStreamItems(reader, { onDisk, starts: stream.starts, place, openMember: parts.open, isOnly }, state);
    }
    if (budget.exceeded === undefined) yield* parts.finish();
  } finally {
    await parts.close();
  }
}

const memberOpener =
  (depth: number, state: OpenState) =>
  (member: MemberBytes | JoinedMember): AsyncGenerator<BundleItem> => {
    const { chunks, end, path, size } = member;
    const parts = 'hint' in member ? { hint: member.hint, starts: member.starts } : { hint: '', starts: undefined };
    const place = { prefix: `${path}/`, shown: path, depth: depth + 1, files: undefined };
    return openStream({ chunks, end, path, size, ...place, ...parts }, state);
  };

/** Why something that looks like a container is not opened; undefined if it is, or is none. */
function whyClosed(
  found: { readonly kind: ContainerKind; readonly name: string; readonly head: Buffer },
  layer: Layer,
  limits: BundleLimits,
): Refusal | undefined {
  const { kind, name, head } = found;
  const tooDeep = (detail: string): Refusal => ({ code: 'nested-archive-not-opened', status: 'refused', detail });
  const unsupported = (detail: string): Refusal => ({ code: 'unsupported-archive', status: 'skipped', detail });
  switch (kind) {
    case 'plain':
      return undefined;
    case 'unsupported':
      return unsupported(`${name} is not supported; unpack it and import the folder`);
    case 'tar':
    case 'zip': {
      const depth = layer.stream.depth;
      if (depth >= limits.maxDepth) return tooDeep(`an archive inside ${depth} archives, limit ${limits.maxDepth}`);
      const use = kind === 'zip' && depth > 0 ? zipOfOtherUse(head) : undefined;
      if (use !== undefined)
        return { code: 'nested-archive-not-opened', status: 'skipped', detail: `a zip by its inside, but ${use}` };
      return undefined;
    }
    default: {
      if (layer.layers >= limits.maxLayers)
        return tooDeep(`compressed more than ${layer.layers} times over, limit ${limits.maxLayers}`);
      const objection =
        kind === 'zstd'
          ? zstdObjection(head, limits.maxWindowBytes)
          : kind === 'xz'
            ? xzObjection(head, limits.maxWindowBytes)
            : undefined;
      return objection === undefined
        ? undefined
        : { code: 'unsupported-archive', status: 'refused', detail: objection };
    }
  }
}

async function* entryItem(
  reader: ByteReader,
  layer: Layer,
  state: OpenState,
  unopened: Refusal | undefined,
): AsyncGenerator<BundleItem> {
  // Members are counted by their archive or folder.
  if (layer.stream.depth === 0) state.budget.exceeded ??= state.budget.addEntry();
  if (state.budget.exceeded !== undefined) return;
  const content = budgeted(reader.rest(), state.budget, layer.end);
  yield {
    kind: 'entry',
    path: layer.path,
    repeated: state.seen.repeats(layer.path),
    declaredBytes: layer.layers === 0 ? layer.stream.size : null,
    chunks: content,
    end: layer.end,
    ...(unopened === undefined ? {} : { unopened }),
  };
  await content.return(undefined);
}

function codecOf(kind: Compression, limits: BundleLimits, thread: DecodeThread | undefined): Decompress {
  switch (kind) {
    case 'gzip':
      return thread === undefined ? gunzip : (source, end) => thread.decode(source, 'gzip', end);
    case 'zstd':
      return unzstd(limits.maxWindowBytes, { thread });
    case 'xz':
      return unxz(limits.maxWindowBytes);
    case 'bzip2':
      return bunzip2;
  }
}

/** A thread takes about 15 ms to start, and a stream in it some messages: small files do without. Chosen. */
const MIN_THREAD_BYTES = 4 * 1024 * 1024;

const isWorthThread = ({ layers, stream }: Layer): boolean => layers === 0 && (stream.size ?? 0) >= MIN_THREAD_BYTES;

async function* compressedItems(
  reader: ByteReader,
  layer: Layer,
  kind: Compression,
  state: OpenState,
): AsyncGenerator<BundleItem> {
  const codecEnd = newDecompressEnd();
  const end = wholeEnd();
  const thread = isWorthThread(layer) && state.decoder.isFree ? state.decoder : undefined;
  const unpacked = codecOf(kind, state.limits, thread)(reader.rest(), codecEnd);
  const inner = new ByteReader(counted(unpacked, { codecEnd, outer: layer.end, end, budget: state.budget }));
  let isEntry = false;
  try {
    const path = withoutCompression(layer.path);
    for await (const item of layerItems(inner, { ...layer, path, end, layers: layer.layers + 1 }, state)) {
      isEntry ||= item.kind === 'entry' && item.end === end;
      yield item;
    }
  } finally {
    await inner.close();
  }
  const shown = visiblePath(layer.stream.shown);
  if (isEntry && codecEnd.cut !== undefined && state.budget.exceeded === undefined)
    yield cutIssue(shown, codecEnd, end, layer);
  if (codecEnd.trailingBytes > 0) {
    const detail = `${codecEnd.trailingBytes} bytes after the end of the compressed data are ignored`;
    yield { kind: 'issue', code: 'archive-damaged', severity: 'info', path: shown, detail };
  }
}

function cutIssue(path: string, { cut, detail }: DecompressEnd, end: StreamEnd, layer: Layer): BundleItem {
  if (cut === 'stopped') {
    const stopped = `reading stopped after ${end.truncatedAt ?? 0} unpacked bytes: ${detail}`;
    return { kind: 'issue', code: 'read-failed', severity: 'error', path, detail: stopped };
  }
  return cut === 'damaged'
    ? {
        kind: 'issue',
        code: 'archive-damaged',
        severity: 'error',
        path,
        detail: `damaged after ${end.truncatedAt ?? 0} unpacked bytes (${detail}); read up to there`,
      }
    : {
        kind: 'issue',
        code: 'archive-truncated',
        severity: 'warning',
        path,
        detail: `ends early at byte ${layer.outer.offset}${layer.stream.hint}`,
      };
}

/**
 * Counts unpacked bytes and, at their end, says in `end` how the layer ended. Every piece has a turn of the event loop to itself: xz and
 * bzip2 unpack in this thread, and in a run of nothing but promises dead ones of the old generation keep what follows them alive, so that
 * the quick collections free nothing (measured: in four of ten imports 90 MiB of dead lines stood on the heap, with the turn in none).
 */
async function* counted(
  source: AsyncIterable<Buffer>,
  context: {
    readonly codecEnd: DecompressEnd;
    readonly outer: StreamEnd;
    readonly end: StreamEnd;
    readonly budget: Budget;
  },
): AsyncGenerator<Buffer> {
  const { codecEnd, outer, end, budget } = context;
  let delivered = 0;
  for await (const chunk of source) {
    if (!budget.addWork(chunk.length)) break;
    delivered += chunk.length;
    await setImmediate();
    yield chunk;
  }
  end.refusal = budget.exceeded ?? outer.refusal;
  if (codecEnd.cut === undefined) return;
  end.truncatedAt = delivered;
  end.damage = outer.damage === 'damaged' ? 'damaged' : codecEnd.cut;
  end.damageDetail = codecEnd.detail;
  end.cut = {
    damaged: 'the compressed data is damaged here',
    truncated: 'the compressed data ends early',
    stopped: `reading stopped here: ${codecEnd.detail}`,
  }[codecEnd.cut];
}

export { withoutCompression as withoutEnding };
