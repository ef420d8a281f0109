/** State of a call on a set of ranks. One set, 12 px, in the colour of the text; never without its word. */
import type { ReactNode } from 'react';
import type { CellGlyph } from '../../viewmodels/collectives/cells.ts';

const SHAPES: Readonly<Record<CellGlyph, ReactNode>> = {
  completed: <path d="M1.8 6.4 4.7 9.2 10.4 3" />,
  // As completed, but dashed: over, and how is not known.
  ended: <path d="M1.8 6.4 4.7 9.2 10.4 3" strokeDasharray="2.2 1.5" />,
  waiting: (
    <>
      <circle cx="6" cy="6" r="5" />
      <path d="M6 1a5 5 0 0 1 0 10z" fill="currentColor" stroke="none" />
    </>
  ),
  enqueued: <circle cx="6" cy="6" r="5" />,
  never: <path d="m2.5 2.5 7 7m0-7-7 7" strokeWidth="1.7" />,
  dot: <circle cx="6" cy="6" r="1" fill="currentColor" stroke="none" />,
  missing: (
    <>
      <rect x="1" y="1" width="10" height="10" />
      <path d="M1 6 6 1M1 11 11 1M6 11l5-5" strokeWidth="1" />
    </>
  ),
  overwritten: (
    <>
      <rect x="1" y="1" width="10" height="10" />
      <path d="M1 6 6 1M1 11 11 1M6 11l5-5M1 6l5 5M1 1l10 10M6 1l5 5" strokeWidth="1" />
    </>
  ),
  differs: <path d="M1.8 4.3h8.4M1.8 7.7h8.4M8.3 1.6 3.7 10.4" strokeWidth="1.5" />,
  unknown: <path d="M3.9 4.2A2.2 2.2 0 1 1 6.6 6.3c-.5.2-.6.5-.6 1.2M6 9.6v.4" strokeWidth="1.4" />,
  none: null,
};

export function CallGlyph({ glyph }: { readonly glyph: CellGlyph }) {
  return (
    <svg
      className="call-glyph"
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      aria-hidden="true"
    >
      {SHAPES[glyph]}
    </svg>
  );
}

/** Certain, likely, undecided: solid, half, dashed. */
export function OrderGlyph({ order }: { readonly order: 'certain' | 'likely' | 'undecided' }) {
  const diamond = 'M6 1 11 6 6 11 1 6z';
  return (
    <svg
      className="order-glyph"
      data-order={order}
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.2"
      aria-hidden="true"
    >
      {order === 'certain' && <path d={diamond} fill="currentColor" />}
      {order === 'likely' && (
        <>
          <path d={diamond} />
          <path d="M6 1 6 11 1 6z" fill="currentColor" stroke="none" />
        </>
      )}
      {order === 'undecided' && <path d={diamond} strokeDasharray="2 1.6" />}
    </svg>
  );
}
