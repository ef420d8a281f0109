/** One line of a comparison: a fact as each bundle has it, and whether that is the same. */

/** `unknown`: one of the two bundles does not tell, so that nothing follows from the difference. */
export type Sameness = 'differs' | 'equal' | 'unknown';

/** In the order of reading: what ended the run first, what it was run with, how it went, where, and what is known of it. */
export const SECTIONS = [
  'verdict',
  'call',
  'settings',
  'software',
  'run',
  'messages',
  'place',
  'clocks',
  'evidence',
] as const;

export interface CompareRow {
  readonly id: string;
  readonly name: string;
  readonly section: (typeof SECTIONS)[number];
  /** Null = not told. */
  readonly a: string | null;
  readonly b: string | null;
  readonly same: Sameness;
  /** What kind of difference or of sameness, in a word or two. */
  readonly kind: string;
  readonly telling: boolean;
  /** Differs, but as any two runs do: a count, a time, a number. */
  readonly weak: boolean;
  /** First ranks of both, where the row is about them. */
  readonly ranks: { readonly a: readonly number[]; readonly b: readonly number[] } | null;
}

export interface RowParts {
  readonly section: CompareRow['section'];
  readonly kind?: string;
  readonly kindEqual?: string;
  /** Sameness is worth more than a look. */
  readonly telling?: boolean;
  /** A difference says little. */
  readonly weak?: boolean;
  readonly ranks?: CompareRow['ranks'];
}

export function row(id: string, name: string, a: string | null, b: string | null, parts: RowParts): CompareRow {
  const same: Sameness =
    a === null && b === null ? 'equal' : a === null || b === null ? 'unknown' : a === b ? 'equal' : 'differs';
  return {
    ...{ id, name, a, b, same },
    section: parts.section,
    kind:
      same === 'unknown'
        ? `not told in ${a === null ? 'A' : 'B'}`
        : same === 'differs'
          ? (parts.kind ?? '')
          : a === null
            ? 'not told in either'
            : (parts.kindEqual ?? ''),
    telling: same === 'equal' && a !== null && parts.telling === true,
    weak: same === 'differs' && parts.weak === true,
    ranks: parts.ranks ?? null,
  };
}
