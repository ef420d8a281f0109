/**
 * Archives that were split for an upload: `x.tar.gz.aa` `.ab` …, `x.tar.gzaa`, `x-aa`, `x.part1` `.part2`, `x.zip.001` `.002`; and
 * the volumes of a zip, `x.z01` `.z02` … `x.zip`. Only the
 * first part has a magic, so names say what may belong together and content decides: the first part must begin like an archive and no
 * later one may, or rotated logs (`app.log.1.gz`, `worker.001`) would be glued together.
 */
import { open } from 'node:fs/promises';
import type { BundleItem } from './bundle-item.ts';
import { type DiskPath, regularFileFlags } from './byte-source.ts';
import { CONTAINER_HEAD_BYTES, containerKind } from './container-kind.ts';
import { visiblePath } from './member-path.ts';

export interface PartFile {
  /** With `/`; of inputs the whole path on disk. */
  readonly path: string;
  readonly file: DiskPath;
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

/** A zip's volumes: the last one, `.zip`, has the highest number. */
const VOLUME = /^(.+)\.(?:z(\d{2,3})|(zip))$/i;

/** Sets of volumes: a first one that says so, and the last. */
async function zipVolumes<T extends PartFile>(items: readonly T[], read: ReadPart<T>): Promise<JoinedParts<T>[]> {
  const groups = new Map<string, { readonly volumes: Map<number, T>; last: T | undefined }>();
  for (const item of items) {
    const [, stem, digits] = VOLUME.exec(item.path) ?? [];
    if (stem === undefined) continue;
    const group = groups.get(stem) ?? { volumes: new Map<number, T>(), last: undefined };
    if (digits === undefined) group.last = item;
    else group.volumes.set(Number(digits), item);
    groups.set(stem, group);
  }
  const sets: JoinedParts<T>[] = [];
  for (const [stem, { volumes, last }] of groups) {
    const first = volumes.get(1);
    if (first !== undefined && (await kindOf(first, read)) === 'zip') sets.push(volumeSet(stem, volumes, last));
    else if (last !== undefined && first === undefined && (await isLastVolume(last, read))) {
      const nameOf = (number: number) => `${stem}.z0${number}`;
      const unread = [...volumes.values(), last];
      sets.push({ path: `${stem}.zip`, parts: [], hint: '', missing: [nameOf(1)], unread });
    }
  }
  return sets;
}

/** Does a file end like a zip that began in other files? */
async function isLastVolume<T extends PartFile>(part: T, read: ReadPart<T>): Promise<boolean> {
  if ((await kindOf(part, read)) !== 'plain') return false;
  const end = await read(part, Math.max(0, part.bytes - 22), 22);
  const [disk, directoryDisk] = end.length < 22 ? [0, 0] : [end.readUInt16LE(4), end.readUInt16LE(6)];
  return end.length === 22 && end.readUInt32LE(0) === 0x06054b50 && disk > 0 && directoryDisk <= disk;
}

function volumeSet<T extends PartFile>(
  stem: string,
  volumes: ReadonlyMap<number, T>,
  last: T | undefined,
): JoinedParts<T> {
  const nameOf = (number: number) => `${stem}.z${String(number).padStart(2, '0')}`;
  const highest = Math.max(...volumes.keys());
  const missing: string[] = [];
  for (let number = 1; number <= Math.min(highest, 999); number += 1)
    if (!volumes.has(number)) missing.push(nameOf(number));
  const sorted = [...volumes].sort(([a], [b]) => a - b);
  let next = 1;
  while (volumes.has(next)) next += 1;
  const inOrder = sorted.filter(([number]) => number < next).map(([, item]) => item);
  const behind = sorted.filter(([number]) => number > next).map(([, item]) => item);
  const tail = last === undefined ? [] : [last];
  return {
    path: `${stem}.zip`,
    parts: missing.length === 0 ? [...inOrder, ...tail] : inOrder,
    hint:
      missing.length === 0 && last !== undefined
        ? ''
        : `; perhaps a volume is missing: ${baseName(missing[0] ?? `${stem}.zip`)}`,
    missing: last === undefined ? [...missing, `${stem}.zip`] : missing,
    unread: missing.length === 0 ? [] : [...behind, ...tail],
  };
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

/** Up to `count` bytes of a part from `from`; empty if it cannot be read. */
export type ReadPart<T> = (part: T, from: number, count: number) => Promise<Buffer>;

/** Can a file be a part by its name? Only names of archives: inside an archive each candidate must be kept. */
export const mayBePart = (path: string): boolean =>
  VOLUME.exec(path)?.[2] !== undefined || ARCHIVE.test((GLUED.exec(path) ?? SUFFIX.exec(path))?.[1] ?? '');

/**
 * Sets of parts among the files. Files in no set are not mentioned. Reads the first bytes of candidates only, and the end of a `.zip` that
 * begins like nothing known.
 */
export async function findSplitArchives<T extends PartFile>(
  items: readonly T[],
  read: ReadPart<T> = readFilePart,
): Promise<JoinedParts<T>[]> {
  const sets = await zipVolumes(items, read);
  const taken = new Set(sets.flatMap((set) => [...set.parts, ...set.unread]));
  const groups = new Map<string, Numbered<T>[]>();
  for (const item of items) {
    if (taken.has(item)) continue;
    const found = numbered(item);
    if (found === undefined) continue;
    const group = groups.get(found.key) ?? [];
    group.push(found);
    groups.set(found.key, group);
  }
  for (const group of groups.values()) {
    const set = await joined(
      group.sort((a, b) => a.number - b.number),
      read,
    );
    if (set !== undefined) sets.push(set);
  }
  return sets;
}

async function joined<T extends PartFile>(
  group: readonly Numbered<T>[],
  read: ReadPart<T>,
): Promise<JoinedParts<T> | undefined> {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isArchiveName = ARCHIVE.test(first.stem);
  const beginsAtStart = first.number === 0 || (first.number === 1 && !first.letters);
  if (group.length === 1 && !isArchiveName) return undefined;
  // A gap of many is no gap: `x.2024` and `x.2026` are years.
  if (last.number - first.number > group.length * 2 + 8) return undefined;
  const kinds = await Promise.all(group.map(({ item }) => kindOf(item, read)));
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

const kindOf = async <T>(part: T, read: ReadPart<T>): Promise<string> =>
  containerKind(await read(part, 0, CONTAINER_HEAD_BYTES)).kind;

async function readFilePart({ file }: PartFile, from: number, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count);
  try {
    const handle = await open(file, regularFileFlags(true));
    try {
      const { bytesRead } = await handle.read(buffer, 0, count, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return Buffer.alloc(0);
  }
}
