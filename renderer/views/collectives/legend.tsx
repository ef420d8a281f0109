import type { CellGlyph, CellModel } from '../../viewmodels/collectives/cells.ts';
import { CallGlyph } from './call-glyph.tsx';

const WORDS: readonly (readonly [CellGlyph, string])[] = [
  ['completed', 'completed'],
  ['ended', 'ended, result unknown'],
  ['waiting', 'waiting'],
  ['enqueued', 'enqueued'],
  ['differs', 'differs'],
  ['never', 'never enqueued'],
  ['overwritten', 'overwritten'],
  ['missing', 'no dump'],
  ['unknown', 'cannot be told'],
];

/** Only what is on the screen, in the order state, missing. */
export function Legend({
  cells,
  children,
}: {
  readonly cells: Iterable<CellModel>;
  readonly children?: React.ReactNode;
}) {
  const seen = new Set<CellGlyph>();
  for (const cell of cells) seen.add(cell.glyph);
  return (
    <div className="legend">
      {WORDS.filter(([glyph]) => seen.has(glyph)).map(([glyph, word]) => (
        <span key={glyph}>
          <CallGlyph glyph={glyph} />
          {word}
        </span>
      ))}
      {children}
    </div>
  );
}
