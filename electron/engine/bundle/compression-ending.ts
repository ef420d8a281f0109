const TAR_ENDING = /\.(?:tgz|taz|tzst|tzs|txz|tbz2?|tb2)$/i;
const COMPRESSION_ENDING = /(?<=[^/])\.(?:gz|gzip|z|zst|zstd|xz|bz2|bzip2)$/i;

/** The name that a compressed file has without its compression; unchanged if the ending says nothing. */
export const withoutCompression = (path: string): string =>
  TAR_ENDING.test(path) ? path.replace(TAR_ENDING, '.tar') : path.replace(COMPRESSION_ENDING, '');
