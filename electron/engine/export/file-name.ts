/** A name that every system takes as a file: letters, digits and dashes, at most 60. Never empty. */
export function slugOf(name: string): string {
  const slug = name
    .replace(/\.(?:tar\.\w+|t\w?z|tar|zip|gz|db)$/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return slug === '' ? 'case' : slug;
}
