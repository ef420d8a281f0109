/**
 * Split archives inside an archive: `x.tar.gz.aa`, `x.tar.gz.ab` as members of a tar or zip, in whatever order. Members that may be parts
 * are spooled until their archive ends; then those that belong together are opened as one, the others each for itself.
 */
import { type MemberBytes, type OpenMember, wholeEnd } from './archive-place.ts';
import type { BundleItem } from './bundle-item.ts';
import { ByteReader, checkCancelled, type ReadHooks } from './byte-source.ts';
import { CONTAINER_HEAD_BYTES, containerKind } from './container-kind.ts';
import { chunksOf, type RandomBytes, spool } from './random-access.ts';
import { findSplitArchives, mayBePart, missingPartItems, type PartFile } from './split-parts.ts';

/** Of each part; beyond it is a file without a name. */
const PART_MEMORY_BYTES = 1024 * 1024;
/** Each may hold a file open. Further ones are opened as they are. */
const MAX_PARTS = 500;

interface HeldPart extends PartFile {
  readonly held: RandomBytes;
  readonly end: MemberBytes['end'];
}

/** One stream of parts, as its opener must know it. */
export interface JoinedMember extends MemberBytes {
  readonly hint: string;
  /** Where each part begins. */
  readonly starts: readonly number[];
}

const isZipName = (path: string): boolean => /\.zip$/i.test(path);

export class HeldParts {
  readonly #parts: HeldPart[] = [];
  readonly #openMember: OpenMember;
  readonly #openJoined: (member: JoinedMember) => AsyncGenerator<BundleItem>;
  readonly #hooks: ReadHooks;
  readonly #folder: string;

  constructor(
    open: { readonly member: OpenMember; readonly joined: (member: JoinedMember) => AsyncGenerator<BundleItem> },
    { hooks, spoolFolder }: { readonly hooks: ReadHooks; readonly spoolFolder: string },
  ) {
    this.#openMember = open.member;
    this.#openJoined = open.joined;
    this.#hooks = hooks;
    this.#folder = spoolFolder;
  }

  /** In place of the archive's own `openMember`. */
  readonly open: OpenMember = (member) =>
    this.#parts.length >= MAX_PARTS
      ? this.#openMember(member)
      : mayBePart(member.path)
        ? this.#hold(member)
        : isZipName(member.path)
          ? this.#holdLastVolume(member)
          : this.#openMember(member);

  // biome-ignore lint/correctness/useYield: nothing is known before the archive ends
  async *#hold({ chunks, end, path }: MemberBytes): AsyncGenerator<BundleItem> {
    const held = await spool(chunks, { memoryBytes: PART_MEMORY_BYTES, folder: this.#folder });
    this.#parts.push({ path, file: path, bytes: held.size, held, end });
  }

  /** A whole zip begins like one; the last volume of several begins anywhere. */
  async *#holdLastVolume(member: MemberBytes): AsyncGenerator<BundleItem> {
    const reader = new ByteReader(member.chunks);
    try {
      const isWhole = containerKind(await reader.peek(CONTAINER_HEAD_BYTES)).kind !== 'plain';
      yield* (isWhole ? this.#openMember : this.#hold.bind(this))({ ...member, chunks: reader.rest() });
    } finally {
      await reader.close();
    }
  }

  /** What was held, once the archive has ended. */
  async *finish(): AsyncGenerator<BundleItem> {
    const sets = await findSplitArchives(this.#parts, ({ held }, from, count) => held.read(from, count));
    const taken = new Set<HeldPart>(sets.flatMap((set) => [...set.parts, ...set.unread]));
    for (const part of this.#parts) {
      if (taken.has(part)) continue;
      const { path, end, held } = part;
      yield* this.#openMember({ path, end, size: held.size, chunks: chunksOf(held, this.#hooks) });
    }
    for (const set of sets) {
      checkCancelled(this.#hooks.cancel);
      yield* missingPartItems(set, set.path, (part) => part.path);
      if (set.parts.length > 0) yield* this.#joined(set.path, set.hint, set.parts);
    }
  }

  #joined(path: string, hint: string, parts: readonly HeldPart[]): AsyncGenerator<BundleItem> {
    const starts: number[] = [];
    let size = 0;
    for (const { bytes } of parts) {
      starts.push(size);
      size += bytes;
    }
    const end = wholeEnd();
    const hooks = this.#hooks;
    async function* chunks(): AsyncGenerator<Buffer> {
      for (const part of parts) {
        yield* chunksOf(part.held, hooks);
        if (part.end.truncatedAt === undefined && part.end.refusal === undefined) continue;
        // The archive around it was cut inside this part.
        Object.assign(end, part.end);
        return;
      }
    }
    return this.#openJoined({ path, size, end, chunks: chunks(), hint, starts });
  }

  async close(): Promise<void> {
    for (const { held } of this.#parts) await held.close();
  }
}
