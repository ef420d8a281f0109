/** What the user named, before anything is opened: sizes, names that tell the inputs apart, parts of split archives. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { BundleItem } from './bundle-item.ts';
import type { DiskPath } from './byte-source.ts';
import { type FolderListing, stampOf } from './folder.ts';
import { visiblePath } from './member-path.ts';
import { findSplitArchives, missingPartItems } from './split-parts.ts';
import { systemReason } from './system-reason.ts';

export interface MissingPath {
  readonly code: 'path-missing';
  readonly detail: string;
}

export interface Input {
  /** More than one: parts of a split archive, in order. */
  readonly files: readonly DiskPath[];
  readonly name: string;
  readonly bytes: number;
  readonly listing: FolderListing | undefined;
  readonly hint: string;
  /** Changes with the files; of a folder its path. */
  readonly stamp: string;
  /** Parts that cannot be used, and which part is missing. */
  readonly problems: readonly BundleItem[];
}

export interface InputSize {
  readonly file: string;
  readonly name: string;
  readonly folder: boolean;
  readonly bytes: number;
  readonly stamp: string;
}

/** Sorted; the order of `paths` does not matter. */
export async function inputSizes(paths: readonly string[]): Promise<Result<InputSize[], MissingPath>> {
  const found = new Map<string, InputSize>();
  for (const path of paths) {
    try {
      // The user named it, so a link that the user named is followed; links inside are not.
      const file = await realpath(path);
      const info = await stat(file);
      const folder = info.isDirectory();
      if (!folder && !info.isFile())
        return err({ code: 'path-missing', detail: `${shown(path)}: neither a file nor a folder` });
      const stamp = folder ? file : stampOf(info);
      found.set(file, {
        file,
        name: basename(resolve(path)) || 'bundle',
        folder,
        bytes: folder ? 0 : info.size,
        stamp,
      });
    } catch (error) {
      // The command line gives names as text: of one that is none, only its folder can be named.
      const hint = path.includes('\ufffd') ? '; its name is not UTF-8: give the folder that it lies in' : '';
      return err({ code: 'path-missing', detail: `${shown(path)}: ${systemReason(error)}${hint}` });
    }
  }
  const order = (a: InputSize, b: InputSize): number => compareText(a.name, b.name) || compareText(a.file, b.file);
  return ok(withDistinctNames([...found.values()]).sort(order));
}

const MAX_SHOWN = 200;

/** A path that a message can hold: on one line, and with both ends if it is long. */
function shown(path: string): string {
  const line = visiblePath(path);
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN / 2)}…${line.slice(-MAX_SHOWN / 2)}`;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `node-a/train.log` and `node-b/train.log` given as two files keep their folder's name, and as many above it as tell them apart; others just their own. */
function withDistinctNames(inputs: readonly InputSize[]): InputSize[] {
  const named = [...inputs];
  for (let above = 1; ; above++) {
    const counts = new Map<string, number>();
    for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (counts.size === named.length) return named;
    let isLonger = false;
    for (const [at, input] of named.entries()) {
      const folder = dirname(input.file).split(sep).at(-above) ?? '';
      if (counts.get(input.name) === 1 || folder === '') continue;
      named[at] = { ...input, name: `${folder}/${input.name}` };
      isLonger = true;
    }
    if (!isLonger) return named;
  }
}

type NamedInput = Omit<Input, 'listing'> & { readonly file: string; readonly folder: boolean };

/** Parts of one split archive, given together, are one input. */
export async function joinedInputs(sizes: readonly InputSize[]): Promise<NamedInput[]> {
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
      stamp: set.parts.map((part) => part.stamp).join(','),
      problems: missingPartItems(set, basename(set.path), (part) => part.name),
    });
  }
  return inputs.sort((a, b) => compareText(a.name, b.name) || compareText(a.file, b.file));
}
