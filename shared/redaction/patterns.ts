/** All originals that are known by their form. Of patterns that overlap the one that begins first gives the kind. A line of 64 KB costs milliseconds. */
import { ADDRESS_PATTERNS } from './address-patterns.ts';
import type { Pattern } from './pattern.ts';
import { PLACE_PATTERNS } from './place-patterns.ts';
import { SECRET_PATTERNS } from './secret-patterns.ts';

export const PATTERNS: readonly Pattern[] = [...SECRET_PATTERNS, ...ADDRESS_PATTERNS, ...PLACE_PATTERNS];
