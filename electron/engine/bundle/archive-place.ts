import type { BundleItem, EntryEnd } from './bundle-item.ts';

/** How a stream of bytes ended, whether it is an entry or an archive. Valid once it is exhausted. */
export interface StreamEnd extends EntryEnd {
  /** Why it is cut, if it is: it ends early, or it (or something around it) is damaged, or we could not read on. */
  damage: 'truncated' | 'damaged' | 'stopped' | undefined;
  /** What a codec said about the damage, or what ended the reading. */
  damageDetail: string;
}

export const wholeEnd = (): StreamEnd => ({
  truncatedAt: undefined,
  cut: '',
  refusal: undefined,
  damage: undefined,
  damageDetail: '',
});

/** A member of an archive or folder, not looked at yet. */
export interface MemberBytes {
  /** Closed by who opens the member. */
  readonly chunks: AsyncGenerator<Buffer>;
  readonly end: StreamEnd;
  /** Inside the bundle, checked. */
  readonly path: string;
  /** As declared; null if only reading tells. */
  readonly size: number | null;
}

/** Gives a member's items: itself, or what is inside it if it is an archive. Consumes what it needs of the bytes. */
export type OpenMember = (member: MemberBytes) => AsyncGenerator<BundleItem>;

/** An archive that is being read, as its reader must know it. */
export interface ArchivePlace {
  /** For issues: path inside the bundle, or the input's base name. */
  readonly shown: string;
  /** Before every member's path, with its `/`; empty for a single input. */
  readonly prefix: string;
  /** Bytes of the archive file itself, as far as they were read. */
  readonly packedBytes: () => number;
  /** Of the stream that the archive is read from. */
  readonly end: StreamEnd;
  /** Added when the archive ends early: a part that may be missing. Empty, or begins with `; `. */
  readonly hint: string;
}
