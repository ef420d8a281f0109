/** What the system said, in words: an analyst knows what to do about "permission denied", not about EACCES. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['ELOOP', 'links that lead in a circle, or a link in place of the file'],
  ['ENAMETOOLONG', 'the path is longer than the system allows'],
  ['EISDIR', 'it is a folder'],
  ['ENXIO', 'neither a file nor a folder'],
  ['EIO', 'the disk or network folder gave an error (EIO)'],
  ['ESTALE', 'the network folder has forgotten the file (ESTALE)'],
  ['EBUSY', 'in use by another program'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'the file would be larger than is allowed'],
  ['EROFS', 'the disk can only be read'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
]);

/** A clause without the path. Unknown codes stay as they are. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : (WORDS.get(code) ?? code);
}
