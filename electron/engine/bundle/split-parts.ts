/**
 * Archives that were split for an upload: `x.tar.gz.aa` `.ab` …, `x.tar.gzaa`, `x-aa`, `x.part1` `.part2`, `x.zip.001` `.002`. Only the
 * first part has a magic, so names say what may belong together and content decides: the first part must begin like an archive and no
 * later one may, or rotated logs (`app.log.1.gz`, `worker.001`) would be glued together.
 */
import { open } from 'node:fs/promises';
import type { BundleItem } from './bundle-item.ts';
import { regularFileFlags } from './byte-source.ts';
import { CONTAINER_HEAD_BYTES, containerKind } from './container-kind.ts';
import { visiblePath } from './member-path.ts';

export interface PartFile {
  /** With `/`; of inputs the whole path on disk. */
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

export interface JoinedParts<T> {
  /** Path without the suffix. */
  readonly path: string;
  readonly parts: readonly T[];
  /** Begins with `; `: the part that would come next, for an archive that turns out to end early. */
  readonly hint: string;
  /** Paths of parts that are not there although later ones are, or the first. */
  readonly missing: readonly string[];
  /** Later parts that cannot be read because of that. */
  readonly unread: readonly T[];
}

const ARCHIVE = /\.(?:tar(?:\.[a-z0-9]{2,4})?|tgz|tbz2?|txz|tzst|zip|gz|zst|xz|bz2|7z)$/i;
/** The suffix after a separator, or right behind an archive's ending. */
const SUFFIX = /^(.*?[^/.-])((?:[.-]part[-_]?|[._-])(\d{1,4})|[._-]([ab][a-z]{1,2}))$/i;
const GLUED =
  /^(.+\.(?:tar(?:\.[a-z0-9]{2,4})?|tgz|tbz2?|txz|tzst|zip|gz|zst|xz|bz2|7z))()(?:(\d{2,4})|([ab][a-z]{1,2}))$/i;

interface Numbered<T> {
  readonly item: T;
  readonly stem: string;
  readonly number: number;
  /** The path that another number would have. */
  readonly nameOf: (number: number) => string;
  readonly letters: boolean;
}

function numbered<T extends PartFile>(item: T): (Numbered<T> & { readonly key: string }) | undefined {
  const match = GLUED.exec(item.path) ?? SUFFIX.exec(item.path);
  const stem = match?.[1];
  const digits = match?.[3];
  const letters = match?.[4];
  if (match === null || match === undefined || stem === undefined) return undefined;
  const suffix = digits ?? letters ?? '';
  const before = item.path.slice(0, item.path.length - suffix.length);
  const width = letters !== undefined || suffix.startsWith('0') || suffix.length > 1 ? suffix.length : 0;
  const nameOf = (number: number): string =>
    before + (letters === undefined ? String(number).padStart(width, '0') : toLetters(number, suffix.length));
  const number = letters === undefined ? Number(suffix) : fromLetters(suffix.toLowerCase());
  // Numbers without leading zeros change their width: `.part9`, `.part10`.
  const key = `${before}\0${letters === undefined ? 'digits' : suffix.length}`;
  return { item, stem, number, nameOf, letters: letters !== undefined, key };
}

const fromLetters = (text: string): number => [...text].reduce((sum, c) => sum * 26 + (c.charCodeAt(0) - 97), 0);

function toLetters(number: number, width: number): string {
  let text = '';
  for (let rest = number; text.length < width; rest = Math.floor(rest / 26))
    text = String.fromCharCode(97 + (rest % 26)) + text;
  return text;
}

/** Sets of parts among the files. Files in no set are not mentioned. Reads the first bytes of candidates only. */
export async function findSplitArchives<T extends PartFile>(items: readonly T[]): Promise<JoinedParts<T>[]> {
  const groups = new Map<string, Numbered<T>[]>();
  for (const item of items) {
    const found = numbered(item);
    if (found === undefined) continue;
    const group = groups.get(found.key) ?? [];
    group.push(found);
    groups.set(found.key, group);
  }
  const sets: JoinedParts<T>[] = [];
  for (const group of groups.values()) {
    const set = await joined(group.sort((a, b) => a.number - b.number));
    if (set !== undefined) sets.push(set);
  }
  return sets;
}

async function joined<T extends PartFile>(group: readonly Numbered<T>[]): Promise<JoinedParts<T> | undefined> {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isArchiveName = ARCHIVE.test(first.stem);
  const beginsAtStart = first.number === 0 || (first.number === 1 && !first.letters);
  if (group.length === 1 && !isArchiveName) return undefined;
  // A gap of many is no gap: `x.2024` and `x.2026` are years.
  if (last.number - first.number > group.length * 2 + 8) return undefined;
  const kinds = await Promise.all(group.map(({ item }) => kindOf(item.file)));
  if (kinds.slice(1).some((kind) => kind !== 'plain')) return undefined;
  if (kinds[0] === 'plain') {
    if (!isArchiveName || beginsAtStart) return undefined;
    const items = group.map(({ item }) => item);
    return { path: first.stem, parts: [], hint: '', missing: [first.nameOf(first.letters ? 0 : 1)], unread: items };
  }
  if (!beginsAtStart) return undefined;
  const present = new Set(group.map(({ number }) => number));
  const missing: string[] = [];
  for (let number = first.number; number < last.number; number += 1)
    if (!present.has(number)) missing.push(first.nameOf(number));
  let upTo = first.number;
  while (present.has(upTo)) upTo += 1;
  return {
    path: first.stem,
    parts: group.filter(({ number }) => number < upTo).map(({ item }) => item),
    hint: `; perhaps the next part is missing: ${baseName(first.nameOf(upTo))}`,
    missing,
    unread: group.filter(({ number }) => number > upTo).map(({ item }) => item),
  };
}

/** The rows for what is missing of a set. `shown`: a part's path in the bundle. */
export function missingPartItems<T extends PartFile>(
  set: JoinedParts<T>,
  archive: string,
  shown: (part: T) => string,
): BundleItem[] {
  if (set.missing.length === 0) return [];
  const names = set.missing.map(baseName).join(', ');
  const noFirst = set.parts.length === 0;
  const detail = `${names} ${set.missing.length === 1 ? 'is' : 'are'} missing; ${noFirst ? 'without the first part nothing can be read' : 'read up to there'}`;
  return [
    { kind: 'issue', code: 'archive-part-missing', severity: 'error', path: visiblePath(archive), detail },
    ...set.unread.map((part): BundleItem => {
      const refusal = {
        code: 'archive-part-missing',
        status: 'failed',
        detail: `not read: ${names} before it is missing`,
      } as const;
      return { kind: 'refused', path: visiblePath(shown(part)), bytes: part.bytes, refusal };
    }),
  ];
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

async function kindOf(file: string): Promise<string> {
  const buffer = Buffer.alloc(CONTAINER_HEAD_BYTES);
  try {
    const handle = await open(file, regularFileFlags(true));
    try {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return containerKind(buffer.subarray(0, bytesRead)).kind;
    } finally {
      await handle.close();
    }
  } catch {
    return 'plain';
  }
}
