/** How a bundle is counted whose import was ended before its last file. */
import { formatCount, plural } from './format.ts';

/** The part of a report's `bundle` that tells how much of it was read. */
export interface CountedBundle {
  readonly files: { readonly total: number };
  readonly stopped?: { readonly filesRead: number; readonly filesTotal: number | null } | undefined;
}

/** `640 files`; of a bundle that was not read to its end `312 of 640 files`, or `312 files of an unknown number`. */
export function filesText({ files, stopped }: CountedBundle): string {
  if (stopped === undefined) return plural(files.total, 'file');
  const { filesRead, filesTotal } = stopped;
  return filesTotal === null
    ? `${plural(filesRead, 'file')} of an unknown number`
    : `${formatCount(filesRead)} of ${plural(filesTotal, 'file')}`;
}

/** What a count of files is out of: `640`, also where only 312 were reached; `≥ 312` where reading on would tell. */
export function outOfText({ files, stopped }: CountedBundle): string {
  if (stopped === undefined) return formatCount(files.total);
  return stopped.filesTotal === null ? `≥ ${formatCount(stopped.filesRead)}` : formatCount(stopped.filesTotal);
}

/** A bundle that is known to be partial; reports of older versions do not tell of how many. */
export function partialText({ files, stopped }: CountedBundle): string {
  return filesText({ files, stopped: stopped ?? { filesRead: files.total, filesTotal: null } });
}
