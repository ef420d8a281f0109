/** The folders of a bundle: each with the worst that became of a file below it; files that were plainly read fold into one row. */
import { ENTRY_STATUSES, type EntryStatus } from '#shared/model/entry.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { escapeText } from './escape-text.ts';
import { commonFolder, comparePaths } from './file-rows.ts';

export interface TreeRow {
  readonly key: string;
  readonly kind: 'folder' | 'file' | 'read';
  readonly depth: number;
  /** Escaped. */
  readonly name: string;
  /** Of a folder with its slash, as the bundle wrote it. */
  readonly path: string;
  readonly entry: EntryRow | null;
  /** Files below a folder. */
  readonly count: number;
  /** Worst below. */
  readonly status: EntryStatus;
}

interface Folder {
  readonly path: string;
  readonly folders: Map<string, Folder>;
  readonly files: EntryRow[];
}

/** Rows listed one by one where so few were read that folding them saves nothing. */
const FEW = 3;
/** A tree is a way in, not the list: deeper folders stand under their parent. */
const MAX_DEPTH = 4;
const MAX_ROWS = 400;

/** Below the folder that all files are in. `closed`: paths of folders that are folded. Empty where there is no folder to choose. */
export function fileTree(entries: readonly EntryRow[], closed: ReadonlySet<string>): readonly TreeRow[] {
  const root = grow(entries, commonFolder(entries));
  if (root.folders.size === 0) return [];
  const rows: TreeRow[] = [];
  addRows(root, 0, closed, rows);
  return rows.slice(0, MAX_ROWS);
}

function grow(entries: readonly EntryRow[], base: string): Folder {
  const root: Folder = { path: base, folders: new Map(), files: [] };
  for (const entry of entries) {
    let folder = root;
    const parts = entry.path.slice(base.length).split('/').slice(0, -1);
    for (const part of parts.slice(0, MAX_DEPTH)) {
      const next = folder.folders.get(part) ?? { path: `${folder.path}${part}/`, folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push(entry);
  }
  return root;
}

function addRows(folder: Folder, depth: number, closed: ReadonlySet<string>, rows: TreeRow[]): void {
  for (const [name, below] of [...folder.folders].sort(([a], [b]) => comparePaths(a, b))) {
    const all = filesOf(below);
    rows.push({
      ...{ key: below.path, kind: 'folder', depth, name: escapeText(name), path: below.path, entry: null },
      ...{ count: all.length, status: worstOf(all) },
    });
    if (!closed.has(below.path)) addRows(below, depth + 1, closed, rows);
  }
  const read = folder.files.filter(({ status }) => status === 'read');
  const few = read.length <= FEW;
  const shown = folder.files.filter(({ status }) => few || status !== 'read');
  for (const entry of shown.sort((a, b) => comparePaths(a.path, b.path)))
    rows.push({
      ...{ key: entry.path, kind: 'file', depth, name: escapeText(entry.path.slice(entry.path.lastIndexOf('/') + 1)) },
      ...{ path: folder.path, entry, count: 1, status: entry.status },
    });
  if (few) return;
  rows.push({
    ...{ key: `${folder.path} read`, kind: 'read', depth, path: folder.path, entry: null },
    ...{
      name: `${formatCount(read.length)}${shown.length > 0 ? ' more' : ''}, read`,
      count: read.length,
      status: 'read',
    },
  });
}

const filesOf = (folder: Folder): readonly EntryRow[] => [
  ...folder.files,
  ...[...folder.folders.values()].flatMap(filesOf),
];

const worstOf = (files: readonly EntryRow[]): EntryStatus =>
  ENTRY_STATUSES.find((status) => files.some((file) => file.status === status)) ?? 'read';
