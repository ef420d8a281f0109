/** Dump files → the stored view of collectives, through the product's own import and analysis. */
import { buildCollectivesView, type CollectiveGroup, type CollectivesView } from '#shared/views/collectives/index.ts';
import type { ViewSource } from '#shared/views/index.ts';
import type { DumpFile } from './dump-builder.ts';
import { analyseFiles } from './in-memory-import.ts';

export interface ViewedJob {
  readonly source: ViewSource;
  readonly view: CollectivesView;
}

export function viewFiles(files: Iterable<readonly [path: string, bytes: Uint8Array]>): ViewedJob {
  const source = analyseFiles(new Map(files));
  const view = buildCollectivesView(source);
  if (view === undefined) throw new Error('no collectives in these files');
  return { source, view };
}

export const viewDumpFiles = (files: readonly DumpFile[]): ViewedJob =>
  viewFiles(files.map((file) => [file.path, file.bytes] as const));

export function groupOf(view: CollectivesView, id: string): CollectiveGroup {
  const group = view.groups.find((one) => one.id === id);
  if (group === undefined) throw new Error(`no group ${id}: ${view.groups.map((one) => one.id).join()}`);
  return group;
}
