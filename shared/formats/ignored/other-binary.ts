import { defineIgnoredFormat } from '../../model/format.ts';
import { findMagic, type Magic } from './magic.ts';

const BINARIES: readonly Magic[] = [
  { what: 'PDF document', offset: 0, pattern: '%PDF-' },
  { what: 'ELF program or core dump', offset: 0, pattern: [0x7f, 0x45, 0x4c, 0x46] },
  { what: 'SQLite database', offset: 0, pattern: 'SQLite format 3' },
  { what: 'Parquet file', offset: 0, pattern: 'PAR1' },
  { what: 'NumPy array', offset: 0, pattern: [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] },
  { what: 'packet capture', offset: 0, pattern: [0xd4, 0xc3, 0xb2, 0xa1] },
  { what: 'packet capture', offset: 0, pattern: [0x0a, 0x0d, 0x0d, 0x0a] },
  { what: 'Windows program', offset: 0, pattern: [0x4d, 0x5a, 0x90, 0x00] },
  { what: 'Java class or Mach-O file', offset: 0, pattern: [0xca, 0xfe, 0xba, 0xbe] },
  { what: 'binary systemd journal', offset: 0, pattern: 'LPKSHHRH' },
  { what: 'Office document', offset: 0, pattern: [0xd0, 0xcf, 0x11, 0xe0] },
];

/** Binary files that are known and hold nothing that is read here. */
export default defineIgnoredFormat({
  id: 'other-binary',
  title: 'Binary file',
  issue: 'unknown-binary',
  detail: 'a binary file of a kind that is not read',
  claim: ({ bytes }) => {
    const magic = findMagic(bytes, BINARIES);
    return magic && { score: 0.97, why: `starts like a ${magic.what}` };
  },
});
