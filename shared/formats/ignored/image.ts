import { defineIgnoredFormat } from '../../model/format.ts';
import { findMagic, type Magic } from './magic.ts';

const IMAGES: readonly Magic[] = [
  { what: 'PNG', offset: 0, pattern: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'JPEG', offset: 0, pattern: [0xff, 0xd8, 0xff] },
  { what: 'GIF', offset: 0, pattern: 'GIF8' },
  { what: 'WebP', offset: 8, pattern: 'WEBP' },
  { what: 'HEIC', offset: 4, pattern: 'ftyphei' },
  { what: 'HEIC', offset: 4, pattern: 'ftypmif1' },
  { what: 'AVIF', offset: 4, pattern: 'ftypavif' },
  { what: 'TIFF', offset: 0, pattern: [0x49, 0x49, 0x2a, 0x00] },
  { what: 'TIFF', offset: 0, pattern: [0x4d, 0x4d, 0x00, 0x2a] },
];

/** A picture: a screenshot in a bundle is kept, but nothing is read from it. */
export default defineIgnoredFormat({
  id: 'image',
  title: 'Image',
  issue: 'unknown-binary',
  detail: 'an image; nothing is read from pictures',
  claim: ({ bytes }) => {
    const magic = findMagic(bytes, IMAGES);
    return magic && { score: 0.99, why: `starts like a ${magic.what} image` };
  },
});
