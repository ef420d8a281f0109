/** What the importer accepts at most. Everything above is refused and listed, never cut silently. */
export interface BundleLimits {
  /** Members of all inputs together, refused ones included. */
  readonly maxEntries: number;
  /** Bytes of all entries together, unpacked. */
  readonly maxTotalBytes: number;
  /** Unpacked bytes may reach `maxRatio × input bytes + ratioSlackBytes`. */
  readonly maxRatio: number;
  readonly ratioSlackBytes: number;
  readonly maxEntryBytes: number;
  /** Of a path inside the bundle, as UTF-8. */
  readonly maxPathBytes: number;
  /** Layers of compression around one stream (`x.tar.gz.gz`). */
  readonly maxLayers: number;
  /** Archives inside archives: 1 opens the archive that was given and none inside it. */
  readonly maxDepth: number;
  /** Window (zstd) or dictionary (xz) that a stream may ask for: memory is taken for it. */
  readonly maxWindowBytes: number;
  /** A zip inside another archive is held in memory up to this size, beyond in a file that has no name. */
  readonly spoolMemoryBytes: number;
}

const GIB = 2 ** 30;

/**
 * Chosen, not measured: a 4,096-rank incident is tens of gigabytes in some ten thousand files. Logs compress 6 to 20
 * times, progress bars up to about 150 times; deflate cannot exceed 1,032 times, which is where bombs live.
 */
export const DEFAULT_LIMITS: BundleLimits = {
  maxEntries: 200_000,
  maxTotalBytes: 64 * GIB,
  maxRatio: 200,
  ratioSlackBytes: GIB,
  maxEntryBytes: 16 * GIB,
  maxPathBytes: 1024,
  maxLayers: 5,
  maxDepth: 5,
  // What zstd and xz accept without being asked for more (`--long=27`, `-9` takes half of it).
  maxWindowBytes: 128 * 1024 * 1024,
  spoolMemoryBytes: 16 * 1024 * 1024,
};

/** `64 GiB`, `1.5 MiB`, `512 bytes`: limits as the user reads them. */
export function formatLimit(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 'bytes';
  for (const next of units) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`;
}
