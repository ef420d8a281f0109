/** Names that are made of other names: without what says how a file is packed, and as every system takes them. Pure. */

const ARCHIVE_ENDING = /\.(?:tar(?:\.\w+)?|tgz|tzst|txz|tbz2?|zip|gz|zst|xz|bz2)$/i;

/** `vit-large.tar.gz` → `vit-large`; unchanged if the ending is none of an archive or a compression. */
export const withoutArchiveEnding = (name: string): string => name.replace(ARCHIVE_ENDING, '');

/** Letters, digits and dashes, at most 60, without the ending of an archive; letters of other scripts become `-`. Never empty. */
export function fileSlug(name: string): string {
  const slug = withoutArchiveEnding(name)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return slug === '' ? 'case' : slug;
}
