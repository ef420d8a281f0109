/** State of a call on a set of ranks. One set, 12 px, in the colour of the text; never without its word. */
import type { ReactNode } from 'react';
import { CHECK, CROSS_HATCHED, CROSS_PATH, Glyph, HALF_RING, HATCHED, RING } from '../../components/glyph-shapes.tsx';
import type { CellGlyph } from '../../viewmodels/collectives/cells.ts';

const SHAPES: Readonly<Record<CellGlyph, ReactNode>> = {
  completed: CHECK,
  // As completed, but dashed: over, and how is not known.
  ended: <path d="M1.8 6.4 4.7 9.2 10.4 3" strokeDasharray="2.2 1.5" />,
  waiting: HALF_RING,
  enqueued: RING,
  never: <path d={CROSS_PATH} strokeWidth="1.7" />,
  dot: <circle cx="6" cy="6" r="1" fill="currentColor" stroke="none" />,
  missing: HATCHED,
  overwritten: CROSS_HATCHED,
  differs: <path d="M1.8 4.3h8.4M1.8 7.7h8.4M8.3 1.6 3.7 10.4" strokeWidth="1.5" />,
  unknown: <path d="M3.9 4.2A2.2 2.2 0 1 1 6.6 6.3c-.5.2-.6.5-.6 1.2M6 9.6v.4" strokeWidth="1.4" />,
  none: null,
};

export function CallGlyph({ glyph }: { readonly glyph: CellGlyph }) {
  return <Glyph className="call-glyph">{SHAPES[glyph]}</Glyph>;
}

/** Certain, likely, undecided: solid, half, dashed. */
export function OrderGlyph({ order }: { readonly order: 'certain' | 'likely' | 'undecided' }) {
  const diamond = 'M6 1 11 6 6 11 1 6z';
  return (
    <Glyph className="order-glyph" data-order={order} stroke="1.2">
      {order === 'certain' && <path d={diamond} fill="currentColor" />}
      {order === 'likely' && (
        <>
          <path d={diamond} />
          <path d="M6 1 6 11 1 6z" fill="currentColor" stroke="none" />
        </>
      )}
      {order === 'undecided' && <path d={diamond} strokeDasharray="2 1.6" />}
    </Glyph>
  );
}
