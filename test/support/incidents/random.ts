/**
 * A seeded source of numbers, so that a seed is an incident.
 *
 * `fork(label)` gives an independent source that depends on the seed and the label only: drawing one number more in
 * one place does not shift the numbers of any other place. Not for cryptography.
 */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [from, to], both ends included. */
  int(from: number, to: number): number;
  /** A real number in [from, to). */
  between(from: number, to: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** A new array with the items in another order. */
  shuffle<T>(items: readonly T[]): T[];
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** Lower-case letters and digits as Kubernetes appends them to names (no vowels, no look-alikes). */
  suffix(length: number): string;
  fork(label: string | number): Random;
}

const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32: 32 bits of state are enough for a few hundred thousand draws a fork.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const text = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(int(0, alphabet.length - 1))).join('');
  return {
    next,
    int,
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    shuffle: (items) => {
      const out = [...items];
      for (let i = out.length - 1; i > 0; i--) {
        const j = int(0, i);
        const a = out[i];
        const b = out[j];
        if (a !== undefined && b !== undefined) {
          out[i] = b;
          out[j] = a;
        }
      }
      return out;
    },
    hex: (digits) => text('0123456789abcdef', digits),
    suffix: (length) => text(SUFFIX_ALPHABET, length),
    fork: (label) => createRandom(hash(`${seed}/${label}`)),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h;
}
