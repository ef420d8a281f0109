import { defineIgnoredFormat } from '../../model/format.ts';
import { findMagic, type Magic } from './magic.ts';

const ARCHIVES: readonly Magic[] = [
  { what: 'gzip', offset: 0, pattern: [0x1f, 0x8b, 0x08] },
  { what: 'zip', offset: 0, pattern: [0x50, 0x4b, 0x03, 0x04] },
  { what: 'empty zip', offset: 0, pattern: [0x50, 0x4b, 0x05, 0x06] },
  { what: 'zstd', offset: 0, pattern: [0x28, 0xb5, 0x2f, 0xfd] },
  { what: 'xz', offset: 0, pattern: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { what: 'bzip2', offset: 0, pattern: 'BZh' },
  { what: '7-Zip', offset: 0, pattern: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { what: 'RAR', offset: 0, pattern: 'Rar!' },
  { what: 'LZ4', offset: 0, pattern: [0x04, 0x22, 0x4d, 0x18] },
  { what: 'tar', offset: 257, pattern: 'ustar' },
];

/** An archive or compressed file inside the bundle that the container layer did not open. */
export default defineIgnoredFormat({
  id: 'nested-archive',
  title: 'Archive inside the bundle',
  issue: 'nested-archive-not-opened',
  detail: 'an archive or compressed file inside the bundle; it was not opened',
  claim: ({ bytes }) => {
    const magic = findMagic(bytes, ARCHIVES);
    return magic && { score: 0.98, why: `starts like a ${magic.what} file` };
  },
});
