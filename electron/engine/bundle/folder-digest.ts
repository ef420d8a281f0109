/**
 * Is a folder the one that was imported? Told by every file in it: its path, its size, and the SHA-256 of its own bytes; of what is never read
 * (links, devices, files beyond a limit) by its path and why. The hashes are learned while the folder is read, so that an import costs no
 * second read; a file that is archive or compressed is hashed as it stands, not by what is inside.
 *
 *   list      what listing the folder shows: paths and sizes. Differs: another folder, and nothing needs to be read to see it
 *   content   the same with the hashes: equal only if every byte of every file is
 */
import { createHash, type Hash } from 'node:crypto';
import { fileChunks, type ReadHooks } from './byte-source.ts';
import { CONTAINER_HEAD_BYTES, containerKind } from './container-kind.ts';
import type { FolderListing, FolderMember } from './folder.ts';

export interface FolderDigest {
  readonly files: number;
  /** SHA-256, hex. */
  readonly list: string;
  readonly content: string;
}

/** Parts of split archives, and folders that could not be listed to the end, are not compared. */
const isComparable = ({ members, issues }: FolderListing): boolean =>
  issues.length === 0 && members.every(({ parts }) => parts === undefined);

/** Undefined if not every file has a hash. `sha256Of`: by member and its position in the listing. */
export function folderDigest(
  listing: FolderListing,
  sha256Of: (member: FolderMember, place: number) => string | null | undefined,
): FolderDigest | undefined {
  if (!isComparable(listing)) return undefined;
  const content = createHash('sha256');
  for (const [place, member] of listing.members.entries()) {
    const sha256 = member.refusal === undefined ? sha256Of(member, place) : '';
    if (sha256 === undefined || sha256 === null) return undefined;
    content.update(`${lineOf(member)} ${sha256}\n`);
  }
  return { files: listing.members.length, list: listDigest(listing), content: content.digest('hex') };
}

/** Cheap: nothing is read. */
export function listDigest({ members }: FolderListing): string {
  const hash = createHash('sha256');
  for (const member of members) hash.update(`${lineOf(member)}\n`);
  return hash.digest('hex');
}

const lineOf = ({ path, bytes, refusal }: FolderMember): string =>
  JSON.stringify(refusal === undefined ? [path, bytes] : [path, refusal.code, refusal.detail]);

/** Reads all of it; undefined if it cannot be compared, or a file cannot be read. Throws CancelledError. */
export async function digestOfFolder(listing: FolderListing, hooks: ReadHooks): Promise<FolderDigest | undefined> {
  if (!isComparable(listing)) return undefined;
  const hashes = new Map<FolderMember, string>();
  for (const member of listing.members) {
    if (member.refusal !== undefined) continue;
    const hash = createHash('sha256');
    try {
      for await (const chunk of fileChunks(member.file, hooks, true)) hash.update(chunk);
    } catch (error) {
      if (error instanceof Error && error.name === 'CancelledError') throw error;
      return undefined;
    }
    hashes.set(member, hash.digest('hex'));
  }
  return folderDigest(listing, (member) => hashes.get(member));
}

/** The hash of a file as it stands, where it is no entry itself: of that, the importer makes one. */
export class PackedHash {
  #hash: Hash | undefined;
  #hasBegun = false;
  /** Bytes that passed. */
  bytes = 0;

  async *watch(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.add(chunk);
      yield chunk;
    }
  }

  add(chunk: Buffer): void {
    if (!this.#hasBegun && containerKind(chunk.subarray(0, CONTAINER_HEAD_BYTES)).kind !== 'plain')
      this.#hash = createHash('sha256');
    this.#hasBegun = true;
    this.bytes += chunk.length;
    this.#hash?.update(chunk);
  }

  get isPacked(): boolean {
    return this.#hash !== undefined;
  }

  digest(): string | undefined {
    return this.#hash?.digest('hex');
  }
}
